internal import Foundations

/// The text of a document, with its lines as clients count them: LF, CR LF and CR end one.
package struct DocumentText: Sendable {
  /// UTF-8.
  package private(set) var bytes: [UInt8]
  /// The offset of each line.
  private var lineStarts: [Int]

  /// Creates a text.
  package init(_ text: String) {
    bytes = Array(text.utf8)
    lineStarts = [0]
    cut(from: 0)
  }

  /// The text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of lines; behind a final line break begins one more.
  package var lineCount: Int { lineStarts.count }

  /// The bytes of a line, counted from 0, without its end.
  package func line(_ number: Int) -> Range<Int> {
    guard lineStarts.indices.contains(number) else { return bytes.count..<bytes.count }
    let start = lineStarts[number]
    var end = number + 1 < lineStarts.count ? lineStarts[number + 1] : bytes.count
    if end > start, number + 1 < lineStarts.count {
      if bytes[end - 1] == 0x0A { end -= 1 }
      if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    }
    return start..<end
  }

  /// The line that holds an offset, counted from 0.
  package func lineNumber(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// The offset of a place.
  ///
  /// One beyond a line's end is that end, and one beyond the text the text's end (LSP 3.17, `Position`). A place amid a
  /// scalar is that scalar's beginning.
  package func offset(of position: EditorPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line < lineStarts.count else { return bytes.count }
    let line = line(max(0, position.line))
    var rest = max(0, position.character)
    var offset = line.lowerBound
    while offset < line.upperBound {
      let width = encoding.width(ofScalarAt: bytes[offset])
      guard width <= rest else { break }
      rest -= width
      offset += 1
    }
    while offset > line.lowerBound, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 {
      offset -= 1
    }
    return offset
  }

  /// The place of an offset.
  package func position(of offset: Int, _ encoding: PositionEncoding) -> EditorPosition {
    let offset = min(max(0, offset), bytes.count)
    let number = lineNumber(of: offset)
    let line = line(number)
    var units = 0
    for byte in bytes[line.lowerBound..<min(max(line.lowerBound, offset), line.upperBound)] {
      units += encoding.width(ofScalarAt: byte)
    }
    return EditorPosition(line: number, character: units)
  }

  /// The place of a stretch of bytes.
  package func range(of offsets: Range<Int>, _ encoding: PositionEncoding) -> EditorRange {
    EditorRange(
      start: position(of: offsets.lowerBound, encoding),
      end: position(of: offsets.upperBound, encoding))
  }

  /// Replaces a range by text; a range whose end is in front of its start is empty.
  package mutating func replace(
    _ range: EditorRange, with text: String, _ encoding: PositionEncoding
  ) {
    let start = offset(of: range.start, encoding)
    let end = max(start, offset(of: range.end, encoding))
    bytes.replaceSubrange(start..<end, with: text.utf8)
    // A line feed that is put behind a carriage return belongs to the line before.
    let line = max(0, lineNumber(of: start) - 1)
    lineStarts.removeSubrange((line + 1)...)
    cut(from: lineStarts[line])
  }

  private mutating func cut(from start: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      var offset = start
      while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        guard byte == 0x0A || byte == 0x0D else { continue }
        if byte == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { offset += 1 }
        lineStarts.append(offset)
      }
    }
  }
}

extension DocumentText {
  /// The offsets that a range of a message covers in its text; `nil` beyond it.
  ///
  /// The reader of scenario files leaves out a byte order mark.
  func offsets(of range: SourceRange, in source: SourceText) -> Range<Int>? {
    let mark = bytes.count - source.bytes.count
    guard let start = source.byteOffset(line: range.line, column: range.column) else { return nil }
    let end = source.byteOffset(line: range.line, column: range.endColumn)
    return (start + mark)..<(max(start, end ?? start) + mark)
  }
}
