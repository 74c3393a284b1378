internal import CSupervisor
internal import Glibc

/// Who asks a name server, and by which socket.
public struct NameServerClient: Sendable, Hashable {
  /// The process.
  public var process: Int32
  /// Its number in the order of births, from 1.
  public var processOrdinal: Int
  /// The thread's number in its process, from 1.
  public var threadOrdinal: Int
  /// The path of what the process runs.
  public var executable: String
  /// The inode of the socket, which no other one has.
  public var socket: UInt64
  /// The socket's port on this machine.
  public var sourcePort: UInt16
  /// The port of this machine that stands for the name server.
  public var port: UInt16
  /// Where the thread stands in the tree.
  public var lineage: [UInt32]
  /// How many connections the thread had made before, these among them.
  public var ordinal: UInt32
}

extension SupervisorLoop {
  /// A thread is about to ask a name server, or to connect to it.
  ///
  /// - Parameter copy: a copy of the socket's descriptor.
  func noteNameClient(_ tracee: Tracee, copy: Int32, to port: UInt16) {
    var attributes = stat()
    guard copy >= 0, fstat(copy, &attributes) == 0, let source = Self.settledPort(of: copy),
      source != 0
    else { return }
    let process = tracee.process
    configuration.router?.noteNameClient(
      NameServerClient(
        process: process.identifier.number, processOrdinal: process.ordinal,
        threadOrdinal: tracee.ordinal, executable: executable(of: process),
        socket: UInt64(attributes.st_ino), sourcePort: source, port: port,
        lineage: tracee.lineage.path, ordinal: tracee.lineage.nextConnection()))
  }

  /// Whether a port of this machine stands for a name server's that is asked over TCP.
  func isNameServer(_ port: UInt16) -> Bool {
    let here = InternetAddress(bytes: [127, 0, 0, 1], port: port)
    return redirectionTable.original(of: here, transport: .stream)?.port == Self.nameServicePort
  }

  /// The port of DNS (RFC 1035, section 4.2).
  private static let nameServicePort: UInt16 = 53

  /// The port that a socket has, or that it gets now, as it would when it is first used (udp(7)).
  ///
  /// A datagram may be read before its sender's call is seen to have ended: its port must be known before.
  private static func settledPort(of copy: Int32) -> UInt16? {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // Both families have the port behind two bytes of family.
        func port() -> UInt16 { UInt16(bigEndian: storage.pointee.sin6_port) }
        guard getsockname(copy, address, &length) == 0 else { return nil }
        // A socket without a port has no address either: what was read is the unspecified one.
        guard port() == 0, bind(copy, address, length) == 0,
          getsockname(copy, address, &length) == 0
        else { return port() }
        return port()
      }
    }
  }
}
