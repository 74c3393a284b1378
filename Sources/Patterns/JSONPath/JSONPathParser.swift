internal import Foundations

/// Reads JSON paths by recursive descent (RFC 9535, section 2), never deeper than `depthLimit`.
struct JSONPathParser {
  private static let depthLimit = 32

  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() throws(PatternError) -> [JSONPathQuery.Segment] {
    guard skip("$") else {
      throw PatternError(
        "\"\(text)\" is not a JSON path", help: "begin with \"$\", as in \"$.\(text)\"")
    }
    let segments = try parseSegments(isFilter: false)
    guard position == scalars.count else { throw unexpected("\".\" or \"[\"") }
    return segments
  }

  // MARK: - Segments

  /// - Parameter isFilter: whether a name ends where an operator may begin.
  private mutating func parseSegments(
    isFilter: Bool
  ) throws(PatternError) -> [JSONPathQuery.Segment] {
    var segments: [JSONPathQuery.Segment] = []
    while true {
      let start = position
      if isFilter { skipSpace() }
      if skip("..") {
        let selectors = current == "[" ? try parseBrackets() : [try parseName(isFilter)]
        segments.append(.init(selectors: selectors, isDescendant: true))
      } else if skip(".") {
        segments.append(.init(selectors: [try parseName(isFilter)]))
      } else if current == "[" {
        segments.append(.init(selectors: try parseBrackets()))
      } else {
        position = start
        return segments
      }
    }
  }

  private mutating func parseName(
    _ isFilter: Bool
  ) throws(PatternError) -> JSONPathQuery.Selector {
    if skip("*") { return .wildcard }
    var name = String.UnicodeScalarView()
    while let scalar = current, scalar != ".", scalar != "[", !isFilter || Self.isName(scalar) {
      name.append(scalar)
      position += 1
    }
    guard !name.isEmpty else { throw unexpected("a key, or \"*\"") }
    guard !name.contains("("), !name.contains(")") else {
      throw PatternError(
        "\"\(text)\" calls \"\(String(name))\", and paths have no functions",
        help: "write a condition of what the path leads to, as in \"$.items\": { length: 3 };"
          + " a key with a parenthesis goes in quotes: $['a(b)']")
    }
    return .key(String(name))
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: scalar.value >= 0x80
    }
  }

  private mutating func parseBrackets() throws(PatternError) -> [JSONPathQuery.Selector] {
    try enter()
    defer { depth -= 1 }
    _ = skip("[")
    var selectors: [JSONPathQuery.Selector] = []
    repeat {
      skipSpace()
      selectors.append(try parseSelector())
      skipSpace()
    } while skip(",")
    guard skip("]") else { throw unexpected("\"]\"") }
    return selectors
  }

  private mutating func parseSelector() throws(PatternError) -> JSONPathQuery.Selector {
    switch current {
    case "*":
      position += 1
      return .wildcard
    case "'", "\"":
      return .key(try parseText())
    case "?":
      position += 1
      return .filter(try parseFilter())
    default:
      return try parseIndexes()
    }
  }

  private mutating func parseIndexes() throws(PatternError) -> JSONPathQuery.Selector {
    let start = parseInteger()
    skipSpace()
    guard skip(":") else {
      guard let start else {
        throw unexpected("an index, a key in quotes, \"*\", a slice or a filter")
      }
      return .index(start)
    }
    skipSpace()
    let end = parseInteger()
    skipSpace()
    var step: Int?
    if skip(":") {
      skipSpace()
      step = parseInteger()
    }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  private mutating func parseInteger() -> Int? {
    let start = position
    if current == "-" { position += 1 }
    while let scalar = current, ("0"..."9").contains(scalar) { position += 1 }
    let number = Int(word(from: start))
    if number == nil { position = start }
    return number
  }

  private mutating func parseText() throws(PatternError) -> String {
    let quote = current
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = current, scalar != quote {
      position += 1
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard let escaped = current else { break }
      position += 1
      text.append(Self.escapes[escaped] ?? escaped)
    }
    guard current != nil else { throw unexpected("a closing quote") }
    position += 1
    return String(text)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
  ]

  // MARK: - Filters

  private mutating func parseFilter() throws(PatternError) -> JSONPathQuery.Filter {
    try enter()
    defer { depth -= 1 }
    var choices = [try parseConjunction()]
    while skipOperator("||") { choices.append(try parseConjunction()) }
    return choices.count == 1 ? choices[0] : .any(choices)
  }

  private mutating func parseConjunction() throws(PatternError) -> JSONPathQuery.Filter {
    var parts = [try parseCondition()]
    while skipOperator("&&") { parts.append(try parseCondition()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func parseCondition() throws(PatternError) -> JSONPathQuery.Filter {
    try enter()
    defer { depth -= 1 }
    skipSpace()
    if current == "!", !isAhead("!=") {
      position += 1
      return .not(try parseCondition())
    }
    if skip("(") {
      let inner = try parseFilter()
      skipSpace()
      guard skip(")") else { throw unexpected("\")\"") }
      return inner
    }
    let left = try parseOperand()
    skipSpace()
    for comparison in JSONPathQuery.Comparison.allCases where skip(comparison.rawValue) {
      skipSpace()
      let right = try parseOperand()
      try checkSingular(left)
      try checkSingular(right)
      return .comparison(left, comparison, right)
    }
    guard case .query(let query) = left else { throw unexpected("a comparison") }
    return .exists(query)
  }

  private func checkSingular(_ operand: JSONPathQuery.Operand) throws(PatternError) {
    guard case .query(let query) = operand, !query.segments.isSingular else { return }
    throw PatternError(
      "a filter of \"\(text)\" compares what may be several values",
      help: "compare single ones: @.name or @[0]")
  }

  private mutating func parseOperand() throws(PatternError) -> JSONPathQuery.Operand {
    if skip("@") {
      return .query(.init(isRelative: true, segments: try parseSegments(isFilter: true)))
    }
    if skip("$") {
      return .query(.init(isRelative: false, segments: try parseSegments(isFilter: true)))
    }
    if current == "'" || current == "\"" { return .value(.string(try parseText())) }
    let start = position
    while let scalar = current, Self.isName(scalar) || scalar == "." || scalar == "+" {
      position += 1
    }
    let word = word(from: start)
    switch word {
    case "true": return .value(.bool(true))
    case "false": return .value(.bool(false))
    case "null": return .value(.null)
    default: break
    }
    if let integer = Int64(word) { return .value(.integer(integer)) }
    if let number = Double(word), number.isFinite { return .value(.number(number)) }
    if current == "(", !word.isEmpty {
      throw PatternError(
        "\"\(text)\" calls \"\(word)\", and paths have no functions here",
        help: "compare with ==, !=, <, <=, >, >=, and join by &&, ||, !")
    }
    position = start
    throw unexpected("@, $ or a value")
  }

  // MARK: - Letters

  private var current: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private func isAhead(_ word: String) -> Bool {
    scalars[position...].starts(with: word.unicodeScalars)
  }

  private mutating func skip(_ word: String) -> Bool {
    guard isAhead(word) else { return false }
    position += word.unicodeScalars.count
    return true
  }

  private mutating func skipOperator(_ word: String) -> Bool {
    skipSpace()
    return skip(word)
  }

  private mutating func skipSpace() {
    while let scalar = current, [" ", "\t", "\n", "\r"].contains(scalar) { position += 1 }
  }

  private func word(from start: Int) -> String {
    String(String.UnicodeScalarView(scalars[start..<position]))
  }

  private mutating func enter() throws(PatternError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw PatternError(
        "a path is nested more than \(Self.depthLimit) levels deep", help: "write a simpler one")
    }
  }

  private func unexpected(_ expected: String) -> PatternError {
    let found = current.map { "\"\($0)\"" } ?? "the end"
    return PatternError(
      "\"\(text)\" is not a path: expected \(expected) at its column \(position + 1), found \(found)",
      help: "write keys behind points and indexes in brackets, as in $.items[0].price; a key with "
        + "points in it as ['a.b']; all elements as [*], all below as ..")
  }
}
