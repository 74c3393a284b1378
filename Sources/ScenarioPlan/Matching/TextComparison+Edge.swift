internal import Foundations
internal import Patterns

extension TextComparison {
  /// The maximum number of bytes that are read for what was expected of a text's beginning or end.
  private static let edgeLength = 16 << 10
  /// The number of bytes that are read beyond that.
  private static let lengthBeyondEdge = 200

  /// Compares what a text should begin or end with to the lines that are there; `nil` for an empty text or one that
  /// cannot be read.
  init?(of part: String, at edge: PlannedMatcher.Edge, of text: some LongText) {
    let feed = UInt8(ascii: "\n")
    let count = min(text.count, min(part.utf8.count, Self.edgeLength) + Self.lengthBeyondEdge)
    let range = edge == .start ? 0..<count : (text.count - count)..<text.count
    guard count > 0, let bytes = try? text.read(range) else { return nil }
    var lines = bytes.split(separator: feed, omittingEmptySubsequences: false)
    if edge == .end, bytes.last == feed { lines.removeLast() }
    let wantedCount = TextLines.split(part.withoutFinalNewline).count
    let isCut = range.count < text.count && lines.count <= wantedCount
    func joined(_ lines: ArraySlice<ArraySlice<UInt8>>) -> String {
      String(decoding: Array(lines.joined(separator: [feed])), as: UTF8.self)
    }
    switch edge {
    case .start:
      let shown = joined(lines.prefix(wantedCount)) + (isCut ? "…" : "")
      self.init(expected: part, actual: shown, relation: .start)
    case .end:
      let shown = (isCut ? "…" : "") + joined(lines.suffix(wantedCount))
      guard let before = try? NearestLine.lineCount(0..<range.lowerBound, of: text) else {
        return nil
      }
      let line = before + max(0, lines.count - wantedCount) + 1
      self.init(expected: part, actual: shown, line: line, relation: .end)
    }
  }
}
