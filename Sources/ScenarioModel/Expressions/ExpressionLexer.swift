internal import Foundations

/// Cuts the text of an expression into tokens, one at a time.
///
/// It does not know where the expression ends: `}` may close a map of it.
struct ExpressionLexer {
  /// The kind of a token.
  enum Kind: Equatable {
    case name(String)
    case literal(Value)
    case symbol(String)
    /// A scalar that begins nothing.
    case unexpected
    /// The text is over.
    case end
  }

  /// One token, with the range of its scalars.
  struct Token {
    var kind: Kind
    var start: Int
    var end: Int
  }

  private static let symbols = [
    "??", "?.", "?[", "||", "&&", "==", "=>", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%",
    "!",
    ".",
    ",", "(", ")", "[", "]", "{", "}", ":",
  ].map { (text: $0, scalars: Array($0.unicodeScalars)) }

  let scalars: [Unicode.Scalar]
  private let places: TextPlaces
  private(set) var position: Int

  /// `start` is the first scalar behind the `${{`.
  init(scalars: [Unicode.Scalar], from start: Int, places: TextPlaces) {
    self.scalars = scalars
    self.places = places
    position = start
  }

  /// Moves behind a token.
  mutating func advance(behind token: Token) { position = token.end }

  /// The next token, which stays the next until `advance`.
  func peek() throws(Diagnostic) -> Token {
    var start = position
    while start < scalars.count, [" ", "\t", "\n", "\r"].contains(scalars[start]) { start += 1 }
    guard start < scalars.count else { return Token(kind: .end, start: start, end: start) }
    let scalar = scalars[start]
    if scalar == "'" { return try singleQuoted(from: start) }
    if scalar == "\"" { return try doubleQuoted(from: start) }
    if Self.isDigit(scalar) { return try number(from: start) }
    if Self.isNameStart(scalar) {
      var end = start
      while end < scalars.count, Self.isNamePart(scalars[end]) { end += 1 }
      return Token(kind: .name(text(start..<end)), start: start, end: end)
    }
    for symbol in Self.symbols where starts(with: symbol.scalars, at: start) {
      return Token(
        kind: .symbol(symbol.text), start: start, end: start + symbol.scalars.count)
    }
    return Token(kind: .unexpected, start: start, end: start + 1)
  }

  /// Returns whether the `}}` that ends an expression begins at a token.
  func closes(at token: Token) -> Bool { starts(with: ["}", "}"], at: token.start) }

  /// Returns whether a `}}` occurs from a place on.
  func closes(behind index: Int) -> Bool {
    zip(scalars[index...], scalars[index...].dropFirst()).contains { $0 == "}" && $1 == "}" }
  }

  func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  // MARK: - Literals

  private func number(from start: Int) throws(Diagnostic) -> Token {
    var end = start
    while end < scalars.count, continuesNumber(at: end, from: start) { end += 1 }
    let text = text(start..<end)
    let range = places.range(at: start, length: end - start)
    guard let value = try? JSONText.parse(text) else {
      throw Diagnostic(
        "\"\(text)\" is not a number", code: .badExpression, at: range,
        help: "write numbers as JSON does: 3, -1.5, 1e9")
    }
    // With its minus one more than the greatest whole number is the least one.
    let isLeast = text == "9223372036854775808" && scalars[..<start].last { $0 != " " } == "-"
    if case .number = value, !isLeast, text.allSatisfy(\.isNumber) {
      throw Diagnostic(
        "the number \(text) is out of range", code: .outOfRange, at: range,
        help:
          "write a whole number from \(Int64.min) to \(Int64.max), or \(text).0 for a floating point number"
      )
    }
    return Token(kind: .literal(value), start: start, end: end)
  }

  /// Returns whether a scalar continues a number; a malformed number is reported by the number's
  /// parser.
  private func continuesNumber(at index: Int, from start: Int) -> Bool {
    let scalar = scalars[index]
    if Self.isNamePart(scalar) || scalar == "." { return true }
    let previous = index > start ? scalars[index - 1] : nil
    return (scalar == "-" || scalar == "+") && (previous == "e" || previous == "E")
  }

  /// `'text'`, where two quotes in a row are one.
  private func singleQuoted(from start: Int) throws(Diagnostic) -> Token {
    var index = start + 1
    var text = String.UnicodeScalarView()
    while index < scalars.count {
      if scalars[index] == "'" {
        guard index + 1 < scalars.count, scalars[index + 1] == "'" else {
          return Token(kind: .literal(.string(String(text))), start: start, end: index + 1)
        }
        index += 1
      }
      text.append(scalars[index])
      index += 1
    }
    throw openText(from: start, help: "end the text with ', and write a ' inside it twice")
  }

  /// `"text"` with the escapes of JSON.
  private func doubleQuoted(from start: Int) throws(Diagnostic) -> Token {
    var index = start + 1
    while index < scalars.count, scalars[index] != "\"" {
      index += scalars[index] == "\\" ? 2 : 1
    }
    guard index < scalars.count else {
      throw openText(from: start, help: "end the text with \", and write a \" inside it as \\\"")
    }
    let text = text(start..<(index + 1))
    do throws(JSONParseError) {
      return Token(kind: .literal(try JSONText.parse(text)), start: start, end: index + 1)
    } catch {
      throw Diagnostic(
        "\(text) is not a valid text: \(error.message)",
        code: .badExpression, at: places.range(at: start, length: index + 1 - start),
        help: "write escapes as JSON does (\\n, \\\", \\\\), or use single quotes, which have none")
    }
  }

  private func openText(from start: Int, help: String) -> Diagnostic {
    Diagnostic(
      "the text in the expression has no closing quote", code: .badExpression,
      at: places.range(at: start, length: 1),
      help: help)
  }

  // MARK: - Scalars

  private func starts(with prefix: [Unicode.Scalar], at index: Int) -> Bool {
    index + prefix.count <= scalars.count
      && scalars[index..<(index + prefix.count)].elementsEqual(prefix)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || isDigit(scalar)
  }
}
