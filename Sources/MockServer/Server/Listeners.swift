internal import NIOCore
internal import NIOPosix

/// The listeners for destinations.
///
/// Lives on the event loop.
final class Listeners {
  /// Connections that the kernel holds until they are accepted.
  static let backlog: Int32 = 1024

  private var openings: [Destination: EventLoopFuture<UInt16>] = [:]
  private let loop: any EventLoop
  private let pipelines: NIOLoopBound<PipelineBuilder>
  private let exhaustion: NIOLoopBound<Exhaustion>

  init(loop: any EventLoop, pipelines: PipelineBuilder, exhaustion: Exhaustion) {
    self.loop = loop
    self.pipelines = NIOLoopBound(pipelines, eventLoop: loop)
    self.exhaustion = NIOLoopBound(exhaustion, eventLoop: loop)
  }

  /// Returns the port that stands for a destination; opened at the first call.
  func port(for destination: Destination) -> EventLoopFuture<UInt16> {
    if let opening = openings[destination] { return opening }
    let opening = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelInitializer { [exhaustion] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            ExhaustionHandler(exhaustion.value, host: destination.name))
        }
      }
      // A client may close its own side and still read: `printf … | nc -N`.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { [pipelines] channel in
        channel.eventLoop.makeCompletedFuture {
          try pipelines.value.begin(channel, to: destination)
        }
      }
      .bind(to: .anyLoopbackPort)
      .flatMapThrowing { try $0.boundPort() }
    opening.whenFailure { [exhaustion] in exhaustion.value.check($0, host: destination.name) }
    openings[destination] = opening
    return opening
  }
}
