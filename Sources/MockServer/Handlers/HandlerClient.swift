internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioPlan

/// Passes requests on to targets of the case that answer them.
///
/// A target gets each request over HTTP/1.1 on a connection of its own, from outside of all hosts. Virtual time stands
/// still until the request is with the target, and goes on as what the target does wants it.
///
/// Lives on the event loop.
final class HandlerClient {
  private let loop: EventLoopHandle
  private let clock: VirtualClock
  private let calls: PendingUpstreamCalls
  private let network: PlannedNetwork
  private let findEntrance: FindTargetEntrance?
  private let recorder: RequestRecorder

  init(
    loop: EventLoopHandle, clock: VirtualClock, calls: PendingUpstreamCalls,
    network: PlannedNetwork, findEntrance: FindTargetEntrance?, recorder: RequestRecorder
  ) {
    self.loop = loop
    self.clock = clock
    self.calls = calls
    self.network = network
    self.findEntrance = findEntrance
    self.recorder = recorder
  }

  /// Lets a target answer a request; calls back once, when the head of its answer has come or when none will.
  ///
  /// The request is reported when its status is known.
  ///
  /// - Parameters:
  ///   - request: the request as the client has sent it.
  ///   - record: its record, which was opened.
  ///   - whenAnswered: called with the whole answer once it is there.
  func ask(
    _ call: TargetHandlerCall, _ request: ReceivedRequest, for target: RequestTarget,
    _ record: RecordedRequest, on connection: ClientConnection,
    whenAnswered: @escaping (RecordedReply) -> Void,
    completion: @escaping (Answer) -> Void
  ) {
    let exchange = HandledExchange(
      call, record, recorder, isHeadRequest: request.head.method == .HEAD, completion)
    guard !request.isTruncated else {
      return exchange.fail("a body of \(request.bodyLength) bytes is too long for a handler")
    }
    guard findEntrance != nil else { return exchange.fail("the case has no targets") }
    let question = UpstreamRequest(
      request, target: target, network: network,
      adding: ["x-forwarded-proto": target.scheme])
    // Virtual time is held by each attempt to reach the target, and by nothing else.
    let upstream = UpstreamExchange(
      holding: calls.open(toTarget: true),
      patience: UpstreamGracePeriod(questions: nil, loop: loop.loop))
    upstream.converse()
    exchange.follow(upstream)
    let departure = connection.whenLeft(stream: request.stream) { exchange.clientLeft() }
    exchange.whenAnswered = whenAnswered
    exchange.whenOver = { connection.forgetDeparture(departure) }
    exchange.limit(
      clock.scheduleCancellable(after: call.patience) { [weak exchange] in exchange?.timeOut() })
    reach(call, question, upstream, exchange, retry: Self.firstRetry)
  }

  /// The status by which logs of proxies show a request whose client has left.
  static let clientClosedRequest = 499

  /// The virtual time after which a target is tried again that accepts no more connections, as the kernel would (tcp(7):
  /// tcp_syn_retries); twice as long each further time.
  private static let firstRetry = Nanoseconds.seconds(1)

  private func reach(
    _ call: TargetHandlerCall, _ question: UpstreamRequest, _ upstream: UpstreamExchange,
    _ exchange: HandledExchange, retry: Nanoseconds,
    patience: TimeAmount = TargetConnection.patience
  ) {
    guard exchange.isAwaited, let findEntrance else { return }
    exchange.hold(calls.open(toTarget: true))
    let bound = NIOLoopBound((self, question, upstream, exchange), eventLoop: loop.loop)
    findEntrance(call.host, call.port) { [loop] entrance in
      loop.execute {
        let (client, question, upstream, exchange) = bound.value
        guard exchange.isAwaited else { return }
        guard case .open(let address, let port) = entrance,
          let place = try? SocketAddress(ipAddress: address, port: Int(port))
        else { return exchange.fail("no process of it listens at port \(call.port)") }
        client.connect(to: place, question, upstream, patience: patience) {
          exchange.hold(nil)
          client.clock.schedule(after: retry) {
            client.reach(
              call, question, upstream, exchange, retry: retry + retry, patience: .zero)
          }
        }
      }
    }
  }

  /// - Parameter whenFull: called where the target accepts no more connections.
  private func connect(
    to place: SocketAddress, _ request: UpstreamRequest, _ exchange: UpstreamExchange,
    patience: TimeAmount, whenFull: @escaping () -> Void
  ) {
    let bound = NIOLoopBound((request, exchange, whenFull), eventLoop: loop.loop)
    TargetConnection.open(to: place, loop: loop.loop, until: .now() + patience) { channel in
      channel.eventLoop.makeCompletedFuture {
        let (request, exchange, _) = bound.value
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(AcknowledgingHandler())
        try pipeline.addHTTPClientHandlers(
          leftOverBytesStrategy: .forwardBytes, enableOutboundHeaderValidation: false)
        try pipeline.addHandler(
          UpstreamExchangeHandler(
            request: request, exchange: exchange, silence: nil, isHTTP2: false))
      }
    }.whenComplete { result in
      let (_, exchange, whenFull) = bound.value
      switch result {
      case .success(let channel): exchange.connected(channel)
      case .failure(ChannelError.connectTimeout): whenFull()
      case .failure(let error): exchange.fail(UpstreamFailure(error))
      }
    }
  }
}

/// The answer of a target to one request, on its way to the client.
///
/// Lives on the event loop.
private final class HandledExchange {
  private let call: TargetHandlerCall
  private let record: RecordedRequest
  private let recorder: RequestRecorder
  private let isHeadRequest: Bool
  /// The receiver of the answer; `nil` once it has it.
  private var completion: ((Answer) -> Void)?
  private var cancelPatience: () -> Void = {}
  private var sink: BodyStream?
  /// The exchange with the target; `nil` before it begins and behind its end.
  private var exchange: UpstreamExchange?
  /// What holds virtual time until the target has the request.
  private var hold: PendingUpstreamCall?

  /// The WebSocket that the answer has opened.
  private weak var tunnel: UpstreamTunnel?

  /// Called with the whole answer.
  var whenAnswered: (RecordedReply) -> Void = { _ in }
  /// Called once nothing more comes of the exchange, whatever the client does.
  var whenOver: () -> Void = {}

  /// True until the answer has begun, or failed.
  var isAwaited: Bool { completion != nil }

  init(
    _ call: TargetHandlerCall, _ record: RecordedRequest, _ recorder: RequestRecorder,
    isHeadRequest: Bool, _ completion: @escaping (Answer) -> Void
  ) {
    self.call = call
    self.record = record
    self.recorder = recorder
    self.isHeadRequest = isHeadRequest
    self.completion = completion
  }

  /// Sets what ends the wait for the beginning of the answer.
  func limit(_ cancel: @escaping () -> Void) {
    if completion == nil { cancel() } else { cancelPatience = cancel }
  }

  /// Holds virtual time by another call, or by none.
  func hold(_ call: PendingUpstreamCall?) {
    hold?.close()
    hold = call
  }

  /// Takes the parts of the answer as they come.
  func follow(_ exchange: UpstreamExchange) {
    self.exchange = exchange
    // The target has the request: time may go on.
    exchange.onSent = { self.hold(nil) }
    exchange.onStatus = { [recorder, record] in recorder.close(record, status: $0) }
    exchange.onNews = { self.pass() }
    exchange.onTunnel = { self.open($0) }
    exchange.onEnd = { outcome in
      guard case .reply(let reply) = outcome else { return }
      self.recorder.reportExchange(self.record, reply)
      self.whenAnswered(reply)
    }
  }

  /// The target has not begun to answer in time.
  func timeOut() {
    guard completion != nil else { return }
    fail("no answer came within \(call.patience)", status: 504)
  }

  /// Answers in the target's place that it gives no answer.
  func fail(_ reason: String, status: Int = 502) {
    guard isAwaited else { return }
    let message = "the handler \"\(call.target)\" gave no answer: \(reason)"
    recorder.close(record, status: status)
    report(message)
    complete(
      Answer(
        reply: PreparedReply(status: status, mark: "broken", lines: [message]), record: record))
    leaveTarget()
  }

  private func complete(_ answer: Answer) {
    let completion = completion
    stopWaiting()
    completion?(answer)
  }

  private func stopWaiting() {
    completion = nil
    cancelPatience()
    cancelPatience = {}
    hold(nil)
  }

  private func report(_ message: String) {
    recorder.report(.handlerFailed(record, message: message, unanswered: call.unanswered))
  }

  /// The client has left before the end of the answer.
  func clientLeft() {
    if isAwaited {
      recorder.close(record, status: HandlerClient.clientClosedRequest)
      stopWaiting()
    }
    leaveTarget()
  }

  /// Closes the target's connection.
  private func leaveTarget() {
    let exchange = exchange
    end()
    exchange?.abandon()
    tunnel?.clientEnded(.close)
  }

  private func end() {
    exchange = nil
    whenOver()
    whenOver = {}
  }

  private func pass() {
    guard let exchange else { return }
    while let part = exchange.takePart() {
      switch part {
      case .head(let head):
        let reply = PreparedReply(live: head, of: exchange, isHeadRequest: isHeadRequest)
        if case .feed(let opened) = reply.content { sink = opened }
        complete(Answer(reply: reply, record: record))
      case .body(let bytes): sink?.send(bytes)
      case .end(let trailers):
        sink?.finish(trailers: trailers ?? [:])
        return end()
      }
    }
    guard let failure = exchange.failure else { return }
    guard !exchange.isAbandoned else { return end() }
    guard completion == nil else { return fail(failure.message) }
    report("the handler \"\(call.target)\" broke off: \(failure.message)")
    sink?.abandon(failure.abandonment)
    end()
  }

  private func open(_ tunnel: UpstreamTunnel) {
    tunnel.report = { news in
      switch news {
      case .utterance(.message(let message), let isFromClient):
        self.recorder.record(message, isFromClient: isFromClient, of: self.record)
      case .ended: self.end()
      default: break
      }
    }
    exchange = nil
    self.tunnel = tunnel
    complete(Answer(reply: PreparedReply(tunnel), record: record))
  }
}
