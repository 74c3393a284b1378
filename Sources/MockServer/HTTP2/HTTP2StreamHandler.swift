internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import NIOHTTP2
internal import Patterns

/// One stream of HTTP/2: a request and its reply.
final class HTTP2StreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let service: ConnectionContext
  private var request: ReceivedRequest?
  /// The exchange; `nil` before the head of the request.
  private var exchange: HTTPExchange<Answer>?
  /// The rest of a request that is routed already.
  private var feed: RequestFeed?
  private var writer: ReplyWriter?

  /// The number of the stream, once its head has come.
  private var stream: Int?

  init(_ service: ConnectionContext) {
    self.service = service
  }

  // MARK: - The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let payload):
      if exchange == nil {
        begin(payload, context: context)
      } else {
        let trailers = HTTPHeaders(payload.headers.map { ($0.name, $0.value) })
        if payload.endStream { feed?.send(.end(trailers)) }
        request?.trailers = trailers
      }
      if payload.endStream { take(context: context) }
    case .data(let payload):
      if case .byteBuffer(var part) = payload.data {
        feed?.send(.bytes(part))
        request?.append(&part)
      }
      if payload.endStream { feed?.send(.end([:])) }
      if payload.endStream { take(context: context) }
    default:
      break
    }
  }

  private func begin(_ payload: HTTP2Frame.FramePayload.Headers, context: ChannelHandlerContext) {
    let head = HTTPRequestHead(fields: payload.headers)
    if let refusal = HTTPLimits.refusal(of: head) {
      return refuse(head, status: refusal.status, refusal.message, context: context)
    }
    guard head.method != .CONNECT else {
      return refuse(
        head, status: 501, "\"CONNECT \(head.uri)\" asks for a proxy over HTTP/2",
        help: "use HTTP/1.1 for the proxy", context: context)
    }
    let option = HTTP2StreamChannelOptions.streamID
    let stream = try? context.channel.syncOptions?.getOption(option)
    self.stream = stream.map { Int($0) }
    let request = service.open(head, stream: self.stream)
    self.request = request
    var exchange = HTTPExchange<Answer>.receiving(
      owesContinue: request.expectsContinue && !payload.endStream)
    let action = exchange.admitBody()
    self.exchange = exchange
    if case .sendContinue = action {
      let headers = HPACKHeaders([(":status", "100")])
      context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
    }
    if !payload.endStream { open(request, context: context) }
  }

  /// Begins to answer a request while the rest of it comes.
  private func open(_ request: ReceivedRequest, context: ChannelHandlerContext) {
    feed = service.answerOpening(request) { [self] result in
      settle(result, for: request.head, context: context)
    }
    guard let feed else { return }
    _ = exchange?.endRequest()
    self.request = nil
    let channel = context.channel
    feed.onPressure = { channel.setReading($0) }
  }

  private func take(context: ChannelHandlerContext) {
    guard let request, case .route? = exchange?.endRequest() else { return }
    self.request = nil
    service.answer(request) { [self] result in
      settle(result, for: request.head, context: context)
    }
  }

  private func settle(
    _ result: Result<Answer, PatternError>, for head: HTTPRequestHead,
    context: ChannelHandlerContext
  ) {
    switch result {
    case .success(let answer):
      perform(exchange?.choose(answer, after: answer.delay), for: head, context: context)
    case .failure(let error):
      if case .over? = exchange { return }
      refuse(head, status: 400, error.message, help: error.help, context: context)
    }
  }

  /// Answers a request that no entry may see.
  private func refuse(
    _ head: HTTPRequestHead, status: Int, _ message: String, help: String? = nil,
    context: ChannelHandlerContext
  ) {
    service.reportMalformed(message)
    exchange = .due(.refusal(status, message, help: help))
    perform(exchange?.reachTurn(), for: head, context: context)
  }

  /// Carries out an action of the exchange, and sends the reply if it is due.
  private func perform(
    _ action: HTTPExchange<Answer>.Action?, for head: HTTPRequestHead,
    context: ChannelHandlerContext
  ) {
    switch action {
    case .route, .sendContinue, .cancel, .reportClosed, nil: break
    case .nothing:
      // No other reply is before it.
      if case .send(let answer)? = exchange?.reachTurn() {
        send(answer, for: head, context: context)
      }
    case .wait(let delay):
      service.schedule(after: delay) { [self] in
        exchange?.reachTime()
        perform(.nothing, for: head, context: context)
      }
    case .send(let answer): send(answer, for: head, context: context)
    case .reportClosedBefore(let answer): service.reportClosed(before: answer)
    }
  }

  // MARK: - The reply

  private func send(_ answer: Answer, for head: HTTPRequestHead, context: ChannelHandlerContext) {
    var reply = answer.reply
    if case .webSocket = reply.content {
      let message = "the reply is a WebSocket, which this mock server does not speak over HTTP/2"
      service.reportMalformed(message)
      reply = Answer.refusal(501, message).reply
    }
    let isHeadRequest = head.method == .HEAD
    let wire = HTTP2Wire(
      context: context, isHeadRequest: isHeadRequest,
      finalHeaders: { [service] in service.finalHeaders($0) },
      completion: { [weak self] in
        self?.writer = nil
        self?.exchange?.finish()
      })
    let writer = service.writer(
      of: reply, isHeadRequest: isHeadRequest, wire: wire, record: answer.record)
    self.writer = writer
    writer.begin()
    context.flush()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      writer?.proceed()
      context.flush()
    }
    context.fireChannelWritabilityChanged()
  }

  // MARK: - The end

  func channelInactive(context: ChannelHandlerContext) {
    feed?.send(.lost)
    feed = nil
    switch exchange?.abandon() {
    case .reportClosed(let answer)?:
      if let record = answer.record { service.reportClosed(record) }
    case .cancel?: writer?.cancel()
    default: break
    }
    writer = nil
    service.connection.leave(stream: stream)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The connection reports what the client did wrong; a stream that it resets is no error.
    context.close(promise: nil)
  }
}

extension HTTPRequestHead {
  /// Reads the fields that begin a stream (RFC 9113, section 8.3.1); the library has checked them.
  fileprivate init(fields: HPACKHeaders) {
    var headers = HTTPHeaders()
    var method = "GET"
    var path: String?
    var authority: String?
    var cookies: [String] = []
    for field in fields {
      switch field.name {
      case ":method": method = field.value
      case ":path": path = field.value
      case ":authority": authority = field.value
      // Section 8.2.3: what was split for the sake of compression is one field again.
      case "cookie": cookies.append(field.value)
      default: if !field.name.hasPrefix(":") { headers.add(name: field.name, value: field.value) }
      }
    }
    if !cookies.isEmpty { headers.add(name: "cookie", value: cookies.joined(separator: "; ")) }
    if let authority { headers.replaceOrAdd(name: "host", value: authority) }
    self.init(
      version: .http2, method: HTTPMethod(rawValue: method), uri: path ?? authority ?? "/",
      headers: headers)
  }
}
