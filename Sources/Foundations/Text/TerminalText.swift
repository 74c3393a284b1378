/// Makes text of the target, or of a scenario file, safe to show on a terminal.
package enum TerminalText {
  /// Text of several lines: line breaks and tabs stay, every other control character becomes visible.
  package static func lines(_ text: String) -> String {
    escaped(text, keepsLineBreaks: true)
  }

  /// Text that must stay on one line.
  package static func line(_ text: String) -> String {
    escaped(text, keepsLineBreaks: false)
  }

  /// Returns an escape for a character that must not be written itself, such as `\x{1B}`.
  ///
  /// Unlike leaving the character out, this keeps the evidence.
  package static func visible(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return digits.count < 2 ? "\\x{0\(digits)}" : "\\x{\(digits)}"
  }

  /// Control characters but the tab, and the invisible ones that change the order in which text is shown.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x200E, 0x200F, 0x061C, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escaped(_ text: String, keepsLineBreaks: Bool) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if !isUnsafe(scalar) {
        result.unicodeScalars.append(scalar)
      } else if scalar == "\n" {
        result += keepsLineBreaks ? "\n" : "\\n"
      } else if scalar == "\r", scalars.first == "\n", keepsLineBreaks {
        continue
      } else {
        result += visible(scalar)
      }
    }
    return result
  }
}
