internal import ScenarioModel

extension LanguageDescription {
  /// What every reply may say, whatever its body.
  static let replyKeys = [
    LanguageKey("status", .integer(200...599), "The HTTP status; 200 unless said."),
    LanguageKey(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list stands for several fields."),
    LanguageKey("after", .delay, "The delay before the reply, in virtual time."),
    LanguageKey("trailers", .map(of: .text), "Fields behind the body, by name."),
    LanguageKey(
      "encoding", .words(of: BodyEncoding.self),
      """
      How the body is packed for the way; identity unless said, auto is as the client \
      likes it.
      """),
    LanguageKey("reason", .string, "The words behind the status."),
    LanguageKey(
      "fault",
      .map(
        .the("replyFault"),
        or: .words(["close", "empty", "garbage", "goaway", "hang", "malformed_chunk", "reset"])),
      "How the reply goes wrong."),
  ]

  /// How often a reply of a queue is given.
  static let timesKey = LanguageKey(
    "times", .integer(1...), "How many requests in a row this reply answers; 1 unless said.")

  /// The bodies of replies, one at most.
  private static let bodyKeys = [
    LanguageKey("json", .data, "The body, sent as JSON."),
    LanguageKey("text", .text, "The body, sent as text."),
    LanguageKey("file", .text, "The body's file, relative to the scenario file."),
    LanguageKey(
      "stream", .list(of: .the("streamStep"), atLeast: 1),
      "The body, piece by piece over virtual time."),
    LanguageKey(
      "websocket", .list(of: .the("webSocketStep")),
      "What is said over the WebSocket that the connection becomes."),
    LanguageKey("grpc", .the("grpc"), "Messages and a status of gRPC."),
    LanguageKey("base64", .string, "The body as Base64."),
  ]

  /// The definitions of replies.
  static let replyDefinitions: [LanguageDefinition] = [
    .map(
      "replyFault", "A fault that has a value.",
      [
        LanguageKey(
          "truncate", .byteCount,
          "Close the connection behind so many bytes of the body, such as 100B."),
        LanguageKey(
          "slow", .byteCount,
          "Send the body at so many bytes for each second of virtual time, such as 1KiB/s."),
      ], rules: [.exactlyOneKey]),
    .map(
      "shortReply", "A reply for any number of requests.", replyKeys + bodyKeys,
      rules: [.atMostOne(Vocabulary.replyBodies + Vocabulary.streamedBodies)]),
    .map(
      "reply", "One reply of the queue.", replyKeys + bodyKeys + [timesKey],
      rules: [.atMostOne(Vocabulary.replyBodies + Vocabulary.streamedBodies)]),
  ]
}
