/// The text of a file, cut into lines as YAML counts them.
package struct SourceText: Sendable {
  /// The file's path as the author named it.
  package let path: String
  /// UTF-8, without a byte order mark.
  package let bytes: [UInt8]
  /// The offset of each line, in bytes.
  let lineStarts: [Int]
  /// The offset of every so many Unicode scalars of a long line, by the line's index in
  /// `lineStarts`: a column far out is found without counting from the line's beginning.
  let columnStops: [Int: [Int]]
  /// The distance between two of them, in scalars.
  static let stopDistance = 4096

  /// Cuts a text; a byte order mark at its beginning does not count.
  package init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// Creates a source from bytes that are known to be UTF-8.
  package init(path: String, bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.path = path
    self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    var starts = [0]
    var stops: [Int: [Int]] = [:]
    var scalars = 0
    for offset in self.bytes.indices {
      if LineBreak.ends(self.bytes, at: offset) {
        scalars = 0
        starts.append(offset + 1)
      } else if self.bytes[offset] & 0xC0 != 0x80 {
        if scalars > 0, scalars.isMultiple(of: Self.stopDistance) {
          stops[starts.count - 1, default: []].append(offset)
        }
        scalars += 1
      }
    }
    lineStarts = starts
    columnStops = stops
  }

  /// The number of lines; behind a final line break begins one more.
  package var lineCount: Int { lineStarts.count }

  /// The line with that number, counted from 1, without its end; `nil` beyond the file.
  package func line(_ number: Int) -> String? {
    lineBytes(number).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The byte range of a line, counted from 1, without its end; `nil` beyond the file.
  ///
  /// A line may be as long as a file, so that what asks for its length or a part of it goes by these.
  func lineBytes(_ number: Int) -> Range<Int>? {
    guard number >= 1, number <= lineStarts.count else { return nil }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    if number < lineStarts.count {
      end -= 1
      // A CR that does not end the line itself belongs to its end.
      if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    }
    return start..<end
  }

  /// The byte offset of a line, counted from 1; `nil` beyond the file.
  package func lineStart(_ number: Int) -> Int? {
    number >= 1 && number <= lineStarts.count ? lineStarts[number - 1] : nil
  }
}
