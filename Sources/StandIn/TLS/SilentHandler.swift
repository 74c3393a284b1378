internal import NIOCore

/// Takes what comes and answers nothing, until the client leaves.
final class SilentHandler: HalfCloseHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Nobody above has to see it.
  }
}
