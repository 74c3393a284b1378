internal import Foundations

extension FormatScalar {
  /// The scalar in one line: without quotes where it means the same, else in single quotes, else in double ones.
  var oneLine: String {
    if style == .plain, lines.count == 1 { return lines[0] }
    if hasTag, lines.count == 1, !isBlock { return lines[0] }
    if !hasTag, YAMLQuoting.isPlain(text) { return text }
    if style == .doubleQuoted, lines.count == 1, hidesLetters(of: lines[0]) { return lines[0] }
    let isPrintable = text.unicodeScalars.allSatisfy(YAMLQuoting.isPrintable)
    let hasApostrophe = text.contains("'")
    if isPrintable, !hasApostrophe { return "'\(text)'" }
    if isPrintable, text.contains("\"") || text.contains("\\") {
      return "'\(text.replacing("'", with: "''"))'"
    }
    // Letters that end lines in YAML 1.1 alone stay as they are.
    let isKept = text.unicodeScalars.allSatisfy {
      YAMLQuoting.isPrintable($0) || YAMLQuoting.isFormerBreak($0)
    }
    if style != .doubleQuoted, !isPrintable, isKept {
      return "'\(text.replacing("'", with: "''"))'"
    }
    // What its author escaped stays as it is.
    if style == .doubleQuoted, lines.count == 1 { return lines[0] }
    return YAMLQuoting.quoted(text)
  }

  /// Returns whether a line has escapes for invisible letters.
  private func hidesLetters(of line: String) -> Bool {
    let unseen = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .format, .unassigned, .privateUse: true
      case .spaceSeparator: scalar != " "
      default: false
      }
    }
    return !unseen.isEmpty && !line.unicodeScalars.contains { unseen.contains($0) }
  }
}
