import Glibc
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

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// The port that stands for a destination.
  func port(
    for destination: Destination, reception: NIOLoopBound<Reception>
  ) -> EventLoopFuture<UInt16> {
    if let opening = openings[destination] { return opening }
    let opening = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            ExhaustionHandler(reception.value.exhaustion, host: destination.name))
        }
      }
      // A client may close its own side and still read: `printf … | nc -N`.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let connection = ClientConnection(destination: destination)
          connection.notePorts(of: channel)
          channel.closeFuture.assumeIsolated().whenComplete { _ in
            reception.value.forgetOrigin(of: connection)
          }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(AcknowledgingHandler())
          try pipeline.addHandler(
            AdmissionHandler(connection: connection, reception: reception.value))
          if let link = reception.value.links.handler(for: connection, in: reception.value) {
            try pipeline.addHandler(link)
          }
          guard !reception.value.isRelayed(destination) else {
            try pipeline.addHandler(
              RelayHandler(connection: connection, reception: reception.value))
            return
          }
          try pipeline.addHandler(
            ProtocolSniffer(connection: connection, reception: reception.value))
        }
      }
      .bind(to: loopback)
      .flatMapThrowing { try $0.boundPort() }
    opening.whenFailure { reception.value.exhaustion.note($0, host: destination.name) }
    openings[destination] = opening
    return opening
  }
}

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
      .bind(to: loopback)
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
      .bind(to: loopback)
      .flatMapThrowing { try $0.boundPort() }
  }
}

/// A port of the kernel's choice on 127.0.0.1, without a look at any resolver.
private let loopback = SocketAddress(
  sockaddr_in(
    sin_family: sa_family_t(AF_INET), sin_port: 0,
    sin_addr: in_addr(s_addr: INADDR_LOOPBACK.bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)))

extension Channel {
  /// The port that the kernel chose.
  fileprivate func boundPort() throws -> UInt16 {
    guard let port = localAddress?.port.flatMap({ UInt16(exactly: $0) }) else {
      throw ChannelError.unknownLocalAddress
    }
    return port
  }
}
