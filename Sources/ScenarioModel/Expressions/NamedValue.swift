internal import Foundations

/// `${vars.who}` or `$vars.who`, the syntax in which shells, JavaScript and other tools name a value.
///
/// Here that is text: the name is never replaced, and a comparison with it fails, or holds, for ever.
package struct NamedValue: Hashable {
  /// The whole of it, as it is written.
  package let text: String
  /// The expression that is most likely meant: `vars.who`, and only that where what stands behind it is none.
  package let expression: String
  /// Whether the whole is an expression of this language, so that nothing of it would be lost.
  package let isExpression: Bool
  /// The name in front of the dot.
  package let root: String
  /// The name behind the dot.
  package let name: String
  /// True with braces, without which a shell reads the same text as its own variable, and a dot behind it.
  package let isBraced: Bool
  /// The number of scalars in front of it.
  package let offset: Int

  /// The longest rest of an expression that is looked for behind a name, in characters.
  private static let lengthLimit = 500

  /// Returns those in a text that stand outside its expressions; none in one with a back quote, which may be a template
  /// of JavaScript, and none behind an expression with a mistake, which is told.
  package static func all(in text: String) -> [NamedValue] {
    guard text.utf8.contains(UInt8(ascii: "$")), !text.utf8.contains(UInt8(ascii: "`")) else {
      return []
    }
    let scalars = Array(text.unicodeScalars)
    var values: [NamedValue] = []
    var position = 0
    while position < scalars.count {
      let isEscaped =
        position > 0 && (scalars[position - 1] == "$" || scalars[position - 1] == "\\")
      guard scalars[position] == "$", !isEscaped else {
        position += 1
        continue
      }
      if scalars[position...].starts(with: "${{".unicodeScalars) {
        guard let end = ExpressionParser.end(in: scalars, from: position, behind: position + 3)
        else { return values }
        position = end
      } else if let value = NamedValue(in: scalars, at: position) {
        values.append(value)
        position += value.text.unicodeScalars.count
      } else {
        position += 1
      }
    }
    return values
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
    guard !name.isEmpty, ForeignTemplate.roots.contains(root) else { return nil }
    var end = nameScalars.endIndex
    var expression = "\(root).\(name)"
    if isBraced {
      let inner = scalars[end...].prefix(Self.lengthLimit).prefix { $0 != "\n" && $0 != "}" }
      guard inner.endIndex < scalars.count, scalars[inner.endIndex] == "}" else { return nil }
      expression += Self.text(inner)
      while expression.last == " " { expression.removeLast() }
      end = inner.endIndex + 1
    }
    let whole = Array("${{ \(expression) }}".unicodeScalars)
    isExpression = ExpressionParser.end(in: whole, from: 0, behind: 3) == whole.count
    self.expression = isExpression ? expression : "\(root).\(name)"
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

extension ExpressionParser {
  /// Returns the place behind an expression and its braces; `nil` if there is none.
  fileprivate static func end(
    in scalars: [Unicode.Scalar], from start: Int, behind opening: Int
  ) -> Int? {
    let places = TextPlaces("", at: SourceRange(file: "", line: 1, column: 1))
    var parser = ExpressionParser(
      scalars: scalars, from: start, behind: opening, places: places)
    return (try? parser.parse()).map { _ in parser.end }
  }
}
