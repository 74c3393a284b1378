import Testing

@testable import MockServer

@Suite("Connections between hosts")
struct HostConnectionTests {
  private static func end(_ port: UInt16) -> LoopbackEnd { LoopbackEnd(address: 1, port: port) }

  private let connection = HostConnection(
    number: 1, from: 0, to: 1, client: end(1), goal: end(2), source: end(3), gate: end(4),
    silence: end(5), port: 80, maker: HostClient())

  @Test(
    "A socket's addresses tell which end of a connection it is, before the relay is connected to it",
    arguments: [
      (1, 4, .client), (1, 5, .client), (1, nil, .client), (2, 3, .server), (2, nil, nil),
      (1, 3, nil), (1, 2, nil), (2, 4, nil), (3, 2, nil), (4, 1, nil), (6, 4, nil),
    ] as [(UInt16, UInt16?, HostConnection.Side?)])
  func sides(end: UInt16, other: UInt16?, side: HostConnection.Side?) {
    #expect(connection.side(at: Self.end(end), facing: other.map { Self.end($0) }) == side)
  }
}
