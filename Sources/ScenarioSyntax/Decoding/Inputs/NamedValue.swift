internal import Foundations

/// `${vars.who}` or `$vars.who`, the syntax in which shells, JavaScript and other tools name a value.
///
/// Here that is text: the name is never replaced, and a comparison with it fails, or holds, for ever.
struct NamedValue {
  /// The whole of it, as it is written.
  var text: String
  /// The expression that is most likely meant: `vars.who`.
  var expression: String
  /// The name in front of the dot.
  var root: String
  /// The name behind the dot.
  var name: String
  /// True with braces, without which a shell reads the same text as its own variable, and a dot behind it.
  var isBraced: Bool
  /// The number of scalars in front of it.
  var offset: Int

  /// Names with which expressions begin that a file defines by a key of its own, by that key.
  static let roots = [
    "build": "build", "capture": "capture", "matrix": "matrix", "params": "with",
    "secrets": "secrets", "vars": "vars",
  ]

  /// Returns those in a text; none in one with a back quote, which may be a template of JavaScript.
  static func all(in text: String) -> [NamedValue] {
    guard text.utf8.contains(UInt8(ascii: "$")), !text.utf8.contains(UInt8(ascii: "`")) else {
      return []
    }
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.compactMap { start in
      let isEscaped = start > 0 && (scalars[start - 1] == "$" || scalars[start - 1] == "\\")
      return scalars[start] == "$" && !isEscaped ? NamedValue(in: scalars, at: start) : nil
    }
  }

  private init?(in scalars: [Unicode.Scalar], at start: Int) {
    var position = start + 1
    isBraced = position < scalars.count && scalars[position] == "{"
    if isBraced {
      position += 1
      while position < scalars.count, scalars[position] == " " { position += 1 }
    }
    let rest = scalars[position...]
    let rootScalars = rest.prefix(while: Self.isLetter)
    let behind = rest[rootScalars.endIndex...]
    guard behind.first == "." else { return nil }
    let nameScalars = behind.dropFirst().prefix(while: Self.isLetter)
    root = Self.text(rootScalars)
    name = Self.text(nameScalars)
    guard !name.isEmpty, Self.roots.values.contains(root) else { return nil }
    var end = nameScalars.endIndex
    expression = "\(root).\(name)"
    if isBraced {
      let line = scalars[end...].prefix { $0 != "\n" }
      guard let close = line.firstIndex(of: "}") else { return nil }
      expression += Self.text(scalars[end..<close])
      while expression.last == " " { expression.removeLast() }
      end = close + 1
    }
    text = Self.text(scalars[start..<end])
    offset = start
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
