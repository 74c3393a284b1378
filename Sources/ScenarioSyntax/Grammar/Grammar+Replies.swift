internal import Foundations
internal import ScenarioModel

extension LanguageDescription {

  /// The definitions of replies.
  static let replyDefinitions: [LanguageDefinition] = [
    Grammar.replyFault.definition,
    Grammar.shortReply.definition,
    Grammar.reply.definition,
  ]
}

extension Grammar {
  /// The fields of every reply, whatever its body.
  @FieldBuilder<Reply>
  static var replyHead: [Field<Reply>] {
    Field("status", .integer(200...599), "The HTTP status; 200 unless said.", \.status) {
      $0.decodeCount($1, "status", in: 200...599, code: .badStatus)
    }
    Field(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list stands for several fields.",
      \.headers
    ) { $0.decodeHeaders($1) }
    Field("after", .delay, "The delay before the reply, in virtual time.", \.delay)
    Field("trailers", .map(of: .text), "Fields behind the body, by name.", \.trailers) {
      $0.decodeTrailers($1)
    }
    Field(
      "encoding", .word(),
      """
      How the body is packed for the way; identity unless said, auto is as the client \
      likes it.
      """, \.encoding)
    Field("reason", .string, "The words behind the status.", \.reason) { $0.decodeReason($1) }
    Field(
      "fault",
      .map(
        .the("replyFault"),
        or: .words(["close", "empty", "garbage", "goaway", "hang", "malformed_chunk", "reset"])),
      "How the reply goes wrong.", \.fault
    ) { $0.decodeReplyFault($1) }
  }

  /// The number of times that a reply of a queue is given.
  static let times = Field<Reply>(
    "times", .count(1...), "How many requests in a row this reply answers; 1 unless said.",
    \.times)

  /// The bodies of replies, one at most.
  private static let bodies: [Field<Reply>] = [
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
      "bandwidth", .byteCount,
      "Send the body at so many bytes for each second of virtual time, such as 1KiB/s."
    ).formerly("slow")
  }

  static let shortReply = MapGrammar<Reply>(
    "shortReply", "A reply for any number of requests.",
    rules: [.atMostOne(Grammar.replyBodies + Grammar.streamedBodies)]
  ) {
    replyHead
    bodies
  }

  static let reply = MapGrammar<Reply>(
    "reply", "One reply of the queue.",
    rules: [.atMostOne(Grammar.replyBodies + Grammar.streamedBodies)]
  ) {
    replyHead
    bodies
    times
  }
}
