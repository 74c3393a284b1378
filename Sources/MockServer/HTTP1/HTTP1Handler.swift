internal import Foundations
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioModel

/// One HTTP/1 conversation: requests in, replies out in the same order.
///
/// Routes each request as soon as it is complete, also while an earlier reply is held back, so that the kernel never
/// holds bytes that are not read.
final class HTTP1Handler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// An exchange in the line of replies.
  final class Entry {
    let head: HTTPRequestHead
    var keepsAlive: Bool
    var exchange: HTTPExchange<Answer>
    var writer: ReplyWriter?

    init(_ head: HTTPRequestHead, keepsAlive: Bool, _ exchange: HTTPExchange<Answer>) {
      self.head = head
      self.keepsAlive = keepsAlive
      self.exchange = exchange
    }
  }

  let service: ConnectionContext
  /// Decides when the connection ends.
  var ending = HTTP1ConnectionEnd()
  /// The number of parts of requests that have come.
  private(set) var partCount = 0
  /// The request that is coming in.
  private var incoming: (request: ReceivedRequest, exchange: HTTPExchange<Answer>)?
  /// The exchanges whose replies are not sent, in order.
  private var line = CircularBuffer<Entry>()
  private var isAdvancing = false
  private var context: ChannelHandlerContext?

  init(_ service: ConnectionContext) {
    self.service = service
  }

  // MARK: - Requests

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  /// True if the next that comes is the head of a request, if anything does.
  var expectsHead: Bool { incoming == nil && ending.isReading }

  /// Refuses a head that has taken too long.
  func refuseUnfinishedHead() {
    guard let context, expectsHead else { return }
    let length = HTTPLimits.maximumHeadTime.description
    refuse(
      nil, status: 408, "the head of a request is not complete \(length) after it began",
      help: "send the whole head", context: context, hearsOut: false)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    partCount &+= 1
    guard ending.isReading else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let refusal = HTTPLimits.refusal(of: head) {
        return refuse(head, status: refusal.status, refusal.message, context: context)
      }
      let request = service.open(head)
      incoming = (request, .receiving(owesContinue: request.expectsContinue))
      continueIfOwed(context: context)
    case .body(var part):
      incoming?.exchange.receiveBody()
      incoming?.request.append(&part)
    case .end(let trailers):
      guard var request = incoming?.request, let exchange = incoming?.exchange else { return }
      incoming = nil
      if let trailers { request.trailers = trailers }
      take(request, exchange, context: context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
  }

  private func take(
    _ request: ReceivedRequest, _ exchange: HTTPExchange<Answer>, context: ChannelHandlerContext
  ) {
    if let problem = HostField.problem(of: request.head) {
      return refuse(
        request.head, status: 400, problem.message, help: problem.help, context: context)
    }
    let isTunnel = request.head.method == .CONNECT
    let entry = Entry(request.head, keepsAlive: isTunnel || request.keepsAlive, exchange)
    line.append(entry)
    if !entry.keepsAlive { ending.drain() }
    if isTunnel {
      perform(
        entry.exchange.choose(Answer(reply: PreparedReply(status: 200))), entry, context: context)
    } else if case .route = entry.exchange.endRequest() {
      service.answer(request) { [self] result in settle(entry, result, context: context) }
    }
    advance(context: context)
    if line.count >= HTTPLimits.maximumPipelined, !ending.hasEnded {
      service.reportMalformed(
        "more than \(HTTPLimits.maximumPipelined) requests wait on one connection")
      end(context: context)
    }
  }

  private func settle(
    _ entry: Entry, _ result: Result<Answer, PatternError>, context: ChannelHandlerContext
  ) {
    // Behind the end of the connection, nothing is sent.
    if ending.hasEnded { perform(entry.exchange.abandon(), entry, context: context) }
    switch result {
    case .success(let answer):
      let action = entry.exchange.choose(answer, after: answer.delay)
      if !ending.hasEnded, answer.reply.closes {
        entry.keepsAlive = false
        ending.drain()
        service.connection.takesNoMore = true
      }
      if ending.isInputClosed, case .wait = action { return giveUp(context: context) }
      perform(action, entry, context: context)
    case .failure(let error):
      guard !ending.hasEnded else { return }
      service.connection.takesNoMore = true
      service.reportMalformed(error.message)
      let refusal = Answer.refusal(400, error.message, help: error.help)
      perform(entry.exchange.choose(refusal), entry, context: context)
      entry.keepsAlive = false
      ending.drain()
    }
    guard !ending.hasEnded else { return }
    advance(context: context)
    context.flush()
  }

  /// Carries out an action of an exchange.
  private func perform(
    _ action: HTTPExchange<Answer>.Action, _ entry: Entry, context: ChannelHandlerContext
  ) {
    switch action {
    case .nothing, .route, .sendContinue: break
    case .wait(let delay):
      service.schedule(after: delay) { [self] in
        entry.exchange.reachTime()
        guard !ending.hasEnded else { return }
        advance(context: context)
        context.flush()
      }
    case .send(let answer): send(answer, in: entry, context: context)
    case .cancel(let answer):
      entry.writer?.cancel()
      if let record = answer.record, record.fault == .hang { service.reportClosed(record) }
    case .reportClosed(let answer):
      if let record = answer.record { service.reportClosed(record) }
    case .reportClosedBefore(let answer): service.reportClosed(before: answer)
    }
  }

  /// Answers a request that no entry may see, and ends the connection behind it.
  ///
  /// - Parameters:
  ///   - head: the head of the request; `nil` if it cannot be read.
  ///   - hearsOut: whether the client may be in the middle of a request.
  private func refuse(
    _ head: HTTPRequestHead?, status: Int, _ message: String, help: String? = nil,
    context: ChannelHandlerContext, hearsOut: Bool = true
  ) {
    service.reportMalformed(message)
    let head = head ?? HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    line.append(Entry(head, keepsAlive: false, .due(.refusal(status, message, help: help))))
    incoming = nil
    ending.drain(hearsOut: hearsOut)
    advance(context: context)
  }

  // MARK: - Replies

  /// Sends the first reply if it is due, and those behind it once it is through.
  private func advance(context: ChannelHandlerContext) {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while !ending.hasEnded, let entry = line.first,
      case .send(let answer) = entry.exchange.reachTurn()
    {
      send(answer, in: entry, context: context)
    }
    continueIfOwed(context: context)
    if ending.isInputClosed, line.isEmpty, !ending.hasEnded { endBehindReplies(context: context) }
  }

  func send(_ answer: Answer, in entry: Entry, context: ChannelHandlerContext) {
    if entry.head.method == .CONNECT, entry.keepsAlive {
      return openTunnel(for: entry, context: context)
    }
    var reply = answer.reply
    if case .webSocket(let offer) = reply.content {
      do {
        let handshake = try WebSocketHandshake(request: entry.head, offer: offer)
        return openWebSocket(handshake, offer, reply.headers, context: context)
      } catch {
        service.reportMalformed(error.message)
        reply = error.reply
      }
    }
    if case .tunnel(let tunnel) = reply.content { return join(tunnel, context: context) }
    let wire = HTTP1Wire(
      context: context, link: service.connection.link, request: entry.head,
      keepsAlive: entry.keepsAlive,
      finalHeaders: { [service] in service.finalHeaders($0) },
      completion: { [weak self] in self?.complete($0, context: context) })
    let writer = service.writer(
      of: reply, isHeadRequest: entry.head.method == .HEAD, wire: wire, record: answer.record)
    entry.writer = writer
    writer.begin()
  }

  private func complete(_ outcome: HTTP1Wire.Ending, context: ChannelHandlerContext) {
    guard !ending.hasEnded else { return }
    line.popFirst()?.exchange.finish()
    switch outcome {
    case .finished(let keepsAlive):
      if keepsAlive { advance(context: context) } else { endBehindReplies(context: context) }
    case .abandoned(.reset), .abandoned(.resetStream):
      ending.end()
      context.channel.reset()
    case .abandoned(.close), .abandoned(.goAway), .abandoned(.malformedChunk):
      endBehindReplies(context: context)
    }
    // A later piece of a reply comes without a read behind it.
    if !isAdvancing { context.flush() }
  }

  /// Sends 100 Continue to a client that holds its body back, once no reply precedes its own.
  private func continueIfOwed(context: ChannelHandlerContext) {
    guard line.isEmpty, !ending.hasEnded, case .sendContinue? = incoming?.exchange.admitBody()
    else {
      return
    }
    let head = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      line.first?.writer?.proceed()
      context.flush()
    }
    context.fireChannelWritabilityChanged()
  }

  // MARK: - The end

  /// Sends nothing more: another handler takes the connection over.
  func detach() {
    ending.end()
    line.removeAll()
  }

  /// Closes once everything written so far has reached the kernel.
  private func endBehindReplies(context: ChannelHandlerContext) {
    ending.end()
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let mode: CloseMode = ending.closesHalf ? .output : .all
    written.futureResult.whenComplete { _ in
      let context = bound.value
      guard mode == .output else { return context.close(promise: nil) }
      context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
    }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: written)
  }

  private func end(context: ChannelHandlerContext) {
    ending.end()
    abandonReplies(context: context)
    context.close(promise: nil)
  }

  private func abandonReplies(context: ChannelHandlerContext) {
    for entry in line { perform(entry.exchange.abandon(), entry, context: context) }
    line.removeAll()
    service.connection.leave()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    let isServing =
      service.connection.waitingClaims > 0 || line.first?.writer?.isSending == true
    switch ending.closeInput(isServing: isServing) {
    case .nothing: break
    case .close: context.close(promise: nil)
    case .giveUp: giveUp(context: context)
    }
  }

  /// Abandons all replies: the client has closed its side while they were held back.
  private func giveUp(context: ChannelHandlerContext) {
    abandonReplies(context: context)
    endBehindReplies(context: context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    ending.end()
    abandonReplies(context: context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      // The socket or TLS broke; no client is left.
      if !ending.hasEnded { end(context: context) }
      return
    }
    guard ending.isReading else { return }
    incoming = nil
    // The parser has no word for what it dislikes there.
    let reason =
      error == .unknown
      ? "the transfer-encoding, or the end of a line, violates RFC 9112" : "\(error)"
    let message = "the request is not HTTP/1: \(reason)"
    guard error != .invalidEOFState, error != .closedConnection else {
      service.reportMalformed(message)
      return
    }
    refuse(nil, status: error == .headerOverflow ? 431 : 400, message, context: context)
    context.flush()
  }
}
