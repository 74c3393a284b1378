internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioPlan

/// Asks real hosts what no stub answers.
protocol UpstreamForwarding: AnyObject {
  /// Asks the real host; calls back once, when the head of its answer has come or when none will.
  ///
  /// The request is reported when its status is known.
  ///
  /// - Parameter feed: the request's body, where it still comes.
  func forward(
    _ request: ReceivedRequest, _ incoming: IncomingRequest, feed: RequestFeed?,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  )

  /// Asks the real host for what is not recorded as a request of its own; calls back once.
  func ask(
    _ request: ReceivedRequest, for target: RequestTarget,
    completion: @escaping (RecordedExchange.Outcome) -> Void
  )
}

/// Passes requests on to real hosts, and records what they answer.
///
/// Lives on the event loop.
final class UpstreamForwarder: UpstreamForwarding {
  private let client: UpstreamClient
  private let network: PlannedNetwork
  private let log: ExchangeLog
  private let recorder: RequestRecorder

  init(
    client: UpstreamClient, network: PlannedNetwork, log: ExchangeLog, recorder: RequestRecorder
  ) {
    self.client = client
    self.network = network
    self.log = log
    self.recorder = recorder
  }

  func ask(
    _ request: ReceivedRequest, for target: RequestTarget,
    completion: @escaping (RecordedExchange.Outcome) -> Void
  ) {
    let exchange = UpstreamExchange(client)
    exchange.onEnd = completion
    client.ask(UpstreamRequest(request, target: target, network: network), for: exchange)
  }

  func forward(
    _ request: ReceivedRequest, _ incoming: IncomingRequest, feed: RequestFeed?,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  ) {
    guard !request.isTruncated else {
      return completion(
        .failure(
          PatternError(
            "a body of \(request.bodyLength) bytes is too long to be forwarded to a real host",
            help: "exclude the host: \"network: { hosts: { \(incoming.target.host): live } }\"")
        ))
    }
    let question = UpstreamRequest(request, target: incoming.target, network: network, feed: feed)
    let exchange = UpstreamExchange(client)
    let call = feed.map { CallObserver($0) }
    if feed != nil { exchange.converse() }
    exchange.onBody = { call?.receiveFromHost($0) }
    let record = recorder.open(incoming)
    let number = record.number
    exchange.onStatus = { [recorder] in recorder.close(record, status: $0) }
    let place = question.isRecorded ? log.openExchange() : nil
    exchange.onEnd = { [log, recorder, weak exchange] outcome in
      if let failure = exchange?.failure {
        recorder.report(
          .upstreamFailed(record, message: failure.message, help: failure.help))
      }
      if case .reply(let reply) = outcome { recorder.reportExchange(record, reply) }
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
      let listener = TunnelRecorder(
        incoming, record, place: place, log: log, recorder: recorder, head: tunnel.head)
      tunnel.report = { listener.record($0) }
      completion(.success(Answer(reply: PreparedReply(tunnel), record: record)))
    }
    let isHeadRequest = request.head.method == .HEAD
    var sink: BodyStream?
    exchange.onNews = { [weak exchange] in
      guard let exchange else { return }
      while let part = exchange.takePart() {
        switch part {
        case .head(let head):
          let reply = PreparedReply(live: head, of: exchange, isHeadRequest: isHeadRequest)
          if case .feed(let opened) = reply.content { sink = opened }
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
    client.ask(question, for: exchange)
  }
}

extension PreparedReply {
  /// The reply that makes the client's connection a WebSocket of the real host's.
  init(_ tunnel: UpstreamTunnel) {
    self.init(status: 101, headers: tunnel.head.headers)
    reason = tunnel.head.status.reasonPhrase
    content = .tunnel(tunnel)
  }

  /// A live answer, whose body goes out as it comes in, and no faster than the client takes it.
  init(live head: HTTPResponseHead, of exchange: UpstreamExchange, isHeadRequest: Bool) {
    let headers = UpstreamRequest.withoutHopHeaders(head.headers)
    self.init(status: Int(head.status.code), headers: headers)
    guard mayHaveBody, !isHeadRequest, !exchange.isOnlyHead else { return }
    let body = BodyStream(length: headers.first(name: "content-length").flatMap { Int($0) })
    body.onChange = { [weak exchange, weak body] in
      guard let body, body.isOpen else { return exchange?.abandon() ?? () }
      exchange?.setClientWritable(body.isWritable)
    }
    content = .feed(body)
  }

  /// The end of the exchange where the real host gave no answer.
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
  /// The same end for the client's connection.
  var abandonment: AbortMode {
    switch self {
    case .closed: .close
    case .streamReset(let code): .resetStream(code: code)
    default: .reset
    }
  }
}
