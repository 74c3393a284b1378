internal import CSupervisor
internal import Glibc

/// A socket of the target's, by a copy of its descriptor.
///
/// The creator closes it with `end()`.
struct SocketCopy {
  /// The copy; negative if the target has no such descriptor.
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Closes the copy.
  func end() {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The transport of the socket.
  var transport: TransportKind {
    type == Int32(SOCK_STREAM.rawValue) || type == nil ? .stream : .datagram
  }

  /// Its kind, as socket(2) has it; `nil` if it is no socket.
  var type: Int32? { option(SOL_SOCKET, SO_TYPE) }

  /// A socket option that is a C int; `nil` if the socket does not have it.
  func option(_ level: Int32, _ name: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard descriptor >= 0, getsockopt(descriptor, level, name, &value, &length) == 0 else {
      return nil
    }
    return value
  }

  /// Sets a socket option that is a C int.
  func set(_ level: Int32, _ name: Int32, to value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The socket's local port; 0 if it has none yet, `nil` if it is not known.
  var port: UInt16? {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    // Both families have the port behind two bytes of family.
    return result == 0 ? UInt16(bigEndian: storage.sin6_port) : nil
  }

  /// The port that it has, or that it gets now, as it would when it is first used (udp(7)).
  ///
  /// A datagram may be read before its sender's call is seen to have ended: its port must be known before.
  var settledPort: UInt16? {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        func port() -> UInt16 { UInt16(bigEndian: storage.pointee.sin6_port) }
        guard getsockname(descriptor, address, &length) == 0 else { return nil }
        // A socket without a port has no address either: what was read is the unspecified one.
        guard port() == 0, Glibc.bind(descriptor, address, length) == 0,
          getsockname(descriptor, address, &length) == 0
        else { return port() }
        return port()
      }
    }
  }

  /// True if it is no TCP socket that has begun to connect.
  var isUnconnected: Bool { connectionState == nil || connectionState == Self.closed }

  /// True if it is a TCP socket that has its connection.
  var isConnected: Bool { connectionState == Self.established }

  /// The TCP states that are used here (tcp(7), TCP_INFO).
  private static let established: UInt8 = 1
  private static let closed: UInt8 = 7

  private var connectionState: UInt8? {
    var state: UInt8 = 0
    var length = socklen_t(MemoryLayout<UInt8>.size)
    guard descriptor >= 0,
      getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0
    else { return nil }
    return state
  }

  /// The inode by which the kernel knows it.
  var inode: UInt64? {
    var attributes = stat()
    guard descriptor >= 0, fstat(descriptor, &attributes) == 0 else { return nil }
    return UInt64(attributes.st_ino)
  }

  /// Lets an IPv6 socket connect to the IPv4 address that stands for an address, which it may have been told not
  /// to (ipv6(7)).
  ///
  /// Of a socket that is bound already the kernel does not take it; then connecting fails as without it.
  func admitMappedAddresses(for address: InternetAddress) {
    guard address.bytes.count == 16 else { return }
    set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
  }
}
