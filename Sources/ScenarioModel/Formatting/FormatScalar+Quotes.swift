extension FormatScalar {
  /// The scalar in one line: without quotes where it means the same, else in single quotes, else in double ones.
  var oneLine: String {
    if style == .plain, lines.count == 1 { return lines[0] }
    if hasTag, lines.count == 1, !isBlock { return lines[0] }
    if !hasTag, Self.needsNoQuotes(text) { return text }
    let isPrintable = text.unicodeScalars.allSatisfy(Self.isPrintable)
    let hasApostrophe = text.contains("'")
    if isPrintable, !hasApostrophe { return "'\(text)'" }
    if isPrintable, text.contains("\"") || text.contains("\\") {
      return "'\(text.replacing("'", with: "''"))'"
    }
    // What its author escaped stays as it is.
    if style == .doubleQuoted, lines.count == 1 { return lines[0] }
    return Self.doubleQuoted(text)
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

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default:
        if isPrintable(scalar) {
          quoted.unicodeScalars.append(scalar)
        } else {
          quoted += "\\u" + String(scalar.value, radix: 16, uppercase: true).padded(to: 4)
        }
      }
    }
    return quoted + "\""
  }
}
