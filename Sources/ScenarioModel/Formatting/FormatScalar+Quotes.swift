extension FormatScalar {
  /// The scalar in one line: without quotes where it means the same, else in single quotes, else in double ones.
  var oneLine: String {
    if style == .plain, lines.count == 1 { return lines[0] }
    if hasTag, lines.count == 1, !isBlock { return lines[0] }
    if !hasTag, Self.needsNoQuotes(text) { return text }
    let isPrintable = text.unicodeScalars.allSatisfy(YAMLQuoting.isPrintable)
    let hasApostrophe = text.contains("'")
    if isPrintable, !hasApostrophe { return "'\(text)'" }
    if isPrintable, text.contains("\"") || text.contains("\\") {
      return "'\(text.replacing("'", with: "''"))'"
    }
    // What its author escaped stays as it is.
    if style == .doubleQuoted, lines.count == 1 { return lines[0] }
    return YAMLQuoting.quoted(text)
  }

  /// Whether a text is the same without quotes, here and for readers of YAML 1.1, in blocks and in flow.
  static func needsNoQuotes(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic || first == "_" || first == "/", last != " "
    else { return false }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0123456789_ ./+-".unicodeScalars.contains(scalar)
    }
    let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
    return isPlain && !words.contains(text.lowercased())
      && YAMLScalar(text: text, style: .plain).meaning == .text
  }
}
