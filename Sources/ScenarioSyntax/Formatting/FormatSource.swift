internal import Foundations

/// The text of a file as the formatter walks through it.
struct FormatSource {
  /// The text without a byte order mark, each line ended by a line feed.
  let scalars: [Unicode.Scalar]
  /// The offset of each line's beginning.
  private let lineStarts: [Int]

  /// Creates a source from bytes that are known to be UTF-8.
  init(bytes: [UInt8]) {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(bytes.count)
    var isBehindReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      defer { isBehindReturn = scalar == "\r" }
      if scalar == "\n", isBehindReturn { continue }
      scalars.append(scalar == "\r" ? "\n" : scalar)
    }
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self.scalars = scalars
    lineStarts = [0] + scalars.indices.filter { Self.isBreak(scalars[$0]) }.map { $0 + 1 }
  }

  /// Returns whether a scalar ends a line.
  static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" }

  /// The text as UTF-8.
  var bytes: [UInt8] { Array(text(0..<scalars.count).utf8) }

  /// Returns the offset of a mark.
  func offset(of mark: YAMLMark) -> Int {
    guard mark.line < lineStarts.count else { return scalars.count }
    return min(scalars.count, lineStarts[mark.line] + mark.column)
  }

  /// Returns the line, counted from 0, of an offset.
  func line(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns the column, counted from 0, of an offset.
  func column(at offset: Int) -> Int { offset - lineStarts[line(at: offset)] }

  /// A part of the text.
  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  /// Returns whether a line has nothing but white space.
  func isBlank(line: Int) -> Bool {
    let start = lineStarts[line]
    let end = line + 1 < lineStarts.count ? lineStarts[line + 1] : scalars.count
    return scalars[start..<end].allSatisfy { $0 == " " || $0 == "\t" || Self.isBreak($0) }
  }

  /// Returns the text in front of an offset on its line.
  func prefix(at offset: Int) -> ArraySlice<Unicode.Scalar> {
    scalars[lineStarts[line(at: offset)]..<offset]
  }
}

/// A comment of the text.
struct FormatComment {
  /// `#` and what follows, without white space at the end.
  var text: String
  /// The offset of its beginning.
  var offset: Int
  /// Its line, counted from 0.
  var line: Int
  /// Its column, counted from 0.
  var column: Int
  /// True if nothing else is in its line.
  var isOwnLine: Bool
  /// Comments below it in the same column that continue it.
  var continuations: [String] = []
}

extension FormatSource {
  /// The comments outside the tokens that cover parts of the text, in order.
  ///
  /// - Parameter covered: Scalars, properties, aliases and directives, in order.
  func comments(outside covered: [Range<Int>]) -> [FormatComment] {
    var comments: [FormatComment] = []
    var offset = 0
    var ranges = covered[...]
    while offset < scalars.count {
      if let range = ranges.first, range.lowerBound <= offset {
        offset = max(offset, range.upperBound)
        ranges.removeFirst()
      } else if scalars[offset] == "#" {
        var end = offset
        while end < scalars.count, !Self.isBreak(scalars[end]) { end += 1 }
        comments.append(comment(offset..<end))
        offset = end
      } else {
        offset += 1
      }
    }
    return comments
  }

  /// Returns the comment in a range.
  func comment(_ range: Range<Int>) -> FormatComment {
    var end = range.upperBound
    while end > range.lowerBound, scalars[end - 1] == " " || scalars[end - 1] == "\t" { end -= 1 }
    return FormatComment(
      text: text(range.lowerBound..<end), offset: range.lowerBound,
      line: line(at: range.lowerBound),
      column: column(at: range.lowerBound),
      isOwnLine: prefix(at: range.lowerBound).allSatisfy { $0 == " " || $0 == "\t" })
  }
}
