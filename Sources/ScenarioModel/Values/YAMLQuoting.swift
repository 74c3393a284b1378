/// Text as YAML has it where it cannot stand as it is.
public enum YAMLQuoting {
  /// Text in double quotes, with everything escaped that a reader would refuse, take for a line's end or
  /// leave out (YAML 1.2.2, 5.1 and 5.7).
  public static func quoted(_ text: String) -> String {
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
  public static func block(
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

  /// Whether a character can stand in YAML as it is, wherever it stands: neither a control character, nor a
  /// mark of byte order, nor one that ends lines for some readers.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7e, 0xa0...0x2027, 0x202a...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd,
      0x1_0000...:
      true
    default: false
    }
  }
}
