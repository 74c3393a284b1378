internal import NIOCore
internal import NIOPosix

/// Opens connections to targets.
enum TargetConnection {
  /// How long a target has to accept earlier connections, in real time.
  static let patience = TimeAmount.seconds(5)

  /// Connects; tries again as long as the target's queue of connections is full.
  ///
  /// The kernel of this machine accepts a connection at once, or drops what the queue of listen(2) has no room for, and
  /// would ask again only a second later.
  ///
  /// - Parameter initialize: called for each attempt.
  static func open(
    to place: SocketAddress, loop: any EventLoop, until deadline: NIODeadline = .now() + patience,
    _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    ClientBootstrap(group: loop)
      .connectTimeout(.milliseconds(100))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer(initialize)
      .connect(to: place)
      .flatMapError { error in
        guard case ChannelError.connectTimeout = error, .now() < deadline else {
          return loop.makeFailedFuture(error)
        }
        return open(to: place, loop: loop, until: deadline, initialize)
      }
  }
}
