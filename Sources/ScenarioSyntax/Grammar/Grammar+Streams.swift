internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of replies that happen over time.
  static let streamDefinitions: [LanguageDefinition] = [
    .shape(
      "piece", "A text, or other content.",
      .map(.the("pieceContent"), or: .text)),
    Grammar.pieceContent.definition,
    Grammar.fileContent.definition,
    Grammar.streamStep.definition,
    Grammar.webSocketStep.definition,
    Grammar.conversationStep.definition,
    Grammar.exactBase64.definition,
    Grammar.webSocketClose.definition,
    Grammar.grpc.definition,
    .shape(
      "grpcPiece", "A gRPC message.",
      .map(.the("grpcMessage"), or: .text)),
    Grammar.grpcMessage.definition,
    Grammar.expectedMessage.definition,
  ]
}

extension SchemaShape {
  /// The delay of a step of a body: a length, or a draw.
  fileprivate static var stepDelay: SchemaShape { .map(.the("drawnDelay"), or: .delay) }
}

extension Grammar {
  private static let stepDelaySummary =
    "The virtual time since the previous step. An expression may use the request."

  static let pieceContent = MapGrammar<PieceContent?>(
    "pieceContent", "The content of a piece or of a message.",
    rules: [.exactlyOne(["text", "json", "base64", "file"])]
  ) {
    Field("text", .text, "A text.", \.self) { $0.decodeTemplate($1, "text").map { .text($0) } }
    Field("json", .data, "Data, sent as JSON.", \.self) { $0.decodeData($1).map { .json($0) } }
    Field("base64", .string, "Bytes, in Base64.", \.self) { $0.decodeBytes($1).map { .bytes($0) } }
    Field(
      "file", .map(.the("fileContent"), or: .text),
      "The bytes of a file, relative to the scenario file.", \.self
    ) { $0.decodeFileContent($1).map { .file($0) } }
  }

  static let fileContent = MapGrammar<FileContent>(
    "fileContent", "A file, and how it is sent."
  ) {
    Field(
      "path", .text,
      """
      The path, relative to the scenario file. Expressions may use the request; what they make of the path stays below \
      the folder that is written in front of them.
      """, \.path
    ) { $0.decodeFilePath($1, "path") }.required("path: bodies/user.json")
    Field(
      "expressions", .truth,
      "Whether expressions in the file's text are filled in, as in `text` (default: no).",
      \.hasExpressions)
  }

  static let streamStep = MapGrammar<StreamStep.Action?>(
    "streamStep", "A step of a stream.", rules: [.exactlyOne(["send", "close"])]
  ) {
    Field("after", .stepDelay, stepDelaySummary)
    Field("send", .the("piece"), "A piece of the body.", \.self) {
      $0.decodePiece($1, "send").map { .send($0) }
    }
    Field(
      "close", .word(of: ConnectionEnding.self),
      "How the stream ends: properly, in the middle of the message, or with a reset."
    ) { $0 = .close($1.value) }
  }

  static let webSocketStep = MapGrammar<WebSocketStep.Action?>(
    "webSocketStep", "A step of a WebSocket's script.",
    rules: [.exactlyOne(["close", "expect", "ping", "send"]), .apart("after", from: ["expect"])]
  ) {
    Field("after", .stepDelay, stepDelaySummary)
    Field(
      "expect",
      .map(
        by: [
          (["base64"], .the("exactBase64")), (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .text), "Expectations on the client's next message; `end` if there is none.", \.self
    ) { $0.decodeMessageCondition($1) }
    Field(
      "send", .the("piece"), "A message: text and JSON as text, bytes and files as binary.", \.self
    ) { $0.decodePiece($1, "send").map { .send($0) } }
    Field(
      "ping", .either(.string, .nothing), "A ping with a text of at most 125 bytes.", \.self
    ) { $0.decodePing($1) }
    Field(
      "close",
      .map(
        .the("webSocketClose"),
        or: .either(.integer(1000...4999), .either(.words(of: ConnectionEnding.self), .nothing))
      ),
      """
      Closes the connection: with a code (without a value, or end: 1000), with a code and a \
      reason, or without a close frame (abrupt, reset). Expressions in the code and the reason may use the request.
      """,
      \.self
    ) { $0.decodeWebSocketClose($1) }
  }

  static let conversationStep = MapGrammar<ConversationStep.Action?>(
    "conversationStep", "A step of a TCP connection's script.",
    rules: [
      .exactlyOne(["close", "expect", "send", "starttls"]), .apart("after", from: ["expect"]),
      .needs("until", "expect"), .needs("bytes", "expect"), .atMostOne(["until", "bytes"]),
    ]
  ) {
    Field("after", .delay, "The virtual time since the previous step.")
    Field(
      "expect",
      .map(
        by: [
          (["base64"], .the("exactBase64")), (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .text),
      """
      Expectations on the client's next line, without its end; or on what comes `until` a text, or on the next \
      `bytes`. `base64` are the next bytes themselves; `end` if the client closes its side.
      """
    )
    Field("until", .string, "The text that ends what `expect` reads, instead of a line feed.")
    Field("bytes", .integer(1...), "The number of bytes that `expect` reads.")
    Field(
      "send", .the("piece"),
      "What is sent. `${{ request.body }}` is what the last `expect` has read.", \.self
    ) { $0.decodePiece($1, "send").map { .send($0) } }
    Field("starttls", .nothing, "Goes on in TLS, with a certificate for the host.", \.self) {
      $0.decodeStartTLS($1)
    }
    Field(
      "close", .either(.words(of: ConnectionEnding.self), .nothing),
      """
      Closes the connection: properly (without a value, or end), without the end of TLS (abrupt), or with a reset.
      """, \.self
    ) { $0.decodeConversationClose($1) }
  }

  static let exactBase64 = MapGrammar<Void>("exactBase64", "The bytes of a binary message.") {
    Field("base64", .string, "The bytes, in Base64.", isRequired: true)
  }

  static let webSocketClose = MapGrammar<Void>("webSocketClose", "A code and a reason.") {
    Field("code", .integer(1000...4999), "The code.", isRequired: true)
    Field("reason", .text, "The reason, at most 123 bytes.")
  }

  static let grpc = MapGrammar<Void>("grpc", "gRPC messages and a status.") {
    Field(
      "messages", .either(.the("grpcPiece"), .list(of: .the("grpcPiece"))),
      "The message, or several in order."
    ).formerly("message")
    Field(
      "status",
      .either(
        .integer(0...),
        .words([
          "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
          "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
          "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
          "UNAUTHENTICATED",
        ])),
      "The status, as a number or a name (default: 0, OK). An expression may use the request.")
    Field("error", .text, "The message of the status.")
  }

  static let grpcMessage = MapGrammar<Void>(
    "grpcMessage", "A gRPC message with its delay, or expectations on the client's next one.",
    rules: [
      .exactlyOne(["message"] + Grammar.pieceContent.keys + ["expect"]),
      .apart("after", from: ["expect"]),
    ]
  ) {
    Field("after", .stepDelay, stepDelaySummary)
    Field(
      "message", .data,
      "The message by its fields, in the JSON form of Protocol Buffers; needs `network.grpc`.")
    Field("text", .text, "A text.")
    Field("json", .data, "Data, sent as JSON.")
    Field("base64", .string, "Bytes, in Base64.")
    Field(
      "file", .map(.the("fileContent"), or: .text),
      "The bytes of a file, relative to the scenario file.")
    Field(
      "expect",
      .map(
        by: [
          (["base64"], .the("exactBase64")), (["message"], .the("expectedMessage")),
          (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .text), "Expectations on the client's next message; `end` if there is none.")
  }

  static let expectedMessage = MapGrammar<Void>(
    "expectedMessage", "Conditions on a gRPC message."
  ) {
    Field(
      "message", .the("jsonCondition"),
      "The decoded message, with the conditions of `json`; needs `network.grpc`.", isRequired: true)
  }
}
