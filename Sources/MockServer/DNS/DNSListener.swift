internal import NIOCore
internal import NIOPosix

/// The two DNS ports.
enum DNSListener {
  /// Opens the port for datagrams.
  static func datagrams(
    on loop: any EventLoop, responder: DNSResponder
  ) -> EventLoopFuture<UInt16> {
    DatagramBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            DNSDatagramHandler(responder: responder))
        }
      }
      .bind(to: .anyLoopbackPort)
      .flatMapThrowing { try $0.boundPort() }
  }

  /// Opens the port for streams.
  static func streams(on loop: any EventLoop, responder: DNSResponder) -> EventLoopFuture<UInt16> {
    ServerBootstrap(group: loop)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(DNSStreamHandler(responder: responder))
        }
      }
      .bind(to: .anyLoopbackPort)
      .flatMapThrowing { try $0.boundPort() }
  }
}
