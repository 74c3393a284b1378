public import ScenarioModel

/// What is known about the GraphQL endpoints of a case.
public struct PlannedGraphQL: Sendable, Hashable, Codable {
  /// What becomes of documents that clients name instead of sending them.
  public enum Persisted: Sendable, Hashable, Codable {
    /// They are learned.
    case automatic
    /// They are refused.
    case reject
    /// They stand in a file, whose path is resolved.
    case manifest(path: String)
  }

  /// The schema's file, its path resolved.
  public var schemaPath: String?
  /// What becomes of documents that clients name.
  public var persisted: Persisted
  /// The endpoint that it is about; `nil` is any.
  public var url: URLPattern?
  /// How a WebSocket begins; `nil` is any way.
  public var initialisation: PlannedGraphQLInitialisation?

  /// Creates settings.
  public init(schemaPath: String? = nil, persisted: Persisted = .automatic, url: URLPattern? = nil)
  {
    self.schemaPath = schemaPath
    self.persisted = persisted
    self.url = url
  }
}

/// What a client must say first on a WebSocket.
public struct PlannedGraphQLInitialisation: Sendable, Hashable, Codable {
  /// How much virtual time it has for it; `nil` is any.
  public var within: Nanoseconds?
  /// What the payload must be, said of variables; `nil` is anything.
  public var payload: PlannedGraphQLMatch?
  /// What the client is told in return.
  public var acknowledgement: PlannedData?

  /// Creates a condition.
  public init(
    within: Nanoseconds? = nil, payload: PlannedGraphQLMatch? = nil,
    acknowledgement: PlannedData? = nil
  ) {
    self.within = within
    self.payload = payload
    self.acknowledgement = acknowledgement
  }
}

/// Which GraphQL operations an entry answers.
public struct PlannedGraphQLMatch: Sendable, Hashable, Codable {
  /// The kind; `nil` is any.
  public var kind: GraphQLPattern.OperationKind?
  /// The operation's name; `nil` is any, and none.
  public var operation: String?
  /// The document in its canonical form; `nil` is any.
  public var document: String?
  /// The endpoint; `nil` is any.
  public var url: URLPattern?
  /// What the variables must hold; `nil` is anything.
  public var variables: PlannedData?
  /// Whether there may be no other variables.
  public var exact: Bool
  /// Conditions on variables, by path.
  public var matchers: [PlannedFieldMatcher]

  /// Creates a condition.
  public init(
    kind: GraphQLPattern.OperationKind?, operation: String?, document: String? = nil,
    url: URLPattern? = nil, variables: PlannedData? = nil, exact: Bool = false,
    matchers: [PlannedFieldMatcher] = []
  ) {
    self.kind = kind
    self.operation = operation
    self.document = document
    self.url = url
    self.variables = variables
    self.exact = exact
    self.matchers = matchers
  }
}

/// An event of a reply that is a stream of GraphQL results.
public struct PlannedGraphQLEvent: Sendable, Hashable, Codable {
  /// What happens.
  public enum Content: Sendable, Hashable, Codable {
    /// A result.
    case next(PlannedData)
    /// A list of errors, which ends the stream.
    case errors(PlannedData)
    /// The end.
    case complete
    /// The end of the WebSocket, with a code.
    case close(code: Int, reason: String)
    /// The end of the connection, without a word.
    case leave(ConnectionEnding)
  }

  /// Virtual time since the event before.
  public var delay: Nanoseconds
  /// What happens then.
  public var content: Content
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates an event.
  public init(delay: Nanoseconds, content: Content, range: SourceRange) {
    self.delay = delay
    self.content = content
    self.range = range
  }
}
