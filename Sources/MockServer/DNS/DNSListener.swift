internal import MockEngine
internal import NIOCore
internal import NIOPosix
internal import ScenarioModel
internal import ScenarioPlan

/// The two DNS ports.
enum DNSListener {
  /// The port that clients mean (RFC 1035, section 4.2).
  static let usualPort: UInt16 = 53
  /// The port that clients mean which ask by TLS (RFC 7858, section 3.1).
  static let securePort: UInt16 = 853

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
  ///
  /// - Parameter admit: called on the event loop for each client; adds what stands before the answers.
  static func streams(
    on loop: any EventLoop, responder: DNSResponder,
    admit: @escaping @Sendable (any Channel) throws -> Void
  ) -> EventLoopFuture<UInt16> {
    ServerBootstrap(group: loop)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try admit(channel)
          try channel.pipeline.syncOperations.addHandler(DNSStreamHandler(responder: responder))
        }
      }
      .bind(to: .anyLoopbackPort)
      .flatMapThrowing { try $0.boundPort() }
  }
}

extension PlannedNetwork {
  /// Returns whether a destination is a name server that is asked by TLS, and the scenario answers
  /// in its place.
  func answersNames(at destination: Destination) -> Bool {
    names != nil && destination.port == DNSListener.securePort
      && mode(ofHost: destination.name) != .live
      && !answers(host: destination.name, port: destination.port)
  }
}
