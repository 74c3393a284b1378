internal import Foundations

extension LanguageDescription {
  /// The definitions of replies that happen over time.
  static let streamDefinitions: [LanguageDefinition] = [
    .shape(
      "piece", "A text, or content of another kind.",
      .map(.the("pieceContent"), or: .text)),
    .map(
      "pieceContent", "The content of a piece or of a message.",
      [
        LanguageKey("text", .text, "A text."),
        LanguageKey("json", .data, "Data, sent as JSON."),
        LanguageKey("base64", .string, "Bytes, in Base64."),
        LanguageKey("file", .text, "The bytes of a file, relative to the scenario file."),
      ], rules: [.exactlyOne(["text", "json", "base64", "file"])]),
    .map(
      "streamStep", "A step of a stream.",
      [
        LanguageKey("after", .delay, "Virtual time since the step before."),
        LanguageKey("send", .the("piece"), "A piece of the body."),
        LanguageKey(
          "close", .words(of: ConnectionEnding.self),
          "The end: proper, in the middle of the message, or by a reset."),
      ], rules: [.exactlyOne(["send", "close"])]),
    .map(
      "webSocketStep", "A step of a WebSocket's script.",
      [
        LanguageKey("after", .delay, "Virtual time since the step before."),
        LanguageKey(
          "expect",
          .map(
            by: [
              (["base64"], .the("exactBase64")), (Vocabulary.textMatcher, .the("textConditions")),
            ], or: .text), "What the client's next message must be."),
        LanguageKey(
          "send", .the("piece"), "A message: text and JSON as text, bytes and files as binary."),
        LanguageKey("ping", .either(.string, .nothing), "A ping with a text of at most 125 bytes."),
        LanguageKey(
          "close",
          .map(
            .the("webSocketClose"),
            or: .either(.integer(1000...4999), .either(.words(of: ConnectionEnding.self), .nothing))
          ), "The end: a code, a code with a reason, or no word at all."),
      ], rules: [.exactlyOne(Vocabulary.webSocketActions), .apart("after", from: ["expect"])]),
    .map(
      "exactBase64", "The bytes of a binary message.",
      [LanguageKey("base64", .string, "The bytes, in Base64.", isRequired: true)]),
    .map(
      "webSocketClose", "A code and a reason.",
      [
        LanguageKey("code", .integer(1000...4999), "The code.", isRequired: true),
        LanguageKey("reason", .string, "The reason, at most 123 bytes."),
      ]),
    .map(
      "grpc", "Messages and a status of gRPC.",
      [
        LanguageKey("message", .the("grpcPiece"), "The only message."),
        LanguageKey("messages", .list(of: .the("grpcPiece")), "The messages in order."),
        LanguageKey(
          "status",
          .either(
            .integer(0...),
            .words([
              "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
              "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
              "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
              "UNAUTHENTICATED",
            ])), "The status, as a number or a name; 0 or OK unless said."),
        LanguageKey("error", .text, "The text beside the status."),
      ], rules: [.atMostOne(["message", "messages"])]),
    .shape(
      "grpcPiece", "A message of gRPC.",
      .map(.the("grpcMessage"), or: .text)),
    .map(
      "grpcMessage", "A message of gRPC, with its delay, or what is expected of the client's next.",
      [
        LanguageKey("after", .delay, "Virtual time since the message before."),
        LanguageKey("text", .text, "A text."),
        LanguageKey("json", .data, "Data, sent as JSON."),
        LanguageKey("base64", .string, "Bytes, in Base64."),
        LanguageKey("file", .text, "The bytes of a file, relative to the scenario file."),
        LanguageKey(
          "expect",
          .map(
            by: [
              (["base64"], .the("exactBase64")), (Vocabulary.textMatcher, .the("textConditions")),
            ], or: .text), "What the client's next message must be; `end` if it has no more."),
      ], rules: [.exactlyOne(Vocabulary.pieces + ["expect"]), .apart("after", from: ["expect"])]),
  ]
}
