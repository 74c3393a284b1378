extension FormatScalar {
  /// The scalar in one line: without quotes where it means the same, else in single quotes, else in double ones.
  var oneLine: String {
    if style == .plain, lines.count == 1 { return lines[0] }
    if hasTag, lines.count == 1, !isBlock { return lines[0] }
    if !hasTag, YAMLQuoting.isPlain(text) { return text }
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
}
