package import Foundations

/// `network: { graphql: … }`.
package struct GraphQLSettings: Sendable {
  /// `schema:` the schema's file, relative to the scenario file.
  package var schema: Located<String>?
  /// `replies:`, `none` unless said.
  package var replies: Located<DescribedReplySource>?
  /// `persisted:` `auto`, `reject`, or a manifest's file.
  package var persisted: Located<String>?
  /// `url:` the endpoint that the schema is for; any unless said.
  package var url: Located<String>?
  /// `init:` what a client must say first on a WebSocket; anything, at any time, unless said.
  package var initialisation: GraphQLInitialisation?

  /// Creates settings.
  package init(
    schema: Located<String>? = nil, persisted: Located<String>? = nil, url: Located<String>? = nil
  ) {
    self.schema = schema
    self.persisted = persisted
    self.url = url
  }
}

/// `network: { graphql: { init: … } }`: how a WebSocket begins.
package struct GraphQLInitialisation: Sendable {
  /// `within:` how much virtual time a client has for `connection_init`; `nil` is any.
  package var within: Nanoseconds?
  /// `payload:` what it must carry: a subset unless `{exact: …}`; `nil` is anything.
  package var payload: GraphQLVariables?
  /// `reply:` what `connection_ack` carries.
  package var acknowledgement: DataNode?

  /// Creates settings.
  package init(
    within: Nanoseconds? = nil, payload: GraphQLVariables? = nil, acknowledgement: DataNode? = nil
  ) {
    self.within = within
    self.payload = payload
    self.acknowledgement = acknowledgement
  }
}

/// The condition on the GraphQL operations that an entry answers.
package struct GraphQLPattern: Sendable {

  /// query, mutation or subscription; `nil` is any.
  package var kind: GraphQLOperationKind?
  /// The operation's name; `nil` is any, and none.
  package var operation: Located<String>?
  /// `document:` the document that the client must send, however it is formatted.
  package var document: Located<String>?
  /// The place of each part of the document in its file; `nil` if it is not known.
  package var documentPlaces: TextPlaces?
  /// The endpoint's URL; `nil` is any.
  package var url: Located<String>?
  /// The condition on `variables`: a subset unless `{exact: …}`.
  ///
  /// `nil` is anything.
  package var variables: GraphQLVariables?

  /// Creates a pattern.
  package init(
    kind: GraphQLOperationKind?, operation: Located<String>?, document: Located<String>? = nil,
    url: Located<String>? = nil, variables: GraphQLVariables? = nil
  ) {
    self.kind = kind
    self.operation = operation
    self.document = document
    self.url = url
    self.variables = variables
  }
}

/// The condition on a GraphQL request's variables.
package struct GraphQLVariables: Sendable {
  /// The values, without those that have a matcher.
  package var values: DataNode
  /// True if nothing else may be there.
  package var exact: Bool
  /// Conditions by path: `$.filter.text`.
  package var matchers: [FieldMatcher]

  /// Creates a condition.
  package init(values: DataNode, exact: Bool, matchers: [FieldMatcher] = []) {
    self.values = values
    self.exact = exact
    self.matchers = matchers
  }
}

/// One entry of `stream:`.
package struct GraphQLStreamEntry: Sendable {
  /// An event of a subscription.
  package enum Event: Sendable {
    /// `next:` a result, with `data`, `errors` and `extensions`.
    case next(DataNode)
    /// `error:` the errors that end the stream, as a list.
    case error(DataNode)
    /// `complete: true`.
    case complete
    /// `close:` with a code and a reason.
    case close(code: Int, reason: String)
    /// `close: abrupt` or `close: reset`.
    case leave(ConnectionEnding)
  }

  /// The event; `nil` if only time passes.
  package var event: Event?
  /// `after:` the delay in virtual time since the entry before.
  package var delay: Nanoseconds
  /// The place of the entry.
  package var range: SourceRange

  /// Creates an entry.
  package init(event: Event?, delay: Nanoseconds, range: SourceRange) {
    self.event = event
    self.delay = delay
    self.range = range
  }
}
