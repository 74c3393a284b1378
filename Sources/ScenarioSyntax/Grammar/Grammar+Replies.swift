internal import Foundations
internal import ScenarioModel

extension LanguageDescription {

  /// The definitions of replies.
  static let replyDefinitions: [LanguageDefinition] = [
    Grammar.replyFault.definition,
    Grammar.shortReply.definition,
    Grammar.reply.definition,
    Grammar.drawnDelay.definition,
    Grammar.uniformDelay.definition,
    Grammar.normalDelay.definition,
    Grammar.lognormalDelay.definition,
    Grammar.webhook.definition,
    Grammar.webhookRequest.definition,
    Grammar.webhookRetries.definition,
  ]
}

extension Grammar {
  /// The fields of every reply, whatever its body.
  @FieldBuilder<Reply>
  static var replyHead: [Field<Reply>] {
    Field(
      "status", .integer(200...599),
      "The HTTP status; 200 unless said. An expression may see the request.", \.status
    ) { $0.decodeReplyStatus($1) }
    Field(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list stands for several fields.",
      \.headers
    ) { $0.decodeHeaders($1) }
    Field(
      "after", .map(.the("drawnDelay"), or: .delay),
      "The delay before the reply, in virtual time. An expression may see the request.", \.delay
    ) { $0.decodeReplyDelay($1) }
    Field("trailers", .map(of: .text), "Fields behind the body, by name.", \.trailers) {
      $0.decodeTrailers($1)
    }
    Field(
      "encoding", .word(),
      """
      The Content-Encoding of the body (default: identity); auto picks one that the \
      client accepts.
      """, \.encoding)
    Field("reason", .string, "The reason phrase.", \.reason) { $0.decodeReason($1) }
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

  static let drawnDelay = MapGrammar<DelayDistribution?>(
    "drawnDelay",
    "A delay by chance: another one for each request, and the same ones from the same seed.",
    rules: [.exactlyOneKey]
  ) {
    Field("uniform", .the("uniformDelay"), "All lengths between two are alike likely.", \.self) {
      $0.decodeUniformDelay($1)
    }
    Field(
      "normal", .the("normalDelay"), "Lengths around a mean; those below zero are none.", \.self
    ) { $0.decodeNormalDelay($1) }
    Field(
      "lognormal", .the("lognormalDelay"),
      "Lengths around a median, with a long tail, as those of servers are.", \.self
    ) { $0.decodeLognormalDelay($1) }
  }

  static let uniformDelay = MapGrammar<DelayParameters>(
    "uniformDelay", "All lengths between two, both included."
  ) {
    Field("from", .delay, "The shortest.", \.from).required("from: 100ms")
    Field("to", .delay, "The longest.", \.to).required("to: 2s")
  }

  static let normalDelay = MapGrammar<DelayParameters>("normalDelay", "Lengths around a mean.") {
    Field("mean", .delay, "The mean.", \.mean).required("mean: 300ms")
    Field(
      "deviation", .delay, "The standard deviation: two of three are no further from the mean.",
      \.deviation
    ).required("deviation: 50ms")
    longest
  }

  static let lognormalDelay = MapGrammar<DelayParameters>(
    "lognormalDelay", "Lengths with a long tail."
  ) {
    Field("median", .delay, "Half of them are shorter.", \.median).required("median: 100ms")
    Field(
      "sigma", .number(0...10),
      "The standard deviation of their natural logarithms: 0.1 for a short tail, 1 for a long one.",
      \.sigma
    ) { $0.decodeSigma($1) }.required("sigma: 0.4")
    longest
  }

  private static let longest = Field<DelayParameters>(
    "at_most", .delay, "Longer ones are cut to this; a year unless said.", \.limit)

  static let shortReply = MapGrammar<Reply>(
    "shortReply", "A reply for any number of requests.",
    rules: [.atMostOne(Grammar.replyBodies + Grammar.streamedBodies)]
  ) {
    replyHead
    bodies
    webhooks
  }

  static let reply = MapGrammar<Reply>(
    "reply", "One reply of the queue.",
    rules: [.atMostOne(Grammar.replyBodies + Grammar.streamedBodies)]
  ) {
    replyHead
    bodies
    webhooks
    times
  }

  // MARK: - Webhooks

  private static let webhooks = Field<Reply>(
    "webhooks", .list(of: .the("webhook"), atLeast: 1),
    "Requests that are made to targets of the case once the reply is due.", \.webhooks
  ) { $0.decodeWebhooks($1) }

  static let webhook = MapGrammar<Webhook>(
    "webhook", "A request to a target of the case, once the reply to another one is due."
  ) {
    Field("request", .the("webhookRequest"), "The request.", \.request) {
      $0.decodeWebhookRequest($1)
    }.required("request: { url: \"http://hook.test/paid\" }")
    Field(
      "after", .map(.the("drawnDelay"), or: .delay),
      "The delay behind the instant at which the reply is due, in virtual time; none unless said.",
      \.delay
    ) { $0.decodeReplyDelay($1) }
    Field(
      "within", .delay, "How much virtual time the target has to answer; 30s unless said.",
      \.patience)
    Field(
      "retries", .map(.the("webhookRetries"), or: .integer(0...Int64(webhookRetryLimit))),
      "How often it is sent again while no target takes it: a number, or a map; not at all unless said.",
      \.retries
    ) { $0.decodeWebhookRetries($1) }
    Field(
      "unanswered", .word(of: NetworkSettings.Unused.self),
      """
      What it means that no target takes it with a status from 200 to 299: the scenario fails, \
      unless said.
      """, \.unanswered)
  }

  static let webhookBodies = ["body", "json"]
  static let webhookRetryLimit = 100

  static let webhookRequest = MapGrammar<WebhookRequest>(
    "webhookRequest", "The request of a webhook.", rules: [.atMostOne(Grammar.webhookBodies)]
  ) {
    Field("method", .pattern("^[A-Z-]+$"), "The method; POST unless said.", \.method) {
      $0.decodeMethod($1)
    }
    Field("url", .text, "The URL: http:// with the host of a target, or localhost.", \.url) {
      $0.decodeTemplate($1, "url")
    }.required("url: \"http://hook.test/paid\"")
    Field(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list stands for several fields.",
      \.headers
    ) { $0.decodeHeaders($1) }
    Field("json", .data, "The body, sent as JSON.")
    Field("body", .text, "The body, sent as text.")
  }

  static let webhookRetries = MapGrammar<Webhook.Retries>(
    "webhookRetries", "How often a webhook is sent again, and when."
  ) {
    Field("times", .count(1...webhookRetryLimit), "How often.", \.times).required("times: 3")
    Field(
      "after", .delay,
      "The wait before the first time, in virtual time; each further one is twice as long, up to a day. 1s unless said.",
      \.delay)
  }
}
