internal import NIOCore

/// Closes the connection once the client has closed its side, or the socket is broken.
protocol HalfCloseHandler: ChannelInboundHandler {}

extension HalfCloseHandler {
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
