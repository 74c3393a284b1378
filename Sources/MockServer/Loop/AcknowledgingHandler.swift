internal import Glibc
internal import NIOCore

/// Makes the kernel acknowledge at once what a client has sent.
///
/// A client may hold back the rest of what it has to say until the first part is acknowledged (Nagle,
/// RFC 9293 section 3.7.4), and the kernel may put the acknowledgement off for 40 ms of real time. Everything
/// would seem to sleep meanwhile, and virtual time would move on in the middle of a request.
final class AcknowledgingHandler: ChannelDuplexHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny

  /// True if bytes have left since the last read; they carry the acknowledgement.
  private var hasWritten = false
  /// Resets the connection behind what a faulty link holds back; `nil` where nothing is held back.
  var resetBehindLink: (() -> Void)?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    hasWritten = true
    context.write(data, promise: promise)
  }

  /// tcp(7): the option does not last, so it is set after each read.
  func channelReadComplete(context: ChannelHandlerContext) {
    defer {
      hasWritten = false
      context.fireChannelReadComplete()
    }
    guard !hasWritten else { return }
    let option = ChannelOptions.Types.SocketOption(
      level: .tcp, name: .init(rawValue: TCP_QUICKACK))
    // A connection that is gone needs no acknowledgement.
    try? context.channel.syncOptions?.setOption(option, value: 1)
  }
}
