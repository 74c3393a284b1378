extension TerminalText {
  /// The number of terminal columns of a character: 0 for a mark that sits on the one before, else 1 or 2.
  package static func width(of scalar: Unicode.Scalar) -> Int { DisplayWidth.of(scalar) }

  /// The number of terminal columns of a text without control characters.
  package static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + DisplayWidth.of($1) }
  }

  /// Returns the beginning of a text that takes at most `width` columns; `…` replaces the part that
  /// is cut off.
  package static func cut(_ text: String, toWidth width: Int) -> String {
    guard self.width(of: text) > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var used = 0
    for scalar in text.unicodeScalars {
      let step = DisplayWidth.of(scalar)
      guard used + step < width else { break }
      used += step
      result.unicodeScalars.append(scalar)
    }
    return result + "…"
  }
}
