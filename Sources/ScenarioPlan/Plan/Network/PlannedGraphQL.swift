package import Foundations
package import Patterns
internal import ScenarioModel

/// The settings of the GraphQL endpoints of a case.
package struct PlannedGraphQL: Sendable, Hashable, Codable {
  /// The handling of documents that clients name instead of sending them.
  package enum Persisted: Sendable, Hashable, Codable {
    /// Documents are learned as clients send them.
    case automatic
    /// Documents by name are refused.
    case reject
    /// Documents are in a file, whose path is resolved.
    case manifest(path: String)
  }

  /// The schema's file, its path resolved.
  package var schemaPath: String?
  /// The seed of the replies that the schema gives where no entry does; `nil` where it gives none.
  package var sampleSeed: Int64?
  /// The handling of documents that clients name.
  package var persisted: Persisted
  /// The endpoint that it is about; `nil` is any.
  package var url: URLPattern?
  /// The way in which a WebSocket begins; `nil` is any way.
  package var initialisation: PlannedGraphQLInitialisation?

  /// Creates settings.
  package init(schemaPath: String? = nil, persisted: Persisted = .automatic, url: URLPattern? = nil)
  {
    self.schemaPath = schemaPath
    self.persisted = persisted
    self.url = url
  }
}

/// The first message that a client must send on a WebSocket.
package struct PlannedGraphQLInitialisation: Sendable, Hashable, Codable {
  /// The virtual time that it has for it; `nil` is any.
  package var within: Nanoseconds?
  /// The condition on the payload, in the form of one on variables; `nil` is anything.
  package var payload: PlannedGraphQLMatch?
  /// The payload of the reply to the client.
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

/// The condition on the GraphQL operations that an entry answers.
package struct PlannedGraphQLMatch: Sendable, Hashable, Codable {
  /// The kind; `nil` is any.
  package var kind: GraphQLOperationKind?
  /// The operation's name; `nil` is any, and none.
  package var operation: String?
  /// The document in its canonical form; `nil` is any.
  package var document: String?
  /// The endpoint; `nil` is any.
  package var url: URLPattern?
  /// The values that the variables must have; `nil` is anything.
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
  /// The content of an event.
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
  /// The content of the event.
  package var content: Content
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates an event.
  package init(delay: Nanoseconds, content: Content, range: SourceRange) {
    self.delay = delay
    self.content = content
    self.range = range
  }
}
