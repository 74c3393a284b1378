/// A word as a shell reads it back.
package enum ShellWord {
  /// The word as it is where nothing in it means anything to a shell, else within single quotes.
  ///
  /// A character that cannot be shown on one line is written by its number, as the shells but the plainest read it
  /// (`$'…'`, in POSIX since 2024).
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        true
      default:
        "/._-:+,@%=".utf8.contains(byte)
      }
    }
    if word.unicodeScalars.contains(where: mustBeNumbered) { return numbered(word) }
    guard !isPlain || word.isEmpty else { return word }
    let inner = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(inner.joined(separator: "'\\''"))'"
  }

  private static func mustBeNumbered(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || TerminalText.line(String(scalar)) != String(scalar)
  }

  private static func numbered(_ word: String) -> String {
    var text = "$'"
    for scalar in word.unicodeScalars {
      switch scalar {
      case "'", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where mustBeNumbered(scalar):
        for byte in String(scalar).utf8 {
          // Three octal digits always: what follows cannot become a part of the number.
          let digits = String(byte, radix: 8)
          text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}
