internal import Foundations

/// What is wrong with the text of an expression, and what its author meant.
struct ExpressionMistakes {
  private static let help =
    "an expression is a path (user.tags[0]), a value ('text', 3, true), a call (lower(name)), "
    + "or several of them with operators between"

  let places: TextPlaces
  /// Where the `${{` stands.
  let start: Int
  /// The first scalar after it.
  let behind: Int
  /// False where nobody reads what is wrong: what an error suggests may itself need expressions to be read.
  let explains: Bool

  /// An expression without anything before its `}}`, which begins at a token.
  func empty(until token: ExpressionLexer.Token) -> Diagnostic {
    Diagnostic(
      "the expression is empty", code: .badExpression,
      at: places.range(at: start, length: token.start + 2 - start), help: Self.help)
  }

  /// A token that cannot stand where it does.
  ///
  /// - Parameter help: what to write; `nil` where the token alone tells.
  func unexpected(
    _ token: ExpressionLexer.Token, _ lexer: ExpressionLexer, help: String? = nil
  ) -> Diagnostic {
    guard token.kind != .end, lexer.closes(behind: token.start) else { return unclosed }
    if lexer.closes(at: token) {
      return Diagnostic(
        "the expression is incomplete", code: .badExpression, at: places.range(of: token),
        help: Self.help)
    }
    let scalar = lexer.scalars[token.start]
    let next = lexer.scalars.dropFirst(token.start + 1).first
    if explains, scalar == "|", token.kind == .unexpected,
      let chain = FilterChain(in: lexer.scalars, from: behind)
    {
      return Diagnostic(
        "unexpected \"|\" in an expression", code: .badExpression, at: places.range(of: token),
        help: chain.help, fix: fix(chain))
    }
    let text = lexer.text(token.start..<token.end)
    let shown = scalar.value < 0x20 ? "a control character" : "\"\(text)\""
    return Diagnostic(
      "unexpected \(shown) in an expression", code: .badExpression, at: places.range(of: token),
      help: help ?? Self.help(for: scalar, next: next))
  }

  /// A token behind a whole expression.
  func unexpected(
    _ token: ExpressionLexer.Token, behind expression: Expression, _ lexer: ExpressionLexer
  ) -> Diagnostic {
    unexpected(token, lexer, help: Self.help(for: token, behind: expression))
  }

  /// A "-" with which a key such as a header's name continues; `nil` for one that subtracts.
  func dash(
    _ token: ExpressionLexer.Token, behind expression: Expression, _ lexer: ExpressionLexer
  ) -> Diagnostic? {
    let scalars = lexer.scalars
    guard case .path(let root, let steps) = expression, case .key(let key)? = steps.last,
      token.end < scalars.count, ExpressionLexer.isNamePart(scalars[token.end])
    else { return nil }
    let first = token.start - key.unicodeScalars.count
    guard first > 0, scalars[first - 1] == ".", lexer.text(first..<token.start) == key else {
      return nil
    }
    var end = token.start
    while end < scalars.count, ExpressionLexer.isNamePart(scalars[end]) || scalars[end] == "-" {
      end += 1
    }
    let before = root.value + steps.dropLast().map(\.text).joined()
    return unexpected(
      token, lexer,
      help: "write a key with a \"-\" in it in brackets: \(before)['\(lexer.text(first..<end))'], "
        + "and a difference with spaces around the \"-\"")
  }

  private var unclosed: Diagnostic {
    Diagnostic(
      "the expression has no closing \"}}\"", code: .badExpression,
      at: places.range(at: start, length: 3),
      help: "end the expression with \"}}\", or write \"$${{\" for a literal \"${{\"")
  }

  /// Returns the change that makes calls of filters; `nil` where the source has escapes in their place.
  private func fix(_ chain: FilterChain) -> DiagnosticFix? {
    guard let expression = chain.expression,
      let range = places.exactRange(at: chain.range.lowerBound, length: chain.range.count)
    else { return nil }
    return DiagnosticFix(replacing: range, with: expression, confidence: .likely)
  }

  // MARK: - Help

  /// Returns the help for the words that other languages have for operators.
  private static func help(
    for token: ExpressionLexer.Token, behind expression: Expression
  ) -> String? {
    if case .path(let root, let steps) = expression, root.value == "not", steps.isEmpty {
      return "write ! for \"not\""
    }
    switch token.kind {
    case .name("and"): return "write && for \"and\""
    case .name("or"): return "write || for \"or\""
    case .name("if"):
      return "write case(CONDITION, VALUE, OTHERWISE) for \"VALUE if CONDITION else OTHERWISE\""
    default: return nil
    }
  }

  private static func help(for scalar: Unicode.Scalar, next: Unicode.Scalar?) -> String {
    switch scalar {
    case "?": "write case(a, b, c) for \"a ? b : c\""
    case "=" where next == ">": "write a lambda only as an argument, as in map(items, i => i.price)"
    case "=": "write == for \"is equal to\""
    case "&": "write && for \"and\""
    case "|": "write || for \"or\", and a function in place of a filter, such as upper(x)"
    default: help
    }
  }
}

extension TextPlaces {
  /// The place of a token.
  func range(of token: ExpressionLexer.Token) -> SourceRange {
    range(at: token.start, length: token.end - token.start)
  }
}
