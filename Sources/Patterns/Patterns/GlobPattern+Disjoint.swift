extension GlobPattern {
  /// Returns whether no text matches both, by their beginnings and ends.
  package func isDisjoint(from other: GlobPattern) -> Bool {
    let (own, others) = (Self.ends(of: text), Self.ends(of: other.text))
    guard let own, let others else { return false }
    if own.isWhole && others.isWhole { return own.head != others.head }
    if own.isWhole { return !(CompiledGlob(other.text)?.matches(own.head) ?? true) }
    if others.isWhole { return !(CompiledGlob(text)?.matches(others.head) ?? true) }
    let headsAgree = own.head.hasPrefix(others.head) || others.head.hasPrefix(own.head)
    let tailsAgree = own.tail.hasSuffix(others.tail) || others.tail.hasSuffix(own.tail)
    return !headsAgree || !tailsAgree
  }

  /// Returns the text before the first wildcard and behind the last one; `nil` where a backslash
  /// hides which characters are wildcards.
  private static func ends(
    of text: String
  ) -> (head: String, tail: String, isWhole: Bool)? {
    guard !text.contains("\\") else { return nil }
    let marks: Set<Character> = ["*", "?", "["]
    guard let first = text.firstIndex(where: marks.contains) else { return (text, text, true) }
    // What is in brackets ends with one.
    let ends = marks.union(["]"])
    let last = text.lastIndex(where: ends.contains) ?? first
    var tail = text[text.index(after: last)...]
    // `**/` stands for no folder as well.
    if text[...last].hasSuffix("**"), tail.hasPrefix("/") { tail = tail.dropFirst() }
    return (String(text[..<first]), String(tail), false)
  }
}
