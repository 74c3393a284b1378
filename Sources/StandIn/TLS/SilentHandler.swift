internal import NIOCore

/// Takes what comes and answers nothing, until the client leaves.
final class SilentHandler: EndsWithClient {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Nobody above has to see it.
  }
}
