internal import FaultEngine
internal import Foundations
internal import NIOCore
internal import ScenarioModel
internal import NIOPosix

/// Carries the datagrams between hosts: each port of a host has one place at which all other hosts send to it, and from which
/// it sends to all of them.
///
/// Lives on the event loop.
final class DatagramRelay {
  private unowned let relay: HostRelay
  private let place: @Sendable (LoopbackEnd) -> HostPlace?
  private struct Ends: Hashable {
    var sender: LoopbackEnd
    var goal: LoopbackEnd
  }

  private var flows: [Ends: DatagramFlow] = [:]
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
    let now = relay.clock.elapsed
    for due in flow(from: sender, to: goal).arrivals(of: bytes.readableBytes, at: now) {
      guard due > now else {
        send(bytes, from: sender, to: goal)
        continue
      }
      relay.clock.schedule(after: due - now) { [self] in
        if !relay.isCut(sender.host, goal.host) { send(bytes, from: sender, to: goal) }
      }
    }
  }

  private func flow(from sender: HostPlace, to goal: HostPlace) -> DatagramFlow {
    let ends = Ends(sender: sender.own, goal: goal.own)
    if let flow = flows[ends] { return flow }
    let flow = DatagramFlow(relay.links)
    flows[ends] = flow
    flow.ticket = relay.links.follow(
      flow,
      HostWay(
        from: relay.names[sender.host], to: relay.names[goal.host], isReturn: false),
      port: goal.port, of: HostClient())
    return flow
  }

  private func send(_ bytes: ByteBuffer, from sender: HostPlace, to goal: HostPlace) {
    open(at: sender.relay).whenSuccess { channel in
      channel.writeAndFlush(
        AddressedEnvelope(remoteAddress: goal.own.socketAddress, data: bytes), promise: nil)
    }
  }
}

/// The datagrams from one socket to another.
private final class DatagramFlow: FaultTaker {
  private let connections: FaultyConnections
  private var faults = DatagramFaults([], random: SplitMix64(seed: 0))
  private var isDown = false
  private var hasFired = false
  var ticket: Int?

  init(_ connections: FaultyConnections) { self.connections = connections }

  func take(_ decision: LinkDecision?) {
    faults = DatagramFaults(
      decision?.toxics ?? [], random: decision?.random ?? SplitMix64(seed: 0))
    isDown = decision?.faults.contains(.down) ?? false
    hasFired = false
  }

  func open() {}

  func arrivals(of size: Int, at now: Nanoseconds) -> [Nanoseconds] {
    let arrivals = isDown ? [] : faults.arrivals(of: size, at: now)
    if !hasFired, isDown || faults.hasActed, let ticket {
      hasFired = true
      connections.recordFired(ticket)
    }
    return arrivals
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

  /// Ignores errors, because the error of one datagram does not affect others.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
