/// A text that was expected beside the one that came: the lines that differ, with a few equal ones around them.
package struct TextComparison: Sendable, Hashable, Codable {
  /// Equal lines that are kept before the first difference and behind the last one.
  private static let context = 3
  /// The maximum number of bytes of each text that are kept.
  private static let limit = 16 << 10

  /// What the expected text was to be of the one that came, where not the same.
  package enum Relation: String, Sendable, Hashable, Codable {
    /// Its beginning.
    case start
    /// Its end.
    case end
    /// A part of it.
    case part
    /// An expression that matches a part of it.
    case expression
  }

  /// The lines that were expected.
  package var expected: String
  /// The lines that came.
  package var actual: String
  /// The number of the first line of both in the whole texts, from 1.
  package var line: Int
  /// What the expected text was to be of the other one; `nil` for the same.
  package var relation: Relation?

  /// Compares two texts.
  ///
  /// - Parameters:
  ///   - line: the number of their first line, where they are parts of longer ones.
  ///   - relation: what the expected one was to be of the other one; `nil` for the same.
  package init(expected: String, actual: String, line: Int = 1, relation: Relation? = nil) {
    self.relation = relation
    let old = Self.lines(of: expected)
    let new = Self.lines(of: actual)
    func isSame(_ old: Substring, _ new: Substring) -> Bool {
      old.utf8.elementsEqual(new.utf8)
    }
    let count = min(old.count, new.count)
    let head = (0..<count).first { !isSame(old[$0], new[$0]) } ?? count
    let tail =
      (0..<(count - head)).first { !isSame(old[old.count - 1 - $0], new[new.count - 1 - $0]) }
      ?? count - head
    let before = max(0, head - Self.context)
    let behind = max(0, tail - Self.context)
    func part(_ lines: [Substring]) -> String {
      Self.bounded(lines.dropFirst(before).dropLast(behind).joined(separator: "\n"))
    }
    self.expected = part(old)
    self.actual = part(new)
    self.line = line + before
  }

  private static func lines(of text: String) -> [Substring] {
    var lines = TextLines.split(text)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The beginning of a text; a mark says where it was cut.
  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end]) + "…"
  }
}
