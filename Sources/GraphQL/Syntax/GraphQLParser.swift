internal import Foundations

/// Reads documents by recursive descent, never deeper than `GraphQLLimits.depth`.
struct GraphQLParser {
  private var lexer: GraphQLLexer
  private(set) var token: GraphQLToken
  private var depth = 0

  init(_ text: String) throws(GraphQLSyntaxError) {
    lexer = GraphQLLexer(text)
    token = try lexer.next()
  }

  // MARK: - Executable documents

  mutating func parseDocument() throws(GraphQLSyntaxError) -> GraphQLDocument {
    var document = GraphQLDocument(operations: [], fragments: [])
    repeat {
      switch token.content {
      case .punctuator(UInt8(ascii: "{")), .name("query"), .name("mutation"), .name("subscription"):
        document.operations.append(try parseOperation())
      case .name("fragment"):
        document.fragments.append(try parseFragment())
      default:
        throw unexpected("a query, a mutation, a subscription or a fragment")
      }
    } while token.content != .end
    return document
  }

  private mutating func parseOperation() throws(GraphQLSyntaxError) -> GraphQLOperation {
    let location = token.location
    guard case .name(let keyword) = token.content else {
      return GraphQLOperation(
        kind: .query, name: nil, variables: [], directives: [],
        selections: try parseSelections(), location: location)
    }
    try advance()
    var name: GraphQLName?
    if case .name = token.content { name = try takeName("an operation's name") }
    var variables: [GraphQLVariableDefinition] = []
    if try skip("(") {
      repeat { variables.append(try parseVariable()) } while try !skip(")")
    }
    return GraphQLOperation(
      kind: GraphQLOperationKind(rawValue: keyword) ?? .query, name: name, variables: variables,
      directives: try parseDirectives(isConstant: false), selections: try parseSelections(),
      location: location)
  }

  private mutating func parseVariable() throws(GraphQLSyntaxError) -> GraphQLVariableDefinition {
    let location = token.location
    try expect("$")
    let name = GraphQLName(text: try takeName("a variable's name").text, location: location)
    try expect(":")
    let type = try parseType()
    let value = try skip("=") ? try parseValue(isConstant: true) : nil
    return GraphQLVariableDefinition(
      name: name, type: type, defaultValue: value, directives: try parseDirectives(isConstant: true)
    )
  }

  private mutating func parseFragment() throws(GraphQLSyntaxError) -> GraphQLFragment {
    let location = token.location
    try advance()
    guard token.content != .name("on") else { throw unexpected("a fragment's name") }
    let name = try takeName("a fragment's name")
    guard try skipKeyword("on") else { throw unexpected("\"on\"") }
    return GraphQLFragment(
      name: name, condition: try takeName("a type"),
      directives: try parseDirectives(isConstant: false), selections: try parseSelections(),
      location: location)
  }

  private mutating func parseSelections() throws(GraphQLSyntaxError) -> [GraphQLSelection] {
    try enter()
    defer { depth -= 1 }
    try expect("{")
    var selections: [GraphQLSelection] = []
    repeat { selections.append(try parseSelection()) } while try !skip("}")
    return selections
  }

  private mutating func parseSelection() throws(GraphQLSyntaxError) -> GraphQLSelection {
    let location = token.location
    guard token.content == .spread else { return .field(try parseField()) }
    try advance()
    if case .name(let word) = token.content, word != "on" {
      let name = try takeName("a fragment's name")
      let directives = try parseDirectives(isConstant: false)
      return .spread(GraphQLSpread(name: name, directives: directives, location: location))
    }
    let condition = try skipKeyword("on") ? try takeName("a type") : nil
    return .inline(
      GraphQLInlineFragment(
        condition: condition, directives: try parseDirectives(isConstant: false),
        selections: try parseSelections(), location: location))
  }

  private mutating func parseField() throws(GraphQLSyntaxError) -> GraphQLField {
    var name = try takeName("a field")
    var alias: GraphQLName?
    if try skip(":") {
      alias = name
      name = try takeName("a field")
    }
    let arguments = try parseArguments(isConstant: false)
    let directives = try parseDirectives(isConstant: false)
    var field = GraphQLField(
      alias: alias, name: name, arguments: arguments, directives: directives, selections: [])
    if token.content == .punctuator(UInt8(ascii: "{")) {
      field.selectionsLocation = token.location
      field.selections = try parseSelections()
    }
    return field
  }

  // MARK: - Shared parts

  mutating func parseArguments(
    isConstant: Bool
  ) throws(GraphQLSyntaxError) -> [GraphQLArgument] {
    guard try skip("(") else { return [] }
    var arguments: [GraphQLArgument] = []
    repeat {
      arguments.append(try parseArgument("an argument", isConstant))
    } while try !skip(")")
    return arguments
  }

  private mutating func parseArgument(
    _ subject: String, _ isConstant: Bool
  ) throws(GraphQLSyntaxError) -> GraphQLArgument {
    let name = try takeName(subject)
    try expect(":")
    return GraphQLArgument(name: name, value: try parseValue(isConstant: isConstant))
  }

  mutating func parseDirectives(
    isConstant: Bool
  ) throws(GraphQLSyntaxError) -> [GraphQLDirective] {
    var directives: [GraphQLDirective] = []
    while token.content == .punctuator(UInt8(ascii: "@")) {
      let location = token.location
      try advance()
      let name = try takeName("a directive")
      let arguments = try parseArguments(isConstant: isConstant)
      directives.append(
        GraphQLDirective(name: name, arguments: arguments, location: location))
    }
    return directives
  }

  mutating func parseType() throws(GraphQLSyntaxError) -> GraphQLTypeReference {
    try enter()
    defer { depth -= 1 }
    var type: GraphQLTypeReference
    if try skip("[") {
      type = .list(try parseType())
      try expect("]")
    } else {
      type = .named(try takeName("a type"))
    }
    if try skip("!") { type = .nonNull(type) }
    return type
  }

  mutating func parseValue(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLValue {
    try enter()
    defer { depth -= 1 }
    let location = token.location
    let content: GraphQLValue.Content
    switch token.content {
    case .punctuator(UInt8(ascii: "$")) where !isConstant:
      try advance()
      return GraphQLValue(
        content: .variable(try takeName("a variable's name").text), location: location)
    case .punctuator(UInt8(ascii: "[")):
      try advance()
      var elements: [GraphQLValue] = []
      while try !skip("]") { elements.append(try parseValue(isConstant: isConstant)) }
      return GraphQLValue(content: .list(elements), location: location)
    case .punctuator(UInt8(ascii: "{")):
      try advance()
      var fields: [GraphQLArgument] = []
      while try !skip("}") { fields.append(try parseArgument("a field", isConstant)) }
      return GraphQLValue(content: .object(fields), location: location)
    case .integer(let text): content = .integer(text)
    case .float(let text): content = .float(text)
    case .string(let text, let isBlock): content = .string(text, isBlock: isBlock)
    case .name("true"): content = .boolean(true)
    case .name("false"): content = .boolean(false)
    case .name("null"): content = .null
    case .name(let name): content = .enumeration(name)
    default: throw unexpected(isConstant ? "a value without variables" : "a value")
    }
    try advance()
    return GraphQLValue(content: content, location: location)
  }

  // MARK: - Tokens

  mutating func advance() throws(GraphQLSyntaxError) {
    token = try lexer.next()
  }

  private mutating func enter() throws(GraphQLSyntaxError) {
    depth += 1
    guard depth <= GraphQLLimits.depth else {
      throw GraphQLSyntaxError(
        message: "the document is nested more than \(GraphQLLimits.depth) levels deep",
        location: token.location)
    }
  }

  func unexpected(_ expected: String) -> GraphQLSyntaxError {
    GraphQLSyntaxError(
      message: "expected \(expected), found \(token.text)", location: token.location)
  }

  mutating func expect(_ mark: Unicode.Scalar) throws(GraphQLSyntaxError) {
    guard try skip(mark) else { throw unexpected("\"\(mark)\"") }
  }

  /// Skips a punctuator; false if the next token is another one.
  mutating func skip(_ mark: Unicode.Scalar) throws(GraphQLSyntaxError) -> Bool {
    guard token.content == .punctuator(UInt8(truncatingIfNeeded: mark.value)) else { return false }
    try advance()
    return true
  }

  /// Skips a word; false if the next token is another one.
  mutating func skipKeyword(_ word: String) throws(GraphQLSyntaxError) -> Bool {
    guard token.content == .name(word) else { return false }
    try advance()
    return true
  }

  mutating func takeName(_ subject: String) throws(GraphQLSyntaxError) -> GraphQLName {
    guard case .name(let text) = token.content else { throw unexpected(subject) }
    let name = GraphQLName(text: text, location: token.location)
    try advance()
    return name
  }
}
