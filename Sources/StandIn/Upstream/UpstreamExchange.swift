internal import NIOCore
internal import NIOHTTP1
internal import ScenarioPlan

/// One question to a real host: what has come so far, and who waits for it.
///
/// Lives on the event loop.
final class UpstreamExchange {
  /// What has not been handed on yet.
  private(set) var waiting = CircularBuffer<HTTPClientResponsePart>()
  private(set) var failure: UpstreamFailure?
  private(set) var isComplete = false
  /// Whether a head has been handed on.
  private(set) var hasBegun = false
  /// Called when something has come.
  var onNews: () -> Void = {}
  /// Called once, when all has come or nothing more will.
  var onEnd: (RecordedExchange.Outcome) -> Void = { _ in }
  /// Called once, when the status is known.
  var onStatus: (Int) -> Void = { _ in }

  private let question: OpenQuestion
  private var reply: RecordedReply?
  private var channel: (any Channel)?
  private var isAbandoned = false

  init(question: OpenQuestion) {
    self.question = question
  }

  func connected(_ channel: any Channel) {
    self.channel = channel
    if isAbandoned { channel.close(promise: nil) }
  }

  /// Takes the next part.
  func receive(_ part: HTTPClientResponsePart) {
    guard !isComplete, failure == nil else { return }
    switch part {
    case .head(let head):
      reply = RecordedReply(
        status: Int(head.status.code),
        headers: head.headers.map { .init(name: $0.name, value: $0.value) })
      onStatus(Int(head.status.code))
    case .body(let bytes):
      keep(bytes)
    case .end:
      isComplete = true
    }
    waiting.append(part)
    if isComplete { finish(reply.map { .reply($0) }) } else { onNews() }
  }

  private func keep(_ bytes: ByteBuffer) {
    guard var kept = reply else { return }
    reply = nil
    let room = RecordedReply.maximumKeptBody - kept.body.count
    if bytes.readableBytes > room { kept.isCut = true }
    kept.body += bytes.readableBytesView.prefix(room)
    reply = kept
  }

  func fail(_ failure: UpstreamFailure) {
    guard !isComplete, self.failure == nil else { return }
    self.failure = failure
    finish(.fault(failure.fault))
  }

  private func finish(_ outcome: RecordedExchange.Outcome?) {
    channel?.close(promise: nil)
    if let outcome, !isAbandoned { onEnd(outcome) }
    onNews()
    // Last of all, and on the thread that has just been busy: it sleeps before time may move.
    question.close()
    onNews = {}
    onEnd = { _ in }
    onStatus = { _ in }
  }

  /// The client has gone: nobody needs the answer.
  func abandon() {
    guard !isComplete, failure == nil else { return }
    isAbandoned = true
    fail(.closed)
  }

  /// Takes what has come and not been handed on.
  func takePart() -> HTTPClientResponsePart? {
    let part = waiting.popFirst()
    if case .head? = part { hasBegun = true }
    return part
  }
}

/// Sends a request and passes the answer on.
final class UpstreamExchangeHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: UpstreamRequest
  private let exchange: UpstreamExchange
  private let silence: TimeAmount
  private var bound: Scheduled<Void>?

  init(request: UpstreamRequest, exchange: UpstreamExchange, silence: TimeAmount) {
    self.request = request
    self.exchange = exchange
    self.silence = silence
  }

  func channelActive(context: ChannelHandlerContext) {
    expectNews(context)
    context.write(wrapOutboundOut(.head(request.head)), promise: nil)
    if request.body.readableBytes > 0 {
      context.write(wrapOutboundOut(.body(.byteBuffer(request.body))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    expectNews(context)
    exchange.receive(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) {
    bound?.cancel()
    exchange.fail(.closed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    exchange.fail(UpstreamFailure(error))
    context.close(promise: nil)
  }

  /// Real time: who waits for a real host waits in its time.
  private func expectNews(_ context: ChannelHandlerContext) {
    bound?.cancel()
    let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    bound = context.eventLoop.scheduleTask(in: silence) {
      let (handler, context) = loopBound.value
      handler.exchange.fail(.silent)
      context.close(promise: nil)
    }
  }
}
