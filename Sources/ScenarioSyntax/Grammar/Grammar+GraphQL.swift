internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of GraphQL.
  static let graphQLDefinitions: [LanguageDefinition] = [
    Grammar.graphQL.definition,
    Grammar.graphQLInitialisation.definition,
    Grammar.graphQLResponse.definition,
    Grammar.graphQLReply.definition,
    Grammar.graphQLStreamEntry.definition,
    Grammar.graphQLResult.definition,
  ]
}

extension Grammar {
  static let graphQLKinds = GraphQLOperationKind.allCases.map(\.rawValue) + ["operation"]
  static let graphQLReplyBody = ["data", "errors", "extensions"]

  static let graphQL = MapGrammar<GraphQLSettings>("graphQL", "GraphQL endpoints.") {
    Field(
      "schema", .string,
      "The schema's file, in GraphQL's own language, relative to the scenario file.", \.schema)
    Field(
      "replies", .word(),
      """
      The replies to queries and mutations that no response answers. examples: those of the schema (@example, \
      @examples), or values that its types allow. none (default): there are none.
      """, \.replies)
    Field(
      "persisted", .string,
      """
      How clients may send documents by hash. auto (default): learns the hashes; reject: asks \
      for the document every time; or a manifest file.
      """, \.persisted)
    Field(
      "url", .pattern("^https?://"), "The endpoint that the schema applies to (default: any).",
      \.url
    ) { decoder, node in
      decoder.decodeText(node, "url").flatMap { decoder.checkURL($0) ? $0 : nil }
    }
    Field(
      "init", .the("graphQLInitialisation"), "How a WebSocket connection is initialized.",
      \.initialisation
    ) {
      $0.decodeInitialisation($1)
    }
  }

  static let graphQLInitialisation = MapGrammar<GraphQLInitialisation>(
    "graphQLInitialisation", "The client's first message on a WebSocket, and the reply to it.",
    rules: [.atLeastOneKey]
  ) {
    Field(
      "within", .delay,
      """
      The maximum virtual time until connection_init (default: no limit). After it, the \
      connection closes with code 4408.
      """, \.within
    )
    Field(
      "payload", .anyMap,
      """
      What the payload must contain: a subset, or { exact: … }. A map of conditions is a \
      matcher. Otherwise the connection closes with code 4403.
      """, \.payload
    ) { $0.decodeVariables($1, "payload") }
    Field("reply", .data, "The payload of connection_ack.", \.acknowledgement) {
      $0.decodeData($1)
    }.formerly("ack")
  }

  static let graphQLResponse = MapGrammar<Void>(
    "graphQLResponse", "A GraphQL operation and the queue of its replies.",
    rules: [
      .someOf(["query", "mutation", "subscription", "operation", "document"]),
      .atMostOne(["query", "mutation", "subscription", "operation"]),
    ]
  ) {
    Field("query", .string, "The query's name; * matches any.")
    Field("mutation", .string, "The mutation's name; * matches any.")
    Field("subscription", .string, "The subscription's name; * matches any.")
    Field("operation", .string, "The name of an operation of any kind; * matches any.")
    Field(
      "document", .string, "The document that the client sends; formatting is ignored.")
    Field("name", .name, "The entry's name in messages.")
    Field("url", .pattern(#"^(https?|\*)://"#), "The endpoint (default: any).")
    Field(
      "variables", .anyMap,
      """
      What the variables must contain: a subset, or { exact: … }. A map of conditions is a \
      matcher.
      """)
    Field(
      "reply", .oneOrMore(.the("graphQLReply")),
      "The reply, or a queue of replies: one per request, in order.",
      isRequired: true
    ).formerly("replies")
    Field(
      "then", .words(of: QueueEnd.self),
      "What happens when the queue is empty. fail: the next request fails the scenario. next: later entries "
        + "answer, or unmatched applies. By default later entries answer, and a request that no entry answers "
        + "fails the scenario.")
    stateFields
  }

  static let graphQLReply = MapGrammar<Reply>(
    "graphQLReply", "One GraphQL reply.",
    rules: [
      .apart("stream", from: Grammar.graphQLReplyBody),
      .someOf(Grammar.graphQLReplyBody + ["stream", "status", "fault"]),
    ]
  ) {
    Field("data", .data, "The reply's data.")
    Field("errors", .list(of: .data, atLeast: 1), "The reply's errors.")
    Field("extensions", .data, "The reply's extensions.")
    Field(
      "stream", .list(of: .the("graphQLStreamEntry"), atLeast: 1),
      "Results in order: those of a subscription, or one result in parts.")
    replyHead
    times
  }

  static let graphQLStreamEntry = MapGrammar<Void>(
    "graphQLStreamEntry", "An event in a stream of results.", rules: [.atLeastOneKey]
  ) {
    Field("after", .delay, "The delay after the previous entry, in virtual time.")
    Field("next", .the("graphQLResult"), "A result.")
    Field(
      "error", .data, "The error that ends the stream: a message, an error, or a list of errors.")
    Field("complete", .truth, "Completes the stream. Without it the stream stays open.")
    Field(
      "close",
      .map(
        .the("webSocketClose"),
        or: .either(.integer(1000...4999), .either(.words(of: ConnectionEnding.self), .nothing))
      ),
      """
      Closes the WebSocket: with a code (without a value, or end: 1000), with a code and a \
      reason, or without a close frame (abrupt, reset). Other transports disconnect.
      """)
  }

  static let graphQLResult = MapGrammar<Void>("graphQLResult", "One result of a stream.") {
    Field("data", .data, "The result's data.")
    Field("errors", .list(of: .data, atLeast: 1), "The result's errors.")
    Field("extensions", .data, "The result's extensions.")
    Field("path", .data, "The path of the data, for a deferred result.")
    Field("label", .data, "The label of @defer or @stream.")
    Field("items", .data, "More elements of a list, for a field with @stream.")
    Field(
      "pending", .data,
      "Results that will arrive in parts, each with an id and a path.")
    Field(
      "incremental", .data, "Parts of the results announced in `pending`.")
    Field(
      "completed", .data, "Pending results that are complete, by their ids.")
  }
}
