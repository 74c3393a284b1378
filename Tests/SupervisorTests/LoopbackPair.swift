import Glibc
import Testing

/// Two ends of a TCP connection on loopback, which are closed with it.
final class LoopbackPair {
  /// The end that asked for the connection.
  let client: Int32
  /// The end that accepted it.
  let server: Int32
  /// The port of the client's end.
  let clientPort: UInt16

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    try #require(Self.with(&place) { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0)
    try #require(Self.name(&place) { getsockname(listener, $0, $1) } == 0)
    try #require(Self.with(&place) { connect(client, $0, $1) } == 0)
    let server = accept(listener, nil, nil)
    close(listener)
    try #require(server >= 0 && Self.name(&place) { getsockname(client, $0, $1) } == 0)
    self.client = client
    self.server = server
    clientPort = UInt16(bigEndian: place.sin_port)
  }

  deinit {
    close(client)
    close(server)
  }

  private static func with(
    _ place: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func name(
    _ place: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Int32 {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
  }
}
