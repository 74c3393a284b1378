internal import Glibc

/// An internet address and port that the target wants to reach.
package struct InternetAddress: Hashable, Sendable {
  /// The address's bytes in network order: 4 for IPv4, 16 for IPv6.
  package var bytes: [UInt8]
  /// The port.
  package var port: UInt16

  /// Creates an address.
  package init(bytes: [UInt8], port: UInt16) {
    self.bytes = bytes
    self.port = port
  }

  /// True if it is this machine's own loopback (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3), or
  /// the unspecified address, which Linux treats alike.
  package var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 || bytes == [0, 0, 0, 0] }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
    if isMapped { return InternetAddress(bytes: Array(bytes[12...]), port: port).isLoopback }
    return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
  }

  /// The IPv4 address that an IPv4-mapped IPv6 address stands for; itself otherwise.
  package var unmapped: InternetAddress {
    guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff,
      bytes[11] == 0xff
    else { return self }
    return InternetAddress(bytes: Array(bytes[12...]), port: port)
  }

  /// The address as text, without the port.
  package var text: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return groups.joined(separator: ":")
  }
}

extension InternetAddress {
  /// 127.0.0.1 with a port.
  package static func loopback(port: UInt16) -> InternetAddress {
    InternetAddress(bytes: [127, 0, 0, 1], port: port)
  }

  /// ::1 with a port.
  package static func wideLoopback(port: UInt16) -> InternetAddress {
    InternetAddress(bytes: [UInt8](repeating: 0, count: 15) + [1], port: port)
  }

  /// The address at which a client reaches the listener: all of a machine's addresses are reachable by loopback, too.
  var reachable: InternetAddress {
    guard bytes.allSatisfy({ $0 == 0 }) else { return self }
    return bytes.count == 4 ? .loopback(port: port) : .wideLoopback(port: port)
  }

  /// The 16 bytes of this address in an IPv6 socket address.
  var wideBytes: [UInt8] {
    bytes.count == 16 ? bytes : [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + bytes
  }

  /// A socket address of IPv4, or of IPv6.
  package func socketBytes(isWide: Bool) -> [UInt8] {
    let high = UInt8(port >> 8)
    let low = UInt8(truncatingIfNeeded: port)
    guard isWide else {
      return [UInt8(AF_INET), 0, high, low] + bytes + [UInt8](repeating: 0, count: 8)
    }
    return [UInt8(AF_INET6), 0, high, low, 0, 0, 0, 0] + wideBytes + [0, 0, 0, 0]
  }
}

/// The transport of a connection.
package enum TransportKind: Sendable {
  /// TCP.
  case stream
  /// UDP.
  case datagram
}
