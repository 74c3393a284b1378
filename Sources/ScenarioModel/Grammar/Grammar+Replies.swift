extension LanguageDescription {

  /// The definitions of replies.
  static let replyDefinitions: [LanguageDefinition] = [
    Grammar.replyFault.definition,
    Grammar.shortReply.definition,
    Grammar.reply.definition,
  ]
}

extension Grammar {
  /// What every reply may say, whatever its body.
  static let replyHead: [Field<Void>] = [
    Field("status", .integer(200...599), "The HTTP status; 200 unless said."),
    Field(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list stands for several fields."),
    Field("after", .delay, "The delay before the reply, in virtual time."),
    Field("trailers", .map(of: .text), "Fields behind the body, by name."),
    Field(
      "encoding", .words(of: BodyEncoding.self),
      """
      How the body is packed for the way; identity unless said, auto is as the client \
      likes it.
      """),
    Field("reason", .string, "The words behind the status."),
    Field(
      "fault",
      .map(
        .the("replyFault"),
        or: .words(["close", "empty", "garbage", "goaway", "hang", "malformed_chunk", "reset"])),
      "How the reply goes wrong."),
  ]

  /// How often a reply of a queue is given.
  static let times = Field<Void>(
    "times", .integer(1...), "How many requests in a row this reply answers; 1 unless said.")

  /// The bodies of replies, one at most.
  private static let bodies: [Field<Void>] = [
    Field("json", .data, "The body, sent as JSON."),
    Field("text", .text, "The body, sent as text."),
    Field("file", .text, "The body's file, relative to the scenario file."),
    Field(
      "stream", .list(of: .the("streamStep"), atLeast: 1),
      "The body, piece by piece over virtual time."),
    Field(
      "websocket", .list(of: .the("webSocketStep")),
      "What is said over the WebSocket that the connection becomes."),
    Field("grpc", .the("grpc"), "Messages and a status of gRPC."),
    Field("base64", .string, "The body as Base64."),
  ]

  static let replyBodies = ["base64", "file", "json", "text"]
  /// Bodies of replies that happen over time.
  static let streamedBodies = ["grpc", "stream", "websocket"]

  static let replyFault = MapGrammar<Void>(
    "replyFault", "A fault that has a value.", rules: [.exactlyOneKey]
  ) {
    Field(
      "truncate", .byteCount,
      "Close the connection behind so many bytes of the body, such as 100B.")
    Field(
      "slow", .byteCount,
      "Send the body at so many bytes for each second of virtual time, such as 1KiB/s.")
  }

  static let shortReply = MapGrammar<Void>(
    "shortReply", "A reply for any number of requests.",
    rules: [.atMostOne(Grammar.replyBodies + Grammar.streamedBodies)]
  ) {
    replyHead
    bodies
  }

  static let reply = MapGrammar<Void>(
    "reply", "One reply of the queue.",
    rules: [.atMostOne(Grammar.replyBodies + Grammar.streamedBodies)]
  ) {
    replyHead
    bodies
    times
  }
}
