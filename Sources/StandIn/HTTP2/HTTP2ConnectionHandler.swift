internal import NIOCore
internal import NIOHTTP2

/// What concerns a connection of HTTP/2 as a whole: its errors and its end.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private let connection: ClientConnection
  private let reception: Reception
  private var hasFailed = false

  init(connection: ClientConnection, reception: Reception) {
    self.connection = connection
    self.reception = reception
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    reception.farewells[ObjectIdentifier(self)] = {
      let payload = HTTP2Frame.FramePayload.goAway(
        lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
      let frame = HTTP2Frame(streamID: .rootStream, payload: payload)
      bound.value.writeAndFlush(NIOAny(frame), promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    reception.farewells.removeValue(forKey: ObjectIdentifier(self))
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? NIOHTTP2Errors.StreamError {
      // The library has reset the stream; the others go on.
      return reception.recordMalformed(
        connection, "HTTP/2 stream \(Int(error.streamID)): \(Self.text(error.baseError))")
    }
    guard !hasFailed else { return }
    hasFailed = true
    if Self.isProtocolError(error) {
      reception.recordMalformed(connection, "the connection is not HTTP/2: \(Self.text(error))")
    }
    context.close(promise: nil)
  }

  /// Whether the client did wrong, and not the socket.
  private static func isProtocolError(_ error: any Error) -> Bool {
    error is any NIOHTTP2Error
  }

  private static func text(_ error: any Error) -> String {
    let text = String(describing: error)
    // The library's errors tell where in the library they were made, which helps nobody here.
    return text.firstRange(of: ", file: ").map { String(text[..<$0.lowerBound]) } ?? text
  }
}
