import Glibc
internal import NIOCore

extension SocketAddress {
  /// A port of the kernel's choice on 127.0.0.1, without a call of any resolver.
  static let anyLoopbackPort = SocketAddress(
    sockaddr_in(
      sin_family: sa_family_t(AF_INET), sin_port: 0,
      sin_addr: in_addr(s_addr: INADDR_LOOPBACK.bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)))
}

extension Channel {
  /// The port that the kernel chose.
  func boundPort() throws -> UInt16 {
    guard let port = localAddress?.port.flatMap({ UInt16(exactly: $0) }) else {
      throw ChannelError.unknownLocalAddress
    }
    return port
  }
}
