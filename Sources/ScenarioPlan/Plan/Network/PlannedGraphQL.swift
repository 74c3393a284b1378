package import Foundations
package import Patterns
internal import ScenarioModel

/// What is known about the GraphQL endpoints of a case.
package struct PlannedGraphQL: Sendable, Hashable, Codable {
  /// What becomes of documents that clients name instead of sending them.
  package enum Persisted: Sendable, Hashable, Codable {
    /// They are learned.
    case automatic
    /// They are refused.
    case reject
    /// They stand in a file, whose path is resolved.
    case manifest(path: String)
  }

  /// The schema's file, its path resolved.
  package var schemaPath: String?
  /// What becomes of documents that clients name.
  package var persisted: Persisted
  /// The endpoint that it is about; `nil` is any.
  package var url: URLPattern?
  /// How a WebSocket begins; `nil` is any way.
  package var initialisation: PlannedGraphQLInitialisation?

  /// Creates settings.
  package init(schemaPath: String? = nil, persisted: Persisted = .automatic, url: URLPattern? = nil)
  {
    self.schemaPath = schemaPath
    self.persisted = persisted
    self.url = url
  }
}

/// What a client must say first on a WebSocket.
package struct PlannedGraphQLInitialisation: Sendable, Hashable, Codable {
  /// How much virtual time it has for it; `nil` is any.
  package var within: Nanoseconds?
  /// What the payload must be, said of variables; `nil` is anything.
  package var payload: PlannedGraphQLMatch?
  /// What the client is told in return.
  package var acknowledgement: PlannedData?

  /// Creates a condition.
  package init(
    within: Nanoseconds? = nil, payload: PlannedGraphQLMatch? = nil,
    acknowledgement: PlannedData? = nil
  ) {
    self.within = within
    self.payload = payload
    self.acknowledgement = acknowledgement
  }
}

/// Which GraphQL operations an entry answers.
package struct PlannedGraphQLMatch: Sendable, Hashable, Codable {
  /// The kind; `nil` is any.
  package var kind: GraphQLOperationKind?
  /// The operation's name; `nil` is any, and none.
  package var operation: String?
  /// The document in its canonical form; `nil` is any.
  package var document: String?
  /// The endpoint; `nil` is any.
  package var url: URLPattern?
  /// What the variables must hold; `nil` is anything.
  package var variables: PlannedData?
  /// True if there may be no other variables.
  package var exact: Bool
  /// Conditions on variables, by path.
  package var matchers: [PlannedFieldMatcher]

  /// Creates a condition.
  package init(
    kind: GraphQLOperationKind?, operation: String?, document: String? = nil,
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
package struct PlannedGraphQLEvent: Sendable, Hashable, Codable {
  /// What happens.
  package enum Content: Sendable, Hashable, Codable {
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
  package var delay: Nanoseconds
  /// What happens then.
  package var content: Content
  /// Where the author wrote it.
  package var range: SourceRange

  /// Creates an event.
  package init(delay: Nanoseconds, content: Content, range: SourceRange) {
    self.delay = delay
    self.content = content
    self.range = range
  }
}
