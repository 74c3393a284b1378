internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of GraphQL.
  static let graphQLDefinitions: [LanguageDefinition] = [
    .map(
      "graphQL", "GraphQL endpoints.",
      [
        LanguageKey(
          "schema", .string,
          "The schema's file, in GraphQL's own language, relative to the scenario file."),
        LanguageKey(
          "persisted", .string,
          """
          Documents that clients name by a hash: auto learns them, reject asks for the \
          document every time; or the file of a manifest. auto unless said.
          """),
        LanguageKey(
          "url", .pattern("^https?://"), "The endpoint that the schema is for; any unless said."),
        LanguageKey("init", .the("graphQLInitialisation"), "How a WebSocket begins."),
      ]),
    .map(
      "graphQLInitialisation", "What a client says first on a WebSocket, and what it hears.",
      [
        LanguageKey(
          "within", .delay,
          "How much virtual time it has for connection_init; any unless said. Then code 4408."),
        LanguageKey(
          "payload", .anyMap,
          """
          What the payload must hold: a subset, or { exact: … }. A map of conditions is a \
          matcher. Otherwise code 4403.
          """),
        LanguageKey("ack", .data, "The payload of connection_ack."),
      ], rules: [.atLeastOneKey]),
    .map(
      "graphQLResponse", "A GraphQL operation and the queue of its replies.",
      [
        LanguageKey("query", .string, "The query's name; * is any."),
        LanguageKey("mutation", .string, "The mutation's name; * is any."),
        LanguageKey("subscription", .string, "The subscription's name; * is any."),
        LanguageKey("operation", .string, "The operation's name, of whatever kind; * is any."),
        LanguageKey(
          "document", .string, "The document that the client sends; its formatting does not count."),
        LanguageKey("name", .name, "What messages call the entry."),
        LanguageKey("url", .pattern(#"^(https?|\*)://"#), "The endpoint; any unless said."),
        LanguageKey(
          "variables", .anyMap,
          """
          What the variables must hold: a subset, or { exact: … }. A map of conditions is a \
          matcher.
          """),
        LanguageKey(
          "replies", .list(of: .the("graphQLReply"), atLeast: 1),
          "The queue: one for each request, in order."),
        LanguageKey("reply", .the("graphQLReply"), "A queue of one."),
        LanguageKey(
          "then", .words(of: QueueEnd.self),
          "What happens when the queue is empty. fail: the next request fails the scenario. next: later entries "
            + "answer, or unmatched does. Unless said, later entries answer, and a request that none answers "
            + "fails the scenario."),
      ],
      rules: [
        .someOf(["query", "mutation", "subscription", "operation", "document"]),
        .atMostOne(["query", "mutation", "subscription", "operation"]),
        .exactlyOne(["replies", "reply"]),
      ]),
    .map(
      "graphQLReply", "One GraphQL reply.",
      [
        LanguageKey("data", .data, "The reply's data."),
        LanguageKey("errors", .list(of: .data, atLeast: 1), "The reply's errors."),
        LanguageKey("extensions", .data, "The reply's extensions."),
        LanguageKey(
          "stream", .list(of: .the("graphQLStreamEntry"), atLeast: 1),
          "Results one after the other: a subscription, or a result in pieces."),
      ] + replyKeys + [timesKey],
      rules: [
        .apart("stream", from: Vocabulary.graphQLReplyBody),
        .someOf(Vocabulary.graphQLReplyBody + ["stream", "status", "fault"]),
      ]),
    .map(
      "graphQLStreamEntry", "Something that happens in a stream of results.",
      [
        LanguageKey("after", .delay, "The delay since the entry before, in virtual time."),
        LanguageKey("next", .the("graphQLResult"), "A result."),
        LanguageKey(
          "error", .data, "What ends the stream: a message, an error, or a list of errors."),
        LanguageKey("complete", .truth, "The end of the stream; without it the stream stays open."),
        LanguageKey(
          "close",
          .map(
            .the("webSocketClose"),
            or: .either(.integer(1000...4999), .either(.words(of: ConnectionEnding.self), .nothing))
          ),
          """
          The end of the WebSocket: a code, a code with a reason, or no word at all; other \
          ways of delivery break off.
          """),
      ], rules: [.atLeastOneKey]),
    .map(
      "graphQLResult", "One result of a stream.",
      [
        LanguageKey("data", .data, "The result's data."),
        LanguageKey("errors", .list(of: .data, atLeast: 1), "The result's errors."),
        LanguageKey("extensions", .data, "The result's extensions."),
        LanguageKey("path", .data, "Where the data belongs, for a result that was deferred."),
        LanguageKey("label", .data, "The label of @defer or @stream."),
        LanguageKey("items", .data, "More elements of a list, for a field with @stream."),
        LanguageKey(
          "pending", .data,
          "Results that will come in pieces, each with an id and a path."),
        LanguageKey(
          "incremental", .data, "Pieces of results that were told as pending."),
        LanguageKey(
          "completed", .data, "Pending results that are complete, by their ids."),
      ]),
  ]
}
