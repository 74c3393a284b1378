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
  private struct Place {
    let number: Int
    let version: HTTPVersion
    let isHeadRequest: Bool
    let keepsAlive: Bool
    let record: RecordedRequest?
    let reply: PreparedReply
    var isDue: Bool
    /// The real host's answer, which goes out as it comes in.
    var exchange: UpstreamExchange?
  }

  private let connection: ClientConnection
  private let reception: Reception
  private var current: ReceivedRequest?
  private var owesContinue = false
  private var places = CircularBuffer<Place>()
  private var nextNumber = 0
  /// Nothing more is read: an error, or a reply that ends the connection, is on its way.
  private var isEnding = false
  private var hasEnded = false

  init(connection: ClientConnection, reception: Reception) {
    self.connection = connection
    self.reception = reception
  }

  // MARK: - Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isEnding else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      let request = ReceivedRequest(head: head)
      if request.expectsContinue {
        guard !request.isTooLarge else {
          refuse(head, status: 413, Self.tooLarge, context: context)
          return
        }
        owesContinue = true
      }
      current = request
      sendDueReplies(context: context)
    case .body(var part):
      owesContinue = false
      current?.append(&part)
    case .end:
      guard let request = current else { return }
      current = nil
      owesContinue = false
      answer(request, context: context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
  }

  private func answer(_ request: ReceivedRequest, context: ChannelHandlerContext) {
    guard !request.isTooLarge else {
      refuse(request.head, status: 413, Self.tooLarge, context: context)
      return
    }
    guard request.head.method != .CONNECT else {
      refuse(
        request.head, status: 501,
        "\"CONNECT \(request.head.uri)\" asks for a proxy, and the stand-in is none",
        help: "leave proxy variables unset; connections are led here without them",
        context: context)
      return
    }
    do {
      let answer = try reception.answer(request, on: connection)
      enqueue(
        answer.reply, for: request.head, keepsAlive: request.keepsAlive, context: context,
        record: answer.record, exchange: answer.exchange)
    } catch {
      refuse(request.head, status: 400, error.message, help: error.help, context: context)
    }
  }

  private static let tooLarge =
    "the body of the request is larger than \(HTTPLimits.maximumBody) bytes"

  /// Answers a request that no entry may see, and ends the connection behind it.
  private func refuse(
    _ head: HTTPRequestHead, status: Int, _ message: String, help: String? = nil,
    context: ChannelHandlerContext
  ) {
    reception.recordMalformed(connection, message)
    let lines = [message] + (help.map { ["help: \($0)"] } ?? [])
    let reply = PreparedReply(status: status, mark: "refused", lines: lines)
    enqueue(reply, for: head, keepsAlive: false, context: context)
  }

  // MARK: - Replies

  private func enqueue(
    _ reply: PreparedReply, for head: HTTPRequestHead, keepsAlive: Bool,
    context: ChannelHandlerContext, record: RecordedRequest? = nil,
    exchange: UpstreamExchange? = nil
  ) {
    let delay = record?.delay ?? .zero
    let place = Place(
      number: nextNumber, version: head.version == .http1_0 ? .http1_0 : .http1_1,
      isHeadRequest: head.method == .HEAD, keepsAlive: keepsAlive && !reply.closes,
      record: record, reply: reply, isDue: delay <= .zero, exchange: exchange)
    nextNumber += 1
    if !place.keepsAlive { isEnding = true }
    places.append(place)
    exchange?.onNews = { [weak self] in
      self?.sendDueReplies(context: context)
      context.flush()
    }
    if !place.isDue {
      let number = place.number
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      reception.schedule(delay) {
        let (handler, context) = bound.value
        handler.becomeDue(number: number, context: context)
      }
    }
    sendDueReplies(context: context)
    if places.count >= HTTPLimits.maximumPipelined {
      reception.recordMalformed(
        connection, "more than \(HTTPLimits.maximumPipelined) requests wait on one connection")
      end(context: context)
    }
  }

  private func becomeDue(number: Int, context: ChannelHandlerContext) {
    guard !hasEnded, let index = places.firstIndex(where: { $0.number == number }) else { return }
    places[index].isDue = true
    sendDueReplies(context: context)
    context.flush()
  }

  private func sendDueReplies(context: ChannelHandlerContext) {
    while !hasEnded, let place = places.first, place.isDue {
      if let exchange = place.exchange {
        guard sendNews(of: exchange, for: place, context: context) else { return }
        places.removeFirst()
        continue
      }
      places.removeFirst()
      send(place, context: context)
    }
    guard places.isEmpty, owesContinue, !hasEnded else { return }
    owesContinue = false
    let head = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  private func send(_ place: Place, context: ChannelHandlerContext) {
    let head = place.reply.head(
      version: place.version, isHeadRequest: place.isHeadRequest, keepsAlive: place.keepsAlive,
      date: reception.date)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if place.reply.mayHaveBody, !place.isHeadRequest, place.reply.body.readableBytes > 0 {
      context.write(wrapOutboundOut(.body(.byteBuffer(place.reply.body))), promise: nil)
    }
    if place.keepsAlive {
      context.write(wrapOutboundOut(.end(nil)), promise: nil)
    } else {
      endBehindReplies(context: context)
    }
  }

  /// Passes on what has come from a real host; true once all of it has.
  private func sendNews(
    of exchange: UpstreamExchange, for place: Place, context: ChannelHandlerContext
  ) -> Bool {
    while let part = exchange.takePart() {
      switch part {
      case .head(let head):
        let reply = LiveHead(
          head, version: place.version, isHeadRequest: place.isHeadRequest,
          keepsAlive: place.keepsAlive)
        if !reply.keepsAlive { isEnding = true }
        exchange.keepsAlive = reply.keepsAlive
        context.write(wrapOutboundOut(.head(reply.head)), promise: nil)
      case .body(let bytes):
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
      case .end(let trailers):
        guard exchange.keepsAlive else {
          endBehindReplies(context: context)
          return true
        }
        context.write(wrapOutboundOut(.end(trailers)), promise: nil)
        return true
      }
    }
    guard let failure = exchange.failure else { return false }
    switch failure {
    // The client waits on, as it would have waited for the host: its own timeout ends it.
    case .silent where !exchange.hasBegun: return false
    case .closed: end(context: context)
    default:
      isEnding = true
      hasEnded = true
      context.channel.reset()
    }
    return false
  }

  // MARK: - The end

  /// Closes once everything written so far has reached the kernel.
  private func endBehindReplies(context: ChannelHandlerContext) {
    isEnding = true
    hasEnded = true
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  private func end(context: ChannelHandlerContext) {
    isEnding = true
    hasEnded = true
    context.close(promise: nil)
  }

  /// Tells who left before the answers were due.
  private func abandonPlaces() {
    let abandoned = places
    places.removeAll()
    for place in abandoned {
      if let record = place.record { reception.recordClosed(record) }
      place.exchange?.abandon()
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    // Whoever closes its side while an answer is held back has given up, as every server assumes.
    abandonPlaces()
    if !hasEnded { endBehindReplies(context: context) }
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
    let message = "the request is not HTTP/1: \(error)"
    guard error != .invalidEOFState, error != .closedConnection else {
      reception.recordMalformed(connection, message)
      return
    }
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    refuse(head, status: error == .headerOverflow ? 431 : 400, message, context: context)
    context.flush()
  }
}
