internal import Foundations

/// A value with filters behind it, as Jinja, Liquid and other tools write them: `x | trim | default('a')`.
///
/// Expressions have functions in their place: `default(trim(x), 'a')`.
struct FilterChain {
  /// A filter, and what stands between its parentheses or behind its colon.
  private struct Filter {
    var name: String
    /// The arguments as they are written; `nil` if these are no expressions.
    var arguments: [String]?

    /// The function that does the same; `nil` if there is none.
    var function: String? {
      FilterChain.functions[name] != nil || FilterChain.otherFunctions.contains(name)
        ? name : FilterChain.foreignNames[name]
    }
  }

  /// The scalars that the whole takes.
  let range: Range<Int>
  /// The value as it is written; `nil` if a filter would belong to a part of it.
  private let value: String?
  private let filters: [Filter]

  /// The largest number of tokens that are read.
  private static let tokenLimit = 200

  /// Reads what stands between a place and the braces that close an expression; `nil` if there are no filters.
  init?(in scalars: [Unicode.Scalar], from start: Int) {
    let places = TextPlaces("", at: SourceRange(file: "", line: 1, column: 1))
    var lexer = ExpressionLexer(scalars: scalars, from: start, places: places)
    var parts: [[ExpressionLexer.Token]] = [[]]
    var depth = 0
    for count in 0... {
      guard count < Self.tokenLimit, let token = try? lexer.peek(), token.kind != .end else {
        return nil
      }
      if depth == 0, lexer.closes(at: token) { break }
      depth += Self.step(token)
      guard depth >= 0 else { return nil }
      if depth == 0, token.kind == .unexpected, scalars[token.start] == "|" {
        parts.append([])
      } else {
        parts[parts.count - 1].append(token)
      }
      lexer.advance(behind: token)
    }
    let filters = parts.dropFirst().compactMap { Self.filter($0, lexer) }
    guard !filters.isEmpty, filters.count == parts.count - 1,
      let first = parts.first?.first, let last = parts.last?.last,
      let value = parts.first.flatMap({ Self.text($0[...], lexer) })
    else { return nil }
    range = first.start..<last.end
    self.value = ExpressionParser.expression(in: value)?.isOperand == true ? value : nil
    self.filters = filters
  }

  // MARK: - Tokens

  /// Returns by how much a token changes the depth.
  private static func step(_ token: ExpressionLexer.Token) -> Int {
    switch token.kind {
    case .symbol("("), .symbol("["), .symbol("?["), .symbol("{"): 1
    case .symbol(")"), .symbol("]"), .symbol("}"): -1
    default: 0
    }
  }

  private static func text(
    _ tokens: ArraySlice<ExpressionLexer.Token>, _ lexer: ExpressionLexer
  ) -> String? {
    guard let first = tokens.first, let last = tokens.last else { return nil }
    return lexer.text(first.start..<last.end)
  }

  /// `upper`, `default('a')` of Jinja, `default: 'a'` of Liquid.
  private static func filter(
    _ tokens: [ExpressionLexer.Token], _ lexer: ExpressionLexer
  ) -> Filter? {
    guard case .name(let name)? = tokens.first?.kind else { return nil }
    let rest = tokens.dropFirst()
    guard let opening = rest.first, let last = rest.last else {
      return Filter(name: name, arguments: [])
    }
    if opening.kind == .symbol("("), last.kind == .symbol(")") {
      return Filter(name: name, arguments: arguments(rest.dropFirst().dropLast(), lexer))
    }
    let isLiquid = opening.kind == .symbol(":")
    return Filter(name: name, arguments: isLiquid ? arguments(rest.dropFirst(), lexer) : nil)
  }

  private static func arguments(
    _ tokens: ArraySlice<ExpressionLexer.Token>, _ lexer: ExpressionLexer
  ) -> [String]? {
    guard !tokens.isEmpty else { return [] }
    var depth = 0
    let parts = tokens.split(omittingEmptySubsequences: false) { token in
      depth += step(token)
      return depth == 0 && token.kind == .symbol(",")
    }
    let texts = parts.compactMap { text($0, lexer) }
    let areExpressions = texts.allSatisfy { ExpressionParser.expression(in: $0) != nil }
    return areExpressions && texts.count == parts.count ? texts : nil
  }

  // MARK: - What it means

  /// The expression that means the same; `nil` if there is none.
  var expression: String? {
    guard var text = value else { return nil }
    for filter in filters {
      guard let function = filter.function, let arguments = filter.arguments,
        Self.functions[function]?.contains(1 + arguments.count) == true
      else { return nil }
      text = "\(function)(\(([text] + arguments).joined(separator: ", ")))"
    }
    return text
  }

  /// What to write instead.
  var help: String {
    let rule = "expressions have functions and no filters"
    if let expression { return "write \"${{ \(expression) }}\": \(rule)" }
    guard let unknown = filters.first(where: { $0.function == nil }) else {
      return "\(rule): write \(calls), with the value as the first argument"
    }
    var parts = ["\(rule), and none of them is \"\(unknown.name)\""]
    if unknown.arguments?.isEmpty == true { parts.append("for \"or\" write ||") }
    let names = Array(Self.functions.keys) + Self.otherFunctions
    parts.append(
      Suggestion.closest(to: unknown.name, in: names).map { "did you mean \($0)(…)?" }
        ?? "the page \"Expressions\" lists them")
    return parts.joined(separator: "; ")
  }

  /// `trim(…) and join(…)`.
  private var calls: String {
    let names = filters.compactMap(\.function)
    return names.enumerated().filter { !names[..<$0.offset].contains($0.element) }
      .map { "\($0.element)(…)" }.joined(separator: " and ")
  }
}

// MARK: - Functions

extension FilterChain {
  /// The functions whose first argument is what a filter of that name is for, with the numbers of arguments that
  /// they may have then.
  static let functions: [String: ClosedRange<Int>] = [
    "abs": 1...1, "add_time": 2...2, "base64": 1...1, "base64_decode": 1...1, "base64url": 1...1,
    "base64url_decode": 1...1, "bool": 1...1, "ceil": 1...1, "contains": 2...2, "default": 2...2,
    "div": 2...2, "ends_with": 2...2, "float": 1...1, "floor": 1...1, "format_time": 2...2,
    "hex": 1...1, "hex_decode": 1...1, "int": 1...1, "join": 2...2, "json": 1...1,
    "keys": 1...1, "len": 1...1, "lower": 1...1, "max": 1...1, "min": 1...1, "pad": 2...3,
    "parse_json": 1...1, "replace": 3...3, "reverse": 1...1, "round": 1...2, "sha256": 1...1,
    "sort": 1...1, "split": 2...2, "starts_with": 2...2, "string": 1...1, "substr": 2...3,
    "sum": 1...1, "trim": 1...1, "unique": 1...1, "upper": 1...1, "url_decode": 1...1,
    "url_encode": 1...1, "values": 1...1, "xml_escape": 1...1, "xpath": 2...2, "xpath_all": 2...2,
  ]

  /// The other functions.
  static let otherFunctions: Set<String> = [
    "all", "any", "case", "coalesce", "filter", "format", "group", "hash", "hmac", "jwks", "jwt",
    "map",
    "public_key", "random", "signing_key", "uuid", "uuid5",
  ]

  /// Filters of Jinja, Liquid and Ansible that do what a function of another name does.
  static let foreignNames = [
    "b64decode": "base64_decode", "b64encode": "base64", "base64_encode": "base64", "count": "len",
    "d": "default", "divided_by": "div", "downcase": "lower", "e": "xml_escape",
    "escape": "xml_escape", "from_json": "parse_json", "json_encode": "json", "length": "len",
    "lowercase": "lower", "size": "len", "strip": "trim", "to_json": "json", "tojson": "json",
    "uniq": "unique", "upcase": "upper", "uppercase": "upper", "urlencode": "url_encode",
  ]
}

extension Expression {
  /// True if a filter behind the expression applies to all of it.
  fileprivate var isOperand: Bool {
    switch self {
    case .binary, .unary, .lambda: false
    default: true
    }
  }
}
