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
      "persisted", .string,
      """
      Documents that clients name by a hash: auto learns them, reject asks for the \
      document every time; or the file of a manifest. auto unless said.
      """, \.persisted)
    Field(
      "url", .pattern("^https?://"), "The endpoint that the schema is for; any unless said.", \.url
    ) { decoder, node in
      decoder.decodeText(node, "url").flatMap { decoder.checkURL($0) ? $0 : nil }
    }
    Field("init", .the("graphQLInitialisation"), "How a WebSocket begins.", \.initialisation) {
      $0.decodeInitialisation($1)
    }
  }

  static let graphQLInitialisation = MapGrammar<GraphQLInitialisation>(
    "graphQLInitialisation", "What a client says first on a WebSocket, and what it hears.",
    rules: [.atLeastOneKey]
  ) {
    Field(
      "within", .delay,
      "How much virtual time it has for connection_init; any unless said. Then code 4408.", \.within
    )
    Field(
      "payload", .anyMap,
      """
      What the payload must hold: a subset, or { exact: … }. A map of conditions is a \
      matcher. Otherwise code 4403.
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
    Field("query", .string, "The query's name; * is any.")
    Field("mutation", .string, "The mutation's name; * is any.")
    Field("subscription", .string, "The subscription's name; * is any.")
    Field("operation", .string, "The operation's name, of whatever kind; * is any.")
    Field(
      "document", .string, "The document that the client sends; its formatting does not count.")
    Field("name", .name, "What messages call the entry.")
    Field("url", .pattern(#"^(https?|\*)://"#), "The endpoint; any unless said.")
    Field(
      "variables", .anyMap,
      """
      What the variables must hold: a subset, or { exact: … }. A map of conditions is a \
      matcher.
      """)
    Field(
      "reply", .oneOrMore(.the("graphQLReply")),
      "The reply, or a queue of some: one for each request, in order.",
      isRequired: true
    ).formerly("replies")
    Field(
      "then", .words(of: QueueEnd.self),
      "What happens when the queue is empty. fail: the next request fails the scenario. next: later entries "
        + "answer, or unmatched does. Unless said, later entries answer, and a request that none answers "
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
      "Results one after the other: a subscription, or a result in pieces.")
    replyHead
    times
  }

  static let graphQLStreamEntry = MapGrammar<Void>(
    "graphQLStreamEntry", "Something that happens in a stream of results.", rules: [.atLeastOneKey]
  ) {
    Field("after", .delay, "The delay since the entry before, in virtual time.")
    Field("next", .the("graphQLResult"), "A result.")
    Field(
      "error", .data, "What ends the stream: a message, an error, or a list of errors.")
    Field("complete", .truth, "The end of the stream; without it the stream stays open.")
    Field(
      "close",
      .map(
        .the("webSocketClose"),
        or: .either(.integer(1000...4999), .either(.words(of: ConnectionEnding.self), .nothing))
      ),
      """
      The end of the WebSocket: a code, a code with a reason, or no word at all; other \
      ways of delivery break off.
      """)
  }

  static let graphQLResult = MapGrammar<Void>("graphQLResult", "One result of a stream.") {
    Field("data", .data, "The result's data.")
    Field("errors", .list(of: .data, atLeast: 1), "The result's errors.")
    Field("extensions", .data, "The result's extensions.")
    Field("path", .data, "Where the data belongs, for a result that was deferred.")
    Field("label", .data, "The label of @defer or @stream.")
    Field("items", .data, "More elements of a list, for a field with @stream.")
    Field(
      "pending", .data,
      "Results that will come in pieces, each with an id and a path.")
    Field(
      "incremental", .data, "Pieces of results that were told as pending.")
    Field(
      "completed", .data, "Pending results that are complete, by their ids.")
  }
}
