internal import Foundations
internal import NIOCore
internal import NIOWebSocket

/// A WebSocket once the handshake is through (RFC 6455, sections 5 to 7).
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The largest message, in bytes; beyond it the connection ends with code 1009.
  private static let maximumMessage = 16 * 1024 * 1024

  /// Status codes of section 7.4.1.
  private enum Code {
    static let protocolError = 1002
    static let absent = 1005
    static let notText = 1007
    static let tooLarge = 1009
  }

  private let session: any WebSocketSession
  private let schedule: (Nanoseconds, @escaping () -> Void) -> Void
  private let reportMalformed: (String) -> Void
  private var socket: WebSocket?
  private var context: ChannelHandlerContext?
  /// The message whose fragments are coming in.
  private var fragments: (isText: Bool, bytes: ByteBuffer)?
  private var hasSentClose = false
  private var isOver = false

  init(
    session: any WebSocketSession,
    schedule: @escaping (Nanoseconds, @escaping () -> Void) -> Void,
    reportMalformed: @escaping (String) -> Void
  ) {
    self.session = session
    self.schedule = schedule
    self.reportMalformed = reportMalformed
  }

  /// The handlers for the pipeline, this one last.
  var handlers: [any ChannelHandler] {
    let decoder = WebSocketFrameDecoder(maxFrameSize: Self.maximumMessage)
    return [WebSocketFrameEncoder(), ByteToMessageHandler(decoder), self]
  }

  /// Starts the session, once nothing else writes to the connection.
  func open() {
    let socket = WebSocket(
      schedule: schedule,
      perform: { [weak self] command in self?.perform(command) })
    self.socket = socket
    session.opened(socket)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  // MARK: - Out

  private func perform(_ command: WebSocket.Command) {
    guard let context, !hasSentClose, !isOver else { return }
    switch command {
    case .send(.text(let text)):
      write(.text, ByteBuffer(string: text), context)
    case .send(.binary(let bytes)):
      write(.binary, bytes, context)
    case .ping(let bytes):
      write(.ping, bytes, context)
    case .close(let code, let reason):
      sendClose(code: code, reason: reason, context)
    case .abandon(.reset), .abandon(.resetStream):
      context.channel.reset()
    case .abandon(.close), .abandon(.goAway), .abandon(.malformedChunk):
      closeBehindFrames(context)
    }
  }

  private func write(
    _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  private func sendClose(code: Int, reason: String, _ context: ChannelHandlerContext) {
    hasSentClose = true
    var data = ByteBuffer()
    if code != Code.absent {
      data.writeInteger(UInt16(truncatingIfNeeded: code))
      data.writeString(reason)
    }
    write(.connectionClose, data, context)
  }

  /// Closes once everything written so far has reached the kernel.
  private func closeBehindFrames(_ context: ChannelHandlerContext) {
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
    do {
      let encoder = try context.pipeline.syncOperations.context(
        handlerType: WebSocketFrameEncoder.self)
      encoder.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    } catch {
      written.fail(error)
    }
  }

  // MARK: - In

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil else { return fail(Code.protocolError, "a frame is not masked") }
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return fail(Code.protocolError, "a frame uses an extension that was not negotiated")
    }
    switch frame.opcode {
    case .text, .binary: take(frame, isText: frame.opcode == .text)
    case .continuation: takeContinuation(frame)
    case .ping: if !hasSentClose { write(.pong, frame.unmaskedData, context) }
    case .pong: break
    case .connectionClose: takeClose(frame.unmaskedData, context)
    default: fail(Code.protocolError, "a frame has an unknown opcode")
    }
  }

  private func take(_ frame: WebSocketFrame, isText: Bool) {
    guard fragments == nil else {
      return fail(Code.protocolError, "a message begins within another")
    }
    if frame.fin {
      deliver(frame.unmaskedData, isText: isText)
    } else {
      fragments = (isText, frame.unmaskedData)
    }
  }

  private func takeContinuation(_ frame: WebSocketFrame) {
    guard let length = fragments?.bytes.readableBytes else {
      return fail(Code.protocolError, "a fragment does not continue a message")
    }
    var part = frame.unmaskedData
    guard length + part.readableBytes <= Self.maximumMessage else {
      fragments = nil
      return fail(Code.tooLarge, "a message is larger than \(Self.maximumMessage) bytes")
    }
    // In place: a copy for each of many small fragments would take for ever.
    fragments?.bytes.writeBuffer(&part)
    if frame.fin, let message = fragments.take() {
      deliver(message.bytes, isText: message.isText)
    }
  }

  private func deliver(_ bytes: ByteBuffer, isText: Bool) {
    guard let socket else { return }
    guard isText else { return session.received(.binary(bytes), on: socket) }
    guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      return fail(Code.notText, "a text message is not UTF-8")
    }
    session.received(.text(text), on: socket)
  }

  private func takeClose(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
    var data = data
    var code = Code.absent
    var reason = ""
    if data.readableBytes > 0 {
      guard let number = data.readInteger(as: UInt16.self),
        let text = String(validating: data.readableBytesView, as: UTF8.self),
        Self.isValid(closeCode: Int(number))
      else {
        return fail(Code.protocolError, "a close frame has no reason, or an invalid one")
      }
      code = Int(number)
      reason = text
    }
    if !hasSentClose { sendClose(code: code, reason: "", context) }
    end(.closed(code: code, reason: reason))
    closeBehindFrames(context)
  }

  /// Section 7.4.
  private static func isValid(closeCode code: Int) -> Bool {
    (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
  }

  // MARK: - The end

  private func fail(_ code: Int, _ message: String) {
    guard let context, !isOver else { return }
    reportMalformed("WebSocket: \(message)")
    if !hasSentClose { sendClose(code: code, reason: message, context) }
    end(.lost)
    closeBehindFrames(context)
  }

  private func end(_ ending: WebSocketEnding) {
    guard !isOver else { return }
    isOver = true
    socket?.end()
    session.ended(ending)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    end(.lost)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(.lost)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else {
      context.close(promise: nil)
      return
    }
    switch error {
    case .invalidFrameLength:
      fail(Code.tooLarge, "a frame is larger than \(Self.maximumMessage) bytes")
    case .fragmentedControlFrame, .multiByteControlFrameLength:
      fail(Code.protocolError, "a control frame is fragmented or too long")
    }
  }
}
