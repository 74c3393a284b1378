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

  /// The name of a case and its date, of the name that it has among several that differ by their dates; `nil` if it is none.
  package static func split(datedName name: String) -> (name: String, date: WallInstant)? {
    guard let mark = name.lastIndex(of: "@"), name[..<mark].hasSuffix(" "),
      let date = try? WallInstant(text: String(name[name.index(after: mark)...])),
      name[name.index(before: mark)...] == Self.mark(date)
    else { return nil }
    return (String(name[..<name.index(before: mark)]), date)
  }

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
