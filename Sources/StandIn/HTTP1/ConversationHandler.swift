internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

/// One HTTP/1 conversation: requests in, replies out in the same order.
///
/// Each request is handed on as soon as it is complete, also while an earlier one still waits for its
/// time, so that the kernel never holds bytes that nobody looks at.
final class ConversationHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// A place in the line of replies.
  final class Place {
    let head: HTTPRequestHead
    var keepsAlive: Bool
    var answer: Answer?
    var isDue = false
    var performance: ReplyWriter?

    init(head: HTTPRequestHead, keepsAlive: Bool) {
      self.head = head
      self.keepsAlive = keepsAlive
    }
  }

  let service: ConnectionContext
  private var current: ReceivedRequest?
  private var owesContinue = false
  private var places = CircularBuffer<Place>()
  private var isAdvancing = false
  /// Nothing more is read: an error, or a reply that ends the connection, is on its way.
  var isEnding = false
  /// The client has closed its side.
  private var isInputClosed = false
  /// The client was interrupted, and has to be heard out so that it comes to read why.
  private var hasInterrupted = false
  private var hasEnded = false
  /// How many parts of requests have come.
  private(set) var partCount = 0
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

  /// Whether the next that comes is the head of a request, if anything does.
  var expectsHead: Bool { current == nil && !isEnding }

  /// The head of a request has taken too long.
  func refuseUnfinishedHead() {
    guard let context, expectsHead else { return }
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    let length = HTTPLimits.maximumHeadTime.description
    refuse(
      head, status: 408, "the head of a request is not complete \(length) after it began",
      help: "send all of it, or nothing", context: context, hearsOut: false)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    partCount &+= 1
    guard !isEnding else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let refusal = HTTPLimits.refusal(of: head) {
        return refuse(head, status: refusal.status, refusal.message, context: context)
      }
      let request = service.open(head)
      owesContinue = request.expectsContinue
      current = request
      continueIfOwed(context: context)
    case .body(var part):
      owesContinue = false
      current?.append(&part)
    case .end(let trailers):
      guard var request = current else { return }
      current = nil
      owesContinue = false
      if let trailers { request.trailers = trailers }
      take(request, context: context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
  }

  private func take(_ request: ReceivedRequest, context: ChannelHandlerContext) {
    if let problem = HostField.problem(of: request.head) {
      return refuse(
        request.head, status: 400, problem.message, help: problem.help, context: context)
    }
    let isTunnel = request.head.method == .CONNECT
    let place = Place(head: request.head, keepsAlive: isTunnel || request.keepsAlive)
    places.append(place)
    if !place.keepsAlive { isEnding = true }
    if isTunnel {
      place.isDue = true
      place.answer = Answer(reply: PreparedReply(status: 200), record: nil)
    } else {
      service.answer(request) { [self] result in
        settle(place, result, context: context)
      }
    }
    advance(context: context)
    if places.count >= HTTPLimits.maximumPipelined, !hasEnded {
      service.reportMalformed(
        "more than \(HTTPLimits.maximumPipelined) requests wait on one connection")
      end(context: context)
    }
  }

  private func settle(
    _ place: Place, _ result: Result<Answer, PatternError>,
    context: ChannelHandlerContext
  ) {
    guard !hasEnded else {
      if case .success(let answer) = result { service.reportClosed(before: answer) }
      return
    }
    switch result {
    case .success(let answer):
      place.answer = answer
      if answer.reply.closes {
        place.keepsAlive = false
        isEnding = true
        service.connection.takesNoMore = true
      }
      let delay = answer.record?.delay ?? .zero
      if isInputClosed, delay > .zero { return giveUp(context: context) }
      hold(place, for: delay, context: context)
    case .failure(let error):
      service.connection.takesNoMore = true
      service.reportMalformed(error.message)
      place.answer = Answer.refusal(400, error.message, help: error.help)
      place.keepsAlive = false
      place.isDue = true
      isEnding = true
    }
    advance(context: context)
    context.flush()
  }

  private func hold(_ place: Place, for delay: Nanoseconds, context: ChannelHandlerContext) {
    guard delay > .zero else {
      place.isDue = true
      return
    }
    service.schedule(after: delay) { [self] in
      place.isDue = true
      guard !hasEnded else { return }
      advance(context: context)
      context.flush()
    }
  }

  /// Answers a request that no entry may see, and ends the connection behind it.
  ///
  /// - Parameter hearsOut: whether the client may be in the middle of saying more.
  private func refuse(
    _ head: HTTPRequestHead, status: Int, _ message: String, help: String? = nil,
    context: ChannelHandlerContext, hearsOut: Bool = true
  ) {
    service.reportMalformed(message)
    let place = Place(head: head, keepsAlive: false)
    place.answer = .refusal(status, message, help: help)
    place.isDue = true
    places.append(place)
    current = nil
    isEnding = true
    hasInterrupted = hearsOut
    advance(context: context)
  }

  // MARK: - Replies

  /// Begins the first reply if it is due, and those behind it once it is through.
  private func advance(context: ChannelHandlerContext) {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while !hasEnded, let place = places.first, place.isDue, place.performance == nil,
      let answer = place.answer
    {
      perform(answer, in: place, context: context)
    }
    continueIfOwed(context: context)
    if isInputClosed, places.isEmpty, !hasEnded { endBehindReplies(context: context) }
  }

  private func perform(
    _ answer: Answer, in place: Place, context: ChannelHandlerContext
  ) {
    if place.head.method == .CONNECT, place.keepsAlive {
      return openTunnel(for: place, context: context)
    }
    var reply = answer.reply
    if case .webSocket(let offer) = reply.content {
      do {
        let handshake = try WebSocketHandshake(request: place.head, offer: offer)
        return openWebSocket(handshake, offer, reply.headers, context: context)
      } catch {
        service.reportMalformed(error.message)
        reply = error.reply
      }
    }
    if case .tunnel(let tunnel) = reply.content { return join(tunnel, context: context) }
    let wire = HTTP1Wire(
      context: context, link: service.connection.link, request: place.head,
      keepsAlive: place.keepsAlive,
      finalHeaders: { [service] in service.finalHeaders($0) },
      completion: { [weak self] ending in self?.complete(ending, context: context) })
    let performance = service.writer(
      of: reply, isHeadRequest: place.head.method == .HEAD, wire: wire, record: answer.record)
    place.performance = performance
    performance.begin()
  }

  private func complete(_ ending: HTTP1Wire.Ending, context: ChannelHandlerContext) {
    guard !hasEnded else { return }
    if !places.isEmpty { places.removeFirst() }
    switch ending {
    case .finished(let keepsAlive):
      if keepsAlive { advance(context: context) } else { endBehindReplies(context: context) }
    case .abandoned(.reset), .abandoned(.resetStream):
      markEnd()
      context.channel.reset()
    case .abandoned(.close), .abandoned(.goAway), .abandoned(.malformedChunk):
      endBehindReplies(context: context)
    }
    // A later piece of a reply comes without a read behind it.
    if !isAdvancing { context.flush() }
  }

  private func continueIfOwed(context: ChannelHandlerContext) {
    guard places.isEmpty, owesContinue, !hasEnded else { return }
    owesContinue = false
    let head = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      places.first?.performance?.proceed()
      context.flush()
    }
    context.fireChannelWritabilityChanged()
  }

  // MARK: - The end

  private func markEnd() {
    isEnding = true
    hasEnded = true
  }

  /// Whoever takes the connection over answers from here on.
  func leaveToOthers() {
    markEnd()
    places.removeAll()
  }

  /// Closes once everything written so far has reached the kernel.
  private func endBehindReplies(context: ChannelHandlerContext) {
    markEnd()
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let mode: CloseMode = hasInterrupted && !isInputClosed ? .output : .all
    written.futureResult.whenComplete { _ in
      let context = bound.value
      guard mode == .output else { return context.close(promise: nil) }
      // Closed with bytes unread, the kernel would reset the connection and take the reply back.
      context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
    }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: written)
  }

  private func end(context: ChannelHandlerContext) {
    markEnd()
    abandonPlaces()
    context.close(promise: nil)
  }

  /// Tells who left before the answers were due.
  private func abandonPlaces() {
    for place in places {
      if let performance = place.performance {
        performance.cancel()
        if let record = place.answer?.record, record.fault == .hang {
          service.reportClosed(record)
        }
      } else if let record = place.answer?.record {
        service.reportClosed(record)
      }
    }
    places.removeAll()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    isInputClosed = true
    isEnding = true
    if hasEnded {
      // The refusal has been heard out.
      if hasInterrupted { context.close(promise: nil) }
    } else if service.connection.waitingClaims == 0, places.first?.performance?.isSending != true {
      giveUp(context: context)
    }
  }

  /// Whoever closes its side while an answer is held back has given up, as every server assumes.
  private func giveUp(context: ChannelHandlerContext) {
    abandonPlaces()
    endBehindReplies(context: context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    hasEnded = true
    abandonPlaces()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      // The socket or TLS broke; there is nobody to tell.
      if !hasEnded { end(context: context) }
      return
    }
    guard !isEnding else { return }
    current = nil
    // The parser has no word for what it dislikes there.
    let reason =
      error == .unknown
      ? "the transfer-encoding, or the end of a line, is against RFC 9112" : "\(error)"
    let message = "the request is not HTTP/1: \(reason)"
    guard error != .invalidEOFState, error != .closedConnection else {
      service.reportMalformed(message)
      return
    }
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    refuse(head, status: error == .headerOverflow ? 431 : 400, message, context: context)
    context.flush()
  }
}
