internal import NIOCore
internal import NIOPosix

/// Carries the datagrams between hosts: each port of a host has one place at which all other hosts send to it, and from which
/// it sends to all of them.
///
/// Lives on the event loop.
final class DatagramRelay {
  private unowned let relay: HostRelay
  private let place: @Sendable (LoopbackEnd) -> HostPlace?
  private var channels: [LoopbackEnd: EventLoopFuture<any Channel>] = [:]

  init(relay: HostRelay, place: @escaping @Sendable (LoopbackEnd) -> HostPlace?) {
    self.relay = relay
    self.place = place
  }

  /// Opens the place for a port of a host's, unless it is open.
  func open(at end: LoopbackEnd) -> EventLoopFuture<any Channel> {
    if let channel = channels[end] { return channel }
    let bound = NIOLoopBound(self, eventLoop: relay.loop)
    let opening = DatagramBootstrap(group: relay.loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(DatagramHandler(bound.value))
        }
      }
      .bind(to: end.socketAddress)
    channels[end] = opening
    return opening
  }

  /// A datagram has come from a host to the place of another one's port.
  fileprivate func carry(_ bytes: ByteBuffer, from: SocketAddress, at local: SocketAddress?) {
    guard let sender = LoopbackEnd(from).flatMap(place),
      let goal = LoopbackEnd(local).flatMap(place),
      !relay.isCut(sender.host, goal.host)
    else { return }
    open(at: sender.relay).whenSuccess { channel in
      channel.writeAndFlush(
        AddressedEnvelope(remoteAddress: goal.own.socketAddress, data: bytes), promise: nil)
    }
  }
}

private final class DatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let relay: DatagramRelay

  init(_ relay: DatagramRelay) { self.relay = relay }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let datagram = unwrapInboundIn(data)
    relay.carry(
      datagram.data, from: datagram.remoteAddress, at: context.channel.localAddress)
  }

  /// What the kernel says of one datagram concerns no other.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
