extension RegularExpression {
  /// True if the expression is found in every text, as far as unlikely samples show.
  ///
  /// An expression that needs no character is found at the beginning of any text, unless it has an
  /// anchor: that shows in texts of all sorts.
  package var isFoundEverywhere: Bool {
    guard isFound(in: "") else { return false }
    let places = ["^", "$", "\\", "(?"]
    guard places.contains(where: { text.contains($0) }) else { return true }
    return Self.samples.allSatisfy { isFound(in: $0) }
  }

  private static let samples: [String] = {
    let characters = String(String.UnicodeScalarView((0x20...0x7E).map { Unicode.Scalar($0) }))
    let controls = "\u{0}\u{1}\t\u{1B}[0m\r\n\n \u{7F}"
    return [
      characters, controls, "é€😀\u{301}", "a", "7", " ", "-", "ab\ncd\n", "\n",
      String(repeating: characters + "\n", count: 50),
    ]
  }()
}
