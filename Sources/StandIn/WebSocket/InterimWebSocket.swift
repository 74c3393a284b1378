internal import Crypto
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The smallest WebSocket (RFC 6455) that carries whole text messages.
final class InterimWebSocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private static let maximumMessage = 16 * 1024 * 1024
  /// RFC 6455, section 1.3.
  private static let salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  private let session: any WebSocketSession
  private let reception: Reception
  private var socket: WebSocket?
  private var message = ByteBuffer()
  private var isOver = false

  private init(session: any WebSocketSession, reception: Reception) {
    self.session = session
    self.reception = reception
  }

  /// Answers the handshake and changes the pipeline.
  static func start(
    _ offer: WebSocketOffer, for request: HTTPRequestHead, reception: Reception,
    behind handler: ConversationHandler, context: ChannelHandlerContext
  ) {
    let key = request.headers.first(name: "sec-websocket-key") ?? ""
    let digest = Insecure.SHA1.hash(data: Data((key + salt).utf8))
    var headers: HTTPHeaders = [
      "upgrade": "websocket", "connection": "Upgrade",
      "sec-websocket-accept": Data(digest).base64EncodedString(),
    ]
    if let name = offer.subprotocol { headers.add(name: "sec-websocket-protocol", value: name) }
    let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
    context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
    let pipeline = context.pipeline.syncOperations
    do {
      let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let frames = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: maximumMessage))
      try pipeline.addHandler(WebSocketFrameEncoder())
      try pipeline.addHandler(frames)
      try pipeline.addHandler(InterimWebSocket(session: offer.session, reception: reception))
      pipeline.removeHandler(encoder, promise: nil)
      pipeline.removeHandler(handler, promise: nil)
      // What the client has sent already goes on to the frames.
      pipeline.removeHandler(decoder, promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let socket = WebSocket(
      schedule: { [reception] delay, work in
        let boundWork = NIOLoopBound(work, eventLoop: context.eventLoop)
        reception.schedule(delay) { boundWork.value() }
      },
      perform: { command in
        let (handler, context) = bound.value
        handler.perform(command, context)
      })
    self.socket = socket
    session.opened(socket)
  }

  private func perform(_ command: WebSocket.Command, _ context: ChannelHandlerContext) {
    switch command {
    case .send(.text(let text)):
      let data = context.channel.allocator.buffer(string: text)
      send(WebSocketFrame(fin: true, opcode: .text, data: data), context)
    case .send(.binary(let data)):
      send(WebSocketFrame(fin: true, opcode: .binary, data: data), context)
    case .close(let code, let reason):
      var data = ByteBuffer()
      data.writeInteger(UInt16(clamping: code))
      data.writeString(String(reason.utf8.prefix(120)) ?? "")
      send(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), context)
      end(.closed(code: code, reason: reason))
    }
  }

  private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    var bytes = frame.unmaskedData
    switch frame.opcode {
    case .text, .binary, .continuation:
      message.writeBuffer(&bytes)
      guard message.readableBytes <= Self.maximumMessage else { return context.close(promise: nil) }
      guard frame.fin, let socket, !isOver else { return }
      let text = String(buffer: message)
      message = ByteBuffer()
      session.received(.text(text), on: socket)
    case .ping:
      send(WebSocketFrame(fin: true, opcode: .pong, data: bytes), context)
    case .connectionClose:
      if !isOver { send(WebSocketFrame(fin: true, opcode: .connectionClose, data: bytes), context) }
      end(.closed(code: 1000, reason: ""))
      context.close(promise: nil)
    default:
      break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(.lost)
    context.fireChannelInactive()
  }

  private func end(_ ending: WebSocketEnding) {
    guard !isOver else { return }
    isOver = true
    socket?.end()
    session.ended(ending)
  }
}
