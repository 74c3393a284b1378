internal import NIOCore

/// Reads and drops what the client sends, until it leaves.
final class SilentHandler: HalfCloseHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The handlers above must not see it.
  }
}
