/// The quoted forms of text that is not allowed plain in YAML.
package enum YAMLQuoting {
  /// Text in double quotes, with everything escaped that a reader would refuse, take for a line's end or
  /// leave out (YAML 1.2.2, 5.1 and 5.7).
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16)
          let width = scalar.value > 0xffff ? 8 : 4
          result += width == 8 ? "\\U" : "\\u"
          result += String(repeating: "0", count: width - digits.count) + digits
        }
      }
    }
    return result + "\""
  }

  /// Text of several lines as a literal block, whose lines have this indentation; `nil` where that would
  /// change it.
  ///
  /// - Parameter line: What a line is written as.
  package static func block(
    _ text: String, indentation: Int, line: (String) -> String = { $0 }
  ) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, let first = lines.first?.unicodeScalars.first, first != " ",
      first != "\t", !text.hasSuffix("\n\n"),
      text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isPrintable($0) })
    else { return nil }
    let ends = text.hasSuffix("\n")
    if ends { lines.removeLast() }
    let margin = String(repeating: " ", count: indentation)
    return (ends ? "|" : "|-")
      + lines.map { $0.isEmpty ? "\n" : "\n\(margin)\(line(String($0)))" }.joined()
  }

  /// Words that plain YAML would not take as text, or that YAML 1.1 did not.
  private static let reserved: Set<String> = [
    "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]

  /// Returns whether a text means the same without quotes, here and for readers of YAML 1.1, in blocks and in flow.
  ///
  /// - Parameters:
  ///   - begins: What it may begin with beside letters.
  ///   - marks: What may follow beside letters and digits; what ends text in flow must not be among it there.
  ///   - isASCII: Whether letters of other scripts need quotes.
  package static func isPlain(
    _ text: String, beginning begins: String = "_/", marks: String = " _./+-", isASCII: Bool = false
  ) -> Bool {
    func isLetter(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic && (scalar.isASCII || !isASCII)
    }
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      isLetter(first) || begins.unicodeScalars.contains(first), last != " ", last != ":",
      !reserved.contains(text.lowercased()), !text.contains(": "), !text.contains(" #")
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      isLetter(scalar) || ("0"..."9").contains(scalar) || marks.unicodeScalars.contains(scalar)
    } && YAMLScalar(text: text, style: .plain).meaning == .text
  }

  /// Returns whether a word, such as a key, needs no quotes at any place.
  package static func isPlainWord(_ word: String, isASCII: Bool = false) -> Bool {
    isPlain(word, beginning: "_$", marks: "_-./$", isASCII: isASCII)
  }

  /// Returns whether a character is U+0085, U+2028 or U+2029, which end a line in YAML 1.1, and are
  /// letters like any others in YAML 1.2 (section 5.4).
  package static func isFormerBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Returns whether a character is allowed in YAML without an escape at any place: neither a
  /// control character, nor a mark of byte order, nor one that ends lines for some readers or has
  /// them shown in another order.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    // Letters that reverse the order of others are invisible.
    guard !TerminalText.isUnsafe(scalar) else { return false }
    return switch scalar.value {
    case 0x20...0x7e, 0xa0...0x2027, 0x202a...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd,
      0x1_0000...:
      true
    default: false
    }
  }
}
