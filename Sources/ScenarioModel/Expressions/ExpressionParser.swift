/// Reads one expression from behind `${{` up to its `}}`.
struct ExpressionParser {
  /// How deep calls may stand inside calls.
  static let maximumDepth = 32

  private static let help =
    "an expression is a path (user.tags[0]), a value ('text', 3, true) or a call (lower(name))"

  private let scalars: [Unicode.Scalar]
  private let places: TextPlaces
  private let start: Int
  private var position: Int
  private var depth = 0

  /// `start` is where the `${{` stands, `behind` the first scalar after it.
  init(scalars: [Unicode.Scalar], from start: Int, behind: Int, places: TextPlaces) {
    self.scalars = scalars
    self.start = start
    self.places = places
    position = behind
  }

  /// The first scalar behind the `}}`, once parsed.
  var end: Int { position }

  mutating func parse() throws(Diagnostic) -> Expression {
    skipSpace()
    if startsClosing {
      throw Diagnostic(
        "the expression is empty", at: places.range(at: start, length: position + 2 - start),
        help: Self.help)
    }
    let expression = try parseExpression()
    skipSpace()
    guard startsClosing else {
      guard position < scalars.count else { throw unclosed }
      throw unexpected(help: helpWithDash(behind: expression) ?? Self.help)
    }
    position += 2
    return expression
  }

  // MARK: - Grammar

  private mutating func parseExpression() throws(Diagnostic) -> Expression {
    guard let scalar = current else { throw unclosed }
    if scalar == "'" { return .literal(.string(try parseQuoted())) }
    if isDigit(scalar) || scalar == "-" { return try parseNumber() }
    guard isNameStart(scalar) else { throw unexpected() }
    let name = takeName()
    switch name.value {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default: break
    }
    skipSpace()
    if take("(") { return .call(function: name, arguments: try parseArguments(of: name)) }
    return .path(root: name, steps: try parseSteps())
  }

  private mutating func parseArguments(
    of function: Located<String>
  ) throws(Diagnostic) -> [Expression] {
    guard depth < Self.maximumDepth else {
      throw Diagnostic(
        "calls nest deeper than \(Self.maximumDepth)", at: function.range,
        help: "build the value in several steps")
    }
    depth += 1
    defer { depth -= 1 }
    var arguments: [Expression] = []
    skipSpace()
    if take(")") { return [] }
    while true {
      skipSpace()
      arguments.append(try parseExpression())
      skipSpace()
      if take(")") { return arguments }
      guard take(",") else { throw position < scalars.count ? unexpected() : unclosed }
    }
  }

  private mutating func parseSteps() throws(Diagnostic) -> [PathStep] {
    var steps: [PathStep] = []
    while true {
      skipSpace()
      if take(".") {
        skipSpace()
        guard let scalar = current else { throw unclosed }
        guard isNameStart(scalar) else {
          throw unexpected(help: "write a place in a list as [0], and other keys as ['a-b']")
        }
        steps.append(.key(takeName().value))
      } else if take("[") {
        skipSpace()
        steps.append(try parseSubscript())
        skipSpace()
        guard take("]") else { throw position < scalars.count ? unexpected() : unclosed }
      } else {
        return steps
      }
    }
  }

  private mutating func parseSubscript() throws(Diagnostic) -> PathStep {
    guard let scalar = current else { throw unclosed }
    if scalar == "'" { return .key(try parseQuoted()) }
    let from = position
    while let digit = current, isDigit(digit) { position += 1 }
    guard position > from else {
      throw unexpected(help: "write a place in a list as [0], and a key as ['a-b']")
    }
    let text = string(from: from)
    guard let index = Int(text) else {
      throw Diagnostic(
        "the place \"\(text)\" is too large", at: places.range(at: from, length: position - from),
        help: "places in a list count from 0")
    }
    return .index(index)
  }

  private mutating func parseNumber() throws(Diagnostic) -> Expression {
    let from = position
    var scanner = position
    while scanner < scalars.count, isNumberPart(at: scanner, from: from) { scanner += 1 }
    position = scanner
    let text = string(from: from)
    do throws(JSONParseError) {
      return .literal(try JSONText.parse(text))
    } catch {
      throw Diagnostic(
        "\"\(text)\" is not a number", at: places.range(at: from, length: position - from),
        help: "write numbers as JSON does: 3, -1.5, 1e9")
    }
  }

  /// `'text'`, where two quotes in a row are one.
  private mutating func parseQuoted() throws(Diagnostic) -> String {
    let from = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = current {
      position += 1
      guard scalar == "'" else {
        text.append(scalar)
        continue
      }
      guard take("'") else { return String(text) }
      text.append("'")
    }
    throw Diagnostic(
      "the text in the expression has no closing quote",
      at: places.range(at: from, length: 1),
      help: "end the text with ', and write a ' inside it twice")
  }

  // MARK: - Scalars

  private var current: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private var startsClosing: Bool {
    position + 1 < scalars.count && scalars[position] == "}" && scalars[position + 1] == "}"
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let scalar = current, scalar == " " || scalar == "\t" || scalar == "\n" { position += 1 }
  }

  private mutating func takeName() -> Located<String> {
    let from = position
    while let scalar = current, isNameStart(scalar) || isDigit(scalar) { position += 1 }
    return Located(string(from: from), at: places.range(at: from, length: position - from))
  }

  private func string(from start: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<position])
    return String(view)
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  private func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  /// Whether a scalar goes on with a number; what is no number is told by the number's parser.
  private func isNumberPart(at index: Int, from start: Int) -> Bool {
    let scalar = scalars[index]
    if isDigit(scalar) || isNameStart(scalar) || scalar == "." { return true }
    let previous = index > start ? scalars[index - 1] : nil
    return scalar == "-" && index == start
      || (scalar == "-" || scalar == "+") && (previous == "e" || previous == "E")
  }

  private func closes(behind index: Int) -> Bool {
    zip(scalars[index...], scalars[index...].dropFirst()).contains { $0 == "}" && $1 == "}" }
  }

  // MARK: - Failures

  private var unclosed: Diagnostic {
    Diagnostic(
      "the expression has no closing \"}}\"", at: places.range(at: start, length: 3),
      help: "end the expression with \"}}\", or write \"$${{\" for a plain \"${{\"")
  }

  /// What to write where a key such as a header's name goes on with a "-".
  private func helpWithDash(behind expression: Expression) -> String? {
    guard current == "-", case .path(let root, let steps) = expression,
      case .key(let key)? = steps.last, position > key.unicodeScalars.count
    else { return nil }
    let start = position - key.unicodeScalars.count
    var end = position
    while end < scalars.count,
      isNameStart(scalars[end]) || isDigit(scalars[end]) || scalars[end] == "-"
    {
      end += 1
    }
    guard scalars[start - 1] == ".", steps.count == 1 || steps.count == 2,
      String(String.UnicodeScalarView(scalars[start..<position])) == key
    else { return nil }
    let name = String(String.UnicodeScalarView(scalars[start..<end]))
    let before = steps.dropLast().compactMap { step in
      if case .key(let key) = step { ".\(key)" } else { nil }
    }
    guard before.count == steps.count - 1 else { return nil }
    return "write a key with a \"-\" in it in brackets: \(root.value)\(before.joined())['\(name)']"
  }

  private func unexpected(help: String = Self.help) -> Diagnostic {
    guard let scalar = current, closes(behind: position) else { return unclosed }
    let shown = scalar.value < 0x20 ? "a control character" : "\"\(scalar)\""
    return Diagnostic(
      "unexpected \(shown) in an expression", at: places.range(at: position, length: 1),
      help: help)
  }
}
