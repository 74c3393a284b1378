internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ScenarioPlan

/// One connection to a target, for one webhook.
enum WebhookConnection {
  /// Connects, sends the request, and reads the answer.
  ///
  /// - Parameters:
  ///   - whenSent: called once, when the kernel has the whole request.
  ///   - completion: called once, with the answer or the reason why there is none.
  /// - Returns: the connection.
  static func open(
    to address: SocketAddress, loop: any EventLoop, for call: WebhookCall,
    whenSent: @escaping () -> Void, completion: @escaping (WebhookAttempt.Result) -> Void
  ) -> EventLoopFuture<any Channel> {
    let exchange = NIOLoopBound(WebhookExchange(completion), eventLoop: loop)
    let sent = NIOLoopBound(whenSent, eventLoop: loop)
    let connecting = TargetConnection.open(to: address, loop: loop) { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(AcknowledgingHandler())
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(WebhookHandler(exchange.value))
      }
    }
    connecting.whenComplete { result in
      switch result {
      case .success(let channel):
        channel.write(HTTPClientRequestPart.head(head(of: call)), promise: nil)
        if !call.body.isEmpty {
          channel.write(
            HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: call.body))), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil)).whenComplete { _ in sent.value() }
      case .failure(let error): exchange.value.end(.failed(reason(of: error)))
      }
    }
    return connecting
  }

  private static func head(of call: WebhookCall) -> HTTPRequestHead {
    var headers = HTTPHeaders(call.headers.map { ($0.name, $0.value) })
    if !headers.contains(name: "host") {
      let port = call.url.port == 80 ? "" : ":\(call.url.port)"
      headers.add(name: "host", value: call.url.host + port)
    }
    headers.remove(name: "transfer-encoding")
    let hasBody = !call.body.isEmpty || ["PATCH", "POST", "PUT"].contains(call.method)
    headers.remove(name: "content-length")
    if hasBody { headers.add(name: "content-length", value: "\(call.body.count)") }
    headers.replaceOrAdd(name: "connection", value: "close")
    return HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: call.method), uri: call.url.path,
      headers: headers)
  }

  /// An error in words.
  fileprivate static func reason(of error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { reason(of: $0.error) } ?? "the connection was refused"
    case let error as IOError: SystemText.error(error.errnoCode).lowercased()
    case ChannelError.connectTimeout: "the target accepts no more connections"
    case is HTTPParserError: "the answer is not HTTP/1: \(error)"
    default: "\(error)"
    }
  }
}

/// The answer to one webhook; ends once.
private final class WebhookExchange {
  private var completion: ((WebhookAttempt.Result) -> Void)?

  init(_ completion: @escaping (WebhookAttempt.Result) -> Void) {
    self.completion = completion
  }

  func end(_ result: WebhookAttempt.Result) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}

/// Reads the answer.
private final class WebhookHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let exchange: WebhookExchange
  private var status: Int?

  init(_ exchange: WebhookExchange) {
    self.exchange = exchange
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = Int(head.status.code)
    case .body: break
    case .end:
      if let status { exchange.end(.answered(status: status)) }
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    exchange.end(.failed("the connection was closed before the answer was complete"))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A proper end of the connection may also be the end of the body.
    if case HTTPParserError.invalidEOFState = error { return }
    exchange.end(.failed(WebhookConnection.reason(of: error)))
    context.close(promise: nil)
  }
}
