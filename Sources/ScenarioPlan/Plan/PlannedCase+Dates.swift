package import Foundations

extension PlannedCase {
  /// The case as one of several that differ by their dates.
  package func dated(_ date: WallInstant) -> PlannedCase {
    var dated = self
    dated.identifier += Self.mark(date)
    dated.name += Self.mark(date)
    dated.date = date
    return dated
  }

  /// The identifier of the case at whatever date.
  package var undatedIdentifier: String { undated(identifier) }

  /// The name of the case at whatever date.
  package var undatedName: String { undated(name) }

  private func undated(_ text: String) -> String {
    guard let date, let mark = text.firstRange(of: Self.mark(date)) else { return text }
    return text.replacingCharacters(in: mark, with: "")
  }

  private static func mark(_ date: WallInstant) -> String { " @\(date)" }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    var copy = self
    copy.replaceSubrange(range, with: text)
    return copy
  }
}
