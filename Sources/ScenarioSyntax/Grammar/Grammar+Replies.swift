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
    Grammar.handler.definition,
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
      "The HTTP status (default: 200). An expression may use the request.", \.status
    ) { $0.decodeReplyStatus($1) }
    Field(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list sends several fields.",
      \.headers
    ) { $0.decodeHeaders($1) }
    Field(
      "after", .map(.the("drawnDelay"), or: .delay),
      "The delay before the reply, in virtual time. An expression may use the request.", \.delay
    ) { $0.decodeReplyDelay($1) }
    Field("trailers", .map(of: .text), "Header fields after the body, by name.", \.trailers) {
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
      "A fault that breaks the reply. An expression may use the request.", \.fault
    ) { $0.decodeReplyFault($1) }
  }

  /// The number of times that a reply of a queue is given.
  static let times = Field<Reply>(
    "times", .count(1...), "How many consecutive requests this reply answers (default: 1).",
    \.times)

  /// The bodies of replies, one at most.
  private static let bodies: [Field<Reply>] = [
    Field("json", .data, "The body, sent as JSON."),
    Field("text", .text, "The body, sent as text."),
    Field(
      "file", .map(.the("fileContent"), or: .text),
      "The body's file, relative to the scenario file."),
    Field(
      "stream", .list(of: .the("streamStep"), atLeast: 1),
      "The body, sent in pieces over virtual time."),
    Field(
      "websocket", .list(of: .the("webSocketStep")),
      "The messages on the WebSocket that the connection becomes."),
    Field("grpc", .the("grpc"), "gRPC messages and a status."),
    Field("base64", .string, "The body as Base64."),
    Field(
      "handler", .map(.the("handler"), or: .the("targetName")),
      """
      Who answers the request in place of a fixed reply: a target of the scenario, or a command. Status, headers and \
      body are theirs.
      """),
  ]

  static let replyBodies = ["base64", "file", "json", "text"]
  /// Bodies of replies that happen over time.
  static let streamedBodies = ["grpc", "stream", "websocket"]
  /// The body of a reply that a target makes.
  static let handledBody = "handler"
  /// All bodies of replies.
  static let allBodies = replyBodies + streamedBodies + [handledBody]

  static let replyFault = MapGrammar<Void>(
    "replyFault", "A fault that has a value.", rules: [.exactlyOneKey]
  ) {
    Field(
      "truncate", .byteCount,
      "Closes the connection after this number of bytes of the body, such as 100B.")
    Field(
      "bandwidth", .byteCount,
      "Sends the body at this number of bytes per second of virtual time, such as 1KiB/s."
    ).formerly("slow")
  }

  static let drawnDelay = MapGrammar<DelayDistribution?>(
    "drawnDelay",
    "A random delay: a new one for each request. The same seed gives the same delays.",
    rules: [.exactlyOneKey]
  ) {
    Field("uniform", .the("uniformDelay"), "A uniform distribution between two lengths.", \.self) {
      $0.decodeUniformDelay($1)
    }
    Field(
      "normal", .the("normalDelay"), "A normal distribution; negative lengths count as zero.",
      \.self
    ) { $0.decodeNormalDelay($1) }
    Field(
      "lognormal", .the("lognormalDelay"),
      "A log-normal distribution: a median with a long tail, typical of servers.", \.self
    ) { $0.decodeLognormalDelay($1) }
  }

  static let uniformDelay = MapGrammar<DelayParameters>(
    "uniformDelay", "A uniform distribution between two lengths, inclusive."
  ) {
    Field("from", .delay, "The shortest.", \.from).required("from: 100ms")
    Field("to", .delay, "The longest.", \.to).required("to: 2s")
  }

  static let normalDelay = MapGrammar<DelayParameters>("normalDelay", "A normal distribution.") {
    Field("mean", .delay, "The mean.", \.mean).required("mean: 300ms")
    Field(
      "deviation", .delay,
      "The standard deviation: about two thirds of the lengths are within it of the mean.",
      \.deviation
    ).required("deviation: 50ms")
    longest
  }

  static let lognormalDelay = MapGrammar<DelayParameters>(
    "lognormalDelay", "A log-normal distribution, which has a long tail."
  ) {
    Field("median", .delay, "Half of the lengths are shorter than this.", \.median).required(
      "median: 100ms")
    Field(
      "sigma", .number(0...10),
      "The standard deviation of the natural logarithm: 0.1 gives a short tail, 1 a long one.",
      \.sigma
    ) { $0.decodeSigma($1) }.required("sigma: 0.4")
    longest
  }

  private static let longest = Field<DelayParameters>(
    "at_most", .delay, "The maximum; longer lengths are cut to it (default: one year).", \.limit)

  static let shortReply = MapGrammar<Reply>(
    "shortReply", "A reply for any number of requests.",
    rules: [.atMostOne(Grammar.allBodies)]
  ) {
    replyHead
    bodies
    webhooks
  }

  static let reply = MapGrammar<Reply>(
    "reply", "One reply of a queue.",
    rules: [.atMostOne(Grammar.allBodies)]
  ) {
    replyHead
    bodies
    webhooks
    times
  }

  static let handler = MapGrammar<Handler>(
    "handler",
    """
    Who answers requests, also those of clients of HTTPS and HTTP/2: a target, over plain HTTP/1.1, or a command, which \
    answers each line of JSON with one.
    """, rules: [.exactlyOne(["target", "exec"]), .apart("exec", from: ["port", "within"])]
  ) {
    Field("target", .the("targetName"), "The target.", \.target) {
      $0.decodeTargetName($1, "target")
    }
    Field(
      "exec", .either(.text, .list(of: .text, atLeast: 1)),
      """
      The command. It runs outside of the scenario's world, from the first request on, and reads a line of JSON for each \
      request.
      """
    ) { $2.command = $0.decodeCommand($1) }
    Field(
      "port", .either(.integer(1...65_535), .text),
      "The port that the target listens on (default: the one of its `ready`).", \.port
    ) { $0.decodePort($1, help: "write a number from 1 to 65535") }
    Field(
      "within", .delay,
      "How long the target may take until its answer begins, in virtual time (default: 30s).",
      \.patience)
    Field(
      "unanswered", .word(of: NetworkSettings.Unused.self),
      """
      What happens when the target does not listen, breaks off, or does not answer in time, or when the command gives \
      no answer. By default the scenario fails.
      """, \.unanswered)
  }

  // MARK: - Webhooks

  private static let webhooks = Field<Reply>(
    "webhooks", .list(of: .the("webhook"), atLeast: 1),
    "Requests to targets of the case, sent once the reply is due.", \.webhooks
  ) { $0.decodeWebhooks($1) }

  static let webhook = MapGrammar<Webhook>(
    "webhook", "A request to a target of the case, sent once the reply to another request is due."
  ) {
    Field("request", .the("webhookRequest"), "The request.", \.request) {
      $0.decodeWebhookRequest($1)
    }.required("request: { url: \"http://hook.test/paid\" }")
    Field(
      "after", .map(.the("drawnDelay"), or: .delay),
      "The delay after the reply is due, in virtual time (default: none).",
      \.delay
    ) { $0.decodeReplyDelay($1) }
    Field(
      "within", .delay, "How long the target may take to answer, in virtual time (default: 30s).",
      \.patience)
    Field(
      "retries", .map(.the("webhookRetries"), or: .integer(0...Int64(webhookRetryLimit))),
      """
      How often the webhook is sent again until a target accepts it: a number, or a map \
      (default: not at all).
      """,
      \.retries
    ) { $0.decodeWebhookRetries($1) }
    Field(
      "unanswered", .word(of: NetworkSettings.Unused.self),
      """
      What happens when no target answers with a status from 200 to 299. By default the \
      scenario fails.
      """, \.unanswered)
  }

  static let webhookBodies = ["body", "json"]
  static let webhookRetryLimit = 100

  static let webhookRequest = MapGrammar<WebhookRequest>(
    "webhookRequest", "The request of a webhook.", rules: [.atMostOne(Grammar.webhookBodies)]
  ) {
    Field("method", .pattern("^[A-Z-]+$"), "The method (default: POST).", \.method) {
      $0.decodeMethod($1)
    }
    Field("url", .text, "The URL: http:// with a target's host, or localhost.", \.url) {
      $0.decodeTemplate($1, "url")
    }.required("url: \"http://hook.test/paid\"")
    Field(
      "headers", .map(of: .oneOrMore(.text)), "Headers by name; a list sends several fields.",
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
      """
      The wait before the first retry, in virtual time (default: 1s). Each further wait is \
      twice as long, up to a day.
      """,
      \.delay)
  }
}
