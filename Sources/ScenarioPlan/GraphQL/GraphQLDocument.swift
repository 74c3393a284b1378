/// The operations of a GraphQL document that a client sent.
public struct GraphQLDocument: Sendable, Hashable {
  /// What an operation is called and what it does.
  public struct Operation: Sendable, Hashable {
    /// `query`, `mutation` or `subscription`.
    public var kind: String
    /// The name; `nil` for an anonymous operation.
    public var name: String?
  }

  /// The operations in document order.
  public var operations: [Operation]

  /// Reads a document: its operations are kept, its fragments and selections are skipped.
  ///
  /// - Throws: `GraphQLSyntaxError` for text that is no executable document.
  public init(parsing text: String) throws(GraphQLSyntaxError) {
    var parser = GraphQLParser(text)
    operations = try parser.parse()
  }

  /// The operation that runs: the named one, or the only one.
  public func operation(named name: String?) -> Operation? {
    guard let name else { return operations.count == 1 ? operations[0] : nil }
    return operations.first { $0.name == name }
  }
}

/// Why a text is not a GraphQL document.
public struct GraphQLSyntaxError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  public var message: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int
}

private struct GraphQLParser {
  private static let operationKinds: Set<String> = ["query", "mutation", "subscription"]

  private var lexer: GraphQLLexer
  private var token: GraphQLLexer.Token?

  init(_ text: String) {
    lexer = GraphQLLexer(text)
  }

  mutating func parse() throws(GraphQLSyntaxError) -> [GraphQLDocument.Operation] {
    var operations: [GraphQLDocument.Operation] = []
    try advance()
    while let token {
      switch token {
      case .punctuator(UInt8(ascii: "{")):
        operations.append(.init(kind: "query", name: nil))
      case .name(let keyword) where Self.operationKinds.contains(keyword):
        try advance()
        var name: String?
        if case .name(let text) = self.token {
          name = text
          try advance()
        }
        operations.append(.init(kind: keyword, name: name))
      case .name("fragment"):
        try advance()
        guard case .name = self.token else { throw lexer.failure("expected a fragment's name") }
        try advance()
      default:
        throw lexer.failure("expected a query, a mutation, a subscription or a fragment")
      }
      try skipToSelectionSet()
      try skipBrackets()
    }
    guard !operations.isEmpty else { throw lexer.failure("the document has no operation") }
    return operations
  }

  private mutating func advance() throws(GraphQLSyntaxError) {
    token = try lexer.next()
  }

  /// Steps over variables, type conditions and directives, whose braces all stand in parentheses.
  private mutating func skipToSelectionSet() throws(GraphQLSyntaxError) {
    while let token, token != .punctuator(UInt8(ascii: "{")) {
      if token == .punctuator(UInt8(ascii: "(")) {
        try skipBrackets()
      } else {
        try advance()
      }
    }
    guard token != nil else { throw lexer.failure("expected a selection set") }
  }

  /// Steps over one balanced stretch that begins at the current bracket.
  private mutating func skipBrackets() throws(GraphQLSyntaxError) {
    var open: [UInt8] = []
    repeat {
      guard let token else { throw lexer.failure("a bracket is not closed") }
      if case .punctuator(let byte) = token {
        switch byte {
        case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
        case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
        case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
        case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
          guard open.popLast() == byte else {
            throw lexer.failure("a bracket closes what another one opened")
          }
        default: break
        }
      }
      try advance()
    } while !open.isEmpty
  }
}
