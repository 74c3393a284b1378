internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  /// Asks the real host; calls back once, when the head of its answer has come or when none will.
  ///
  /// The request is told of when its status is known.
  ///
  /// - Parameter feed: the request's body, where it still comes.
  func live(
    _ request: ReceivedRequest, _ incoming: IncomingRequest, feed: RequestFeed? = nil,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  ) {
    guard !request.isTruncated else {
      return completion(
        .failure(
          PatternError(
            "a body of \(request.bodyLength) bytes is too long to be passed on to a real host",
            help: "leave the host alone: \"network: { hosts: { \(incoming.target.host): live } }\"")
        ))
    }
    let question = UpstreamRequest(request, target: incoming.target, network: network, feed: feed)
    let exchange = UpstreamExchange(upstream)
    let call = feed.map { CallObserver($0) }
    if feed != nil { exchange.converse() }
    exchange.onBody = { call?.receiveFromHost($0) }
    let time = environment.elapsed()
    let record = log.append { number in
      RecordedRequest(
        number: number, method: incoming.method, url: incoming.target.text,
        headers: incoming.headers.map { .init(name: $0.name, value: $0.value) },
        body: Array(incoming.body.prefix(RecordedRequest.maximumKeptBody)),
        bodyLength: incoming.bodyLength, operation: incoming.operationName, entry: nil,
        status: 0, time: time, delay: .zero, protocolVersion: incoming.protocolVersion,
        stream: incoming.stream, origin: incoming.origin)
    }
    let number = record.number
    exchange.onStatus = { [log, environment] status in
      if let record = log.setStatus(status, ofRequest: number) {
        environment.record(.request(record))
      }
    }
    let place = question.isRecorded ? log.openExchange() : nil
    exchange.onEnd = { [log, environment, weak exchange] outcome in
      if let failure = exchange?.failure {
        environment.record(
          .upstreamFailed(record, message: failure.message, help: failure.help))
      }
      if environment.recordsExchanges, case .reply(let reply) = outcome {
        var answered = record
        answered.status = reply.status
        environment.record(.exchanged(answered, reply))
      }
      if let feed { log.setBody(feed.kept, length: feed.length, ofRequest: number) }
      guard let place else { return }
      var outcome = outcome
      if case .reply(var reply) = outcome {
        reply.call = call?.call
        outcome = .reply(reply)
      }
      log.closeExchange(
        RecordedExchange(
          method: incoming.method, target: incoming.target, headers: incoming.headers,
          body: feed?.kept ?? incoming.body, outcome: outcome), at: place)
    }
    exchange.onTunnel = { [self] tunnel in
      completion(.success(answer(with: tunnel, to: incoming, record, recordedAt: place)))
    }
    let isHeadRequest = request.head.method == .HEAD
    var sink: BodyStream?
    exchange.onNews = { [weak exchange] in
      guard let exchange else { return }
      while let part = exchange.takePart() {
        switch part {
        case .head(let head):
          let reply = PreparedReply(
            live: head, isHeadRequest: isHeadRequest, isOnlyHead: exchange.isOnlyHead)
          if case .feed(let opened) = reply.content {
            sink = opened
            opened.onChange = { [weak exchange, weak opened] in
              guard let opened, opened.isOpen else { return exchange?.abandon() ?? () }
              exchange?.setClientWritable(opened.isWritable)
            }
          }
          completion(.success(Answer(reply: reply, record: record)))
        case .body(let bytes): sink?.send(bytes)
        case .end(let trailers): sink?.finish(trailers: trailers ?? [:])
        }
      }
      guard let failure = exchange.failure else { return }
      if exchange.hasBegun {
        sink?.abandon(failure.abandonment)
      } else {
        completion(.success(Answer(reply: PreparedReply(failure), record: record)))
      }
    }
    upstream.ask(question, for: exchange)
  }

  /// Where a connection goes whose host is left alone.
  func relayTarget(of connection: ClientConnection) -> (host: String, port: UInt16) {
    network.upstream(
      ofHost: connection.destination.name, port: connection.destination.port)
  }

  /// Whether a connection is left alone.
  func isRelayed(_ destination: Destination) -> Bool {
    network.mode(ofHost: destination.name) == .live
  }

  /// Tells of an answer whose bytes are all known.
  func recordExchange(_ request: RecordedRequest, _ reply: PreparedReply) {
    guard environment.recordsExchanges else { return }
    environment.record(
      .exchanged(
        request,
        RecordedReply(
          status: reply.status,
          headers: reply.headers.map { .init(name: $0.name, value: $0.value) },
          body: reply.knownBytes)))
  }

  /// Tells of a host that cannot be reached.
  func recordUpstreamFailure(_ host: String, _ failure: UpstreamFailure) {
    report(.relayFailed(host: host, message: failure.message, help: failure.help))
  }
}

extension PreparedReply {
  /// The bytes of a body that is known beforehand; empty of any other.
  fileprivate var knownBytes: [UInt8] {
    switch content {
    case .body(.bytes(let buffer)): Array(buffer.readableBytesView)
    case .script(let script):
      script.steps.flatMap { step -> [UInt8] in
        if case .send(let part) = step.action { Array(part.readableBytesView) } else { [] }
      }
    default: []
    }
  }

  /// A real host's answer, whose body goes out as it comes in.
  fileprivate init(live head: HTTPResponseHead, isHeadRequest: Bool, isOnlyHead: Bool) {
    let headers = UpstreamRequest.withoutHopHeaders(head.headers)
    self.init(status: Int(head.status.code), headers: headers)
    guard mayHaveBody, !isHeadRequest, !isOnlyHead else { return }
    let length = headers.first(name: "content-length").flatMap { Int($0) }
    content = .feed(BodyStream(length: length))
  }

  /// What a client meets where the real host gave no answer.
  fileprivate init(_ failure: UpstreamFailure) {
    self.init(status: 502)
    let action: ReplyScript.Action =
      switch failure {
      // The client waits on, as it would have waited for the host: its own timeout ends it.
      case .silent: .hang
      default: .abandon(failure.abandonment)
      }
    content = .script(
      ReplyScript(
        beginsWithHead: false, length: nil, steps: [.init(delay: .zero, action: action)]))
  }
}

extension UpstreamFailure {
  /// How the client's connection is left in the same way.
  fileprivate var abandonment: AbortMode {
    switch self {
    case .closed: .close
    case .streamReset(let code): .resetStream(code: code)
    default: .reset
    }
  }
}
