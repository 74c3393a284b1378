internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import NIOHTTP2
internal import ScenarioModel
internal import ScenarioPlan

/// One stream of HTTP/2: a request and its reply.
final class StreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let service: ConnectionContext
  private var current: ReceivedRequest?
  private var isAnswered = false
  /// The rest of a request that is answered already.
  private var feed: RequestFeed?
  /// The answer that is held back.
  private var held: RecordedRequest?
  private var performance: ReplyWriter?
  private var hasEnded = false

  init(_ service: ConnectionContext) {
    self.service = service
  }

  // MARK: - The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let payload):
      if current == nil, !isAnswered {
        begin(payload, context: context)
      } else {
        let trailers = HTTPHeaders(payload.headers.map { ($0.name, $0.value) })
        if payload.endStream { feed?.send(.end(trailers)) }
        current?.trailers = trailers
      }
      if payload.endStream { take(context: context) }
    case .data(let payload):
      if case .byteBuffer(var part) = payload.data {
        feed?.send(.bytes(part))
        current?.append(&part)
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
    let request = service.open(head, stream: stream.map { Int($0) })
    current = request
    if request.expectsContinue, !payload.endStream {
      let headers = HPACKHeaders([(":status", "100")])
      context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
    }
    if !payload.endStream { open(request, context: context) }
  }

  /// Lets a request be answered while the rest of it comes.
  private func open(_ request: ReceivedRequest, context: ChannelHandlerContext) {
    feed = service.answerOpening(request) { [self] result in
      isAnswered = true
      current = nil
      settle(result, for: request.head, context: context)
    }
    guard let feed else { return }
    isAnswered = true
    current = nil
    let channel = context.channel
    feed.onPressure = { channel.setReading($0) }
  }

  private func take(context: ChannelHandlerContext) {
    guard let request = current else { return }
    current = nil
    isAnswered = true
    service.answer(request) { [self] result in
      settle(result, for: request.head, context: context)
    }
  }

  private func settle(
    _ result: Result<Answer, PatternError>, for head: HTTPRequestHead,
    context: ChannelHandlerContext
  ) {
    guard !hasEnded else {
      if case .success(let answer) = result { service.reportClosed(before: answer) }
      return
    }
    switch result {
    case .success(let answer):
      let delay = answer.record?.delay ?? .zero
      guard delay > .zero else { return perform(answer, for: head, context: context) }
      held = answer.record
      service.schedule(after: delay) { [self] in
        held = nil
        perform(answer, for: head, context: context)
      }
    case .failure(let error):
      refuse(head, status: 400, error.message, help: error.help, context: context)
    }
  }

  /// Answers a request that no entry may see.
  private func refuse(
    _ head: HTTPRequestHead, status: Int, _ message: String, help: String? = nil,
    context: ChannelHandlerContext
  ) {
    isAnswered = true
    service.reportMalformed(message)
    perform(.refusal(status, message, help: help), for: head, context: context)
  }

  // MARK: - The reply

  private func perform(
    _ answer: Answer, for head: HTTPRequestHead, context: ChannelHandlerContext
  ) {
    guard !hasEnded else { return }
    var reply = answer.reply
    if case .webSocket = reply.content {
      let message = "the reply is a WebSocket, which this stand-in does not speak over HTTP/2"
      service.reportMalformed(message)
      reply = Answer.refusal(501, message).reply
    }
    let wire = HTTP2Wire(
      context: context, isHeadRequest: head.method == .HEAD,
      finalHeaders: { [service] in service.finalHeaders($0) },
      completion: { [weak self] in self?.performance = nil })
    let performance = service.writer(
      of: reply, isHeadRequest: head.method == .HEAD, wire: wire, record: answer.record)
    self.performance = performance
    performance.begin()
    context.flush()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      performance?.proceed()
      context.flush()
    }
    context.fireChannelWritabilityChanged()
  }

  // MARK: - The end

  func channelInactive(context: ChannelHandlerContext) {
    hasEnded = true
    feed?.send(.lost)
    feed = nil
    if let held { service.reportClosed(held) }
    held = nil
    performance?.cancel()
    performance = nil
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What the client did wrong is told by the connection; a stream that it resets is no error.
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
