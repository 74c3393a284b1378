internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  /// Asks the real host; the request is told of when its status is known.
  func live(
    _ request: ReceivedRequest, _ incoming: IncomingRequest, on connection: ClientConnection
  ) -> Answer {
    let question = UpstreamRequest(request, target: incoming.target, network: network)
    let exchange = UpstreamExchange(question: upstream.questions.open())
    let time = environment.elapsed()
    let origin = origin(of: connection)
    let record = ledger.append { number in
      RecordedRequest(
        number: number, method: incoming.method, url: incoming.target.text,
        headers: incoming.headers.map { .init(name: $0.name, value: $0.value) },
        body: Array(incoming.body.prefix(RecordedRequest.maximumKeptBody)),
        bodyLength: incoming.body.count, operation: incoming.operationName, entry: nil,
        status: 0, time: time, delay: .zero, origin: origin)
    }
    let number = record.number
    exchange.onStatus = { [ledger, environment] status in
      if let record = ledger.setStatus(status, ofRequest: number) {
        environment.record(.request(record))
      }
    }
    let place = question.isRecorded ? ledger.openExchange() : nil
    exchange.onEnd = { [ledger, environment, weak exchange] outcome in
      if let failure = exchange?.failure {
        environment.record(.upstreamFailed(record, message: failure.message))
      }
      if environment.recordsExchanges, case .reply(let reply) = outcome {
        var answered = record
        answered.status = reply.status
        environment.record(.exchanged(answered, reply))
      }
      guard let place else { return }
      ledger.closeExchange(
        RecordedExchange(
          method: incoming.method, target: incoming.target, headers: incoming.headers,
          body: incoming.body, outcome: outcome), at: place)
    }
    upstream.ask(question, for: exchange)
    return Answer(
      reply: PreparedReply(status: 502, mark: "live", lines: []), record: record,
      exchange: exchange)
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
          body: Array(reply.body.readableBytesView))))
  }

  /// Tells of a host that cannot be reached.
  func recordUpstreamFailure(_ host: String, _ failure: UpstreamFailure) {
    report(.relayFailed(host: host, message: failure.message))
  }
}
