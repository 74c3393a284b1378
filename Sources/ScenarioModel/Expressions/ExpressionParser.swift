internal import Foundations

/// Reads one expression from behind `${{` up to its `}}`, operators by their precedence.
struct ExpressionParser {
  /// The largest depth of parts of an expression inside others.
  static let maximumDepth = 32
  /// The largest number of operators, calls and steps in an expression.
  static let maximumParts = 200

  private var lexer: ExpressionLexer
  private let places: TextPlaces
  private let mistakes: ExpressionMistakes
  private var depth = 0
  private var parts = 0

  /// - Parameters:
  ///   - start: where the `${{` stands.
  ///   - behind: the first scalar after it.
  ///   - explains: false where nobody reads what is wrong.
  init(
    scalars: [Unicode.Scalar], from start: Int, behind: Int, places: TextPlaces,
    explains: Bool = true
  ) {
    lexer = ExpressionLexer(scalars: scalars, from: behind, places: places)
    self.places = places
    mistakes = ExpressionMistakes(
      places: places, start: start, behind: behind, explains: explains)
  }

  /// The expression that a text is as a whole; `nil` if it is none.
  static func expression(in text: String) -> Expression? {
    let scalars = Array("\(text)}}".unicodeScalars)
    let places = TextPlaces("", at: SourceRange(file: "", line: 1, column: 1))
    var parser = ExpressionParser(
      scalars: scalars, from: 0, behind: 0, places: places, explains: false)
    guard let expression = try? parser.parse(), parser.end == scalars.count else { return nil }
    return expression
  }

  /// The first scalar behind the `}}`, once parsed.
  var end: Int { lexer.position }

  mutating func parse() throws(Diagnostic) -> Expression {
    let first = try lexer.peek()
    if lexer.closes(at: first) {
      throw mistakes.empty(until: first)
    }
    let expression = try parse(from: 0)
    var last = try lexer.peek()
    guard lexer.closes(at: last) else {
      throw mistakes.unexpected(last, behind: expression, lexer)
    }
    last.end = last.start + 2
    lexer.advance(behind: last)
    return expression
  }

  // MARK: - Operators

  /// Reads operands and the operators between them that bind at least so strongly.
  private mutating func parse(from precedence: Int) throws(Diagnostic) -> Expression {
    try deepen()
    defer { depth -= 1 }
    var left = try parseUnary()
    var previous: BinaryOperator?
    while let sign = try binaryOperator(behind: left), sign.value.precedence >= precedence {
      if let previous, previous.precedence == sign.value.precedence, sign.value.standsAlone {
        throw Diagnostic(
          "\"\(sign.value.rawValue)\" cannot follow \"\(previous.rawValue)\"", code: .badExpression,
          at: sign.range,
          help: "join comparisons with &&, as in a < b && b < c")
      }
      lexer.advance(behind: try lexer.peek())
      try count(at: sign.range)
      let right = try parse(from: sign.value.precedence + 1)
      left = .binary(sign, left, right)
      previous = sign.value
    }
    return left
  }

  private func binaryOperator(
    behind left: Expression
  ) throws(Diagnostic) -> Located<BinaryOperator>? {
    let token = try lexer.peek()
    let text: String
    switch token.kind {
    case .symbol(let symbol): text = symbol
    case .name("in"): text = "in"
    default: return nil
    }
    guard let sign = BinaryOperator(rawValue: text) else { return nil }
    if sign == .minus, let mistake = mistakes.dash(token, behind: left, lexer) { throw mistake }
    return Located(sign, at: range(of: token))
  }

  private mutating func parseUnary() throws(Diagnostic) -> Expression {
    let token = try lexer.peek()
    guard case .symbol(let symbol) = token.kind, let sign = UnaryOperator(rawValue: symbol) else {
      return try parsePostfix()
    }
    try deepen()
    defer { depth -= 1 }
    lexer.advance(behind: token)
    let operand = try parseUnary()
    if sign == .minus, case .literal(let value) = operand, let negative = value.negative {
      return .literal(negative)
    }
    return .unary(Located(sign, at: range(of: token)), operand)
  }

  // MARK: - Operands

  private mutating func parsePostfix() throws(Diagnostic) -> Expression {
    var expression = try parsePrimary()
    while true {
      let token = try lexer.peek()
      guard case .symbol(let symbol) = token.kind else { return expression }
      switch symbol {
      case ".", "?.":
        lexer.advance(behind: token)
        let key = try lexer.peek()
        guard case .name(let name) = key.kind else {
          throw unexpected(
            key, help: "write an index of a list as [0], and other keys as ['a-b']")
        }
        lexer.advance(behind: key)
        let located = Located(name, at: range(of: key))
        expression = expression.appending(.key(name), at: located, isOptional: symbol == "?.")
      case "[", "?[":
        lexer.advance(behind: token)
        let index = try parse(from: 0)
        try expect("]")
        expression = expression.appending(
          index, isOptional: symbol == "?[", at: range(of: token))
      default: return expression
      }
      try count(at: range(of: token))
    }
  }

  private mutating func parsePrimary() throws(Diagnostic) -> Expression {
    let token = try lexer.peek()
    switch token.kind {
    case .literal(let value):
      lexer.advance(behind: token)
      return .literal(value)
    case .name("in"): throw unexpected(token)
    case .name(let name):
      lexer.advance(behind: token)
      return try parse(name, at: range(of: token))
    case .symbol("("):
      lexer.advance(behind: token)
      let inner = try parse(from: 0)
      try expect(")")
      return inner
    case .symbol("["):
      lexer.advance(behind: token)
      return .list(try parseElements(to: "]"))
    case .symbol("{"):
      lexer.advance(behind: token)
      return .map(try parseMembers())
    default: throw unexpected(token)
    }
  }

  private mutating func parse(
    _ name: String, at range: SourceRange
  ) throws(Diagnostic) -> Expression {
    switch name {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default: break
    }
    let located = Located(name, at: range)
    let token = try lexer.peek()
    guard token.kind == .symbol("(") else { return .path(root: located, steps: []) }
    lexer.advance(behind: token)
    try count(at: range)
    return .call(function: located, arguments: try parseElements(to: ")", allowsLambdas: true))
  }

  /// Reads `i => …` or `(a, b) => …`; `nil`, with nothing read, if there is none.
  private mutating func parseLambda() throws(Diagnostic) -> Expression? {
    let before = lexer
    guard let names = try lambdaNames() else {
      lexer = before
      return nil
    }
    for (place, name) in names.enumerated() {
      let isWord = ["true", "false", "null", "in"].contains(name.value)
      let isTwice = names[..<place].contains { $0.value == name.value }
      guard isWord || isTwice else { continue }
      throw Diagnostic(
        isWord
          ? "\"\(name.value)\" cannot be a parameter of a lambda"
          : "duplicate parameter \"\(name.value)\" of a lambda", code: .badExpression,
        at: name.range,
        help: "give it another name")
    }
    try deepen()
    defer { depth -= 1 }
    return .lambda(names: names, try parse(from: 0))
  }

  private mutating func lambdaNames() throws(Diagnostic) -> [Located<String>]? {
    var names: [Located<String>] = []
    if try take("(") {
      while case .name(let name) = try lexer.peek().kind {
        let token = try lexer.peek()
        names.append(Located(name, at: range(of: token)))
        lexer.advance(behind: token)
        guard try take(",") else { break }
      }
      guard try take(")") else { return nil }
    } else if case .name(let name) = try lexer.peek().kind {
      let token = try lexer.peek()
      names.append(Located(name, at: range(of: token)))
      lexer.advance(behind: token)
    }
    guard !names.isEmpty, try take("=>") else { return nil }
    return names
  }

  private mutating func parseElements(
    to end: String, allowsLambdas: Bool = false
  ) throws(Diagnostic) -> [Expression] {
    var elements: [Expression] = []
    if try take(end) { return [] }
    while true {
      if allowsLambdas, let lambda = try parseLambda() {
        elements.append(lambda)
      } else {
        elements.append(try parse(from: 0))
      }
      if try take(end) { return elements }
      try expect(",")
    }
  }

  private mutating func parseMembers() throws(Diagnostic) -> [ExpressionMember] {
    var members: [ExpressionMember] = []
    if try take("}") { return [] }
    while true {
      let token = try lexer.peek()
      let key: String
      switch token.kind {
      case .name(let name): key = name
      case .literal(.string(let text)): key = text
      default: throw unexpected(token, help: "write a map as {'key': value}")
      }
      let located = Located(key, at: range(of: token))
      if members.contains(where: { $0.key.value == key }) {
        throw Diagnostic(
          "duplicate key \"\(key)\" in the map", code: .duplicateKey, at: located.range,
          help: "keep one of them")
      }
      lexer.advance(behind: token)
      try expect(":")
      members.append(ExpressionMember(key: located, value: try parse(from: 0)))
      if try take("}") { return members }
      try expect(",")
    }
  }

  // MARK: - Tokens

  private mutating func take(_ symbol: String) throws(Diagnostic) -> Bool {
    let token = try lexer.peek()
    guard token.kind == .symbol(symbol) else { return false }
    lexer.advance(behind: token)
    return true
  }

  private mutating func expect(_ symbol: String) throws(Diagnostic) {
    guard try take(symbol) else { throw unexpected(try lexer.peek()) }
  }

  private func unexpected(_ token: ExpressionLexer.Token, help: String? = nil) -> Diagnostic {
    mistakes.unexpected(token, lexer, help: help)
  }

  private func range(of token: ExpressionLexer.Token) -> SourceRange { places.range(of: token) }

  // MARK: - Limits

  private mutating func deepen() throws(Diagnostic) {
    guard depth <= Self.maximumDepth else {
      throw Diagnostic(
        "the expression nests deeper than \(Self.maximumDepth)", code: .tooLarge,
        at: range(of: try lexer.peek()),
        help: "build the value in several steps")
    }
    depth += 1
  }

  private mutating func count(at range: SourceRange) throws(Diagnostic) {
    parts += 1
    guard parts <= Self.maximumParts else {
      throw Diagnostic(
        "the expression has more than \(Self.maximumParts) parts", code: .tooLarge, at: range,
        help: "build the value in several steps")
    }
  }
}

extension Value {
  /// The number with the other sign; `nil` for what is no number.
  fileprivate var negative: Value? {
    switch self {
    case .integer(let integer): integer == .min ? nil : .integer(-integer)
    // One more than the greatest whole number is the least one's opposite.
    case .number(let number): number == 0x1p63 ? .integer(.min) : .number(-number)
    default: nil
    }
  }
}
