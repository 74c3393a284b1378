internal import Glibc
internal import NIOCore

/// One end of a connection of this machine's loopback network: an address of 127.0.0.0/8, and a port.
package struct LoopbackEnd: Sendable, Hashable {
  /// The address, its first byte the most significant one.
  package var address: UInt32
  /// The port.
  package var port: UInt16

  /// Creates an end.
  package init(address: UInt32, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// The end that a socket has; `nil` if it is none of IPv4.
  init?(_ address: SocketAddress?) {
    guard case .v4(let address)? = address else { return nil }
    self.init(
      address: UInt32(bigEndian: address.address.sin_addr.s_addr),
      port: UInt16(bigEndian: address.address.sin_port))
  }

  /// The same as the kernel has it (ip(7)).
  var kernelAddress: sockaddr_in {
    sockaddr_in(
      sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
      sin_addr: in_addr(s_addr: address.bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// The same for a channel.
  var socketAddress: SocketAddress { SocketAddress(kernelAddress) }
}
