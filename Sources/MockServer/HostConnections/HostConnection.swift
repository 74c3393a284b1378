package import FaultEngine
package import Foundations

/// A connection that a target on one host is about to make to another host.
package struct HostConnection: Sendable, Hashable {
  /// The side of a connection.
  enum Side: Int, CaseIterable {
    case client
    case server

    var other: Side { self == .client ? .server : .client }
  }

  /// Its number among the connections between hosts, from 1.
  package var number: Int
  /// The number of the client's host, from 0.
  package var from: Int
  /// The number of the other one.
  package var to: Int
  /// Where the client's socket is.
  package var client: LoopbackEnd
  /// Where the server's is, or would be.
  package var goal: LoopbackEnd
  /// Where the relay is for the server.
  package var source: LoopbackEnd
  /// Where it is for clients that come through.
  package var gate: LoopbackEnd
  /// Where it is for those that get no answer yet.
  package var silence: LoopbackEnd
  /// The server's port, as targets see it.
  package var port: UInt16
  /// The process that makes it.
  package var maker: HostClient

  /// The options by which the kernel gives it up, at the client's end and at the server's.
  package var timeouts: [TCPTimeouts]

  /// Virtual time of the request, since the scenario's start; the relay sets it.
  package internal(set) var began = Nanoseconds.zero

  /// Creates a connection.
  package init(
    number: Int, from: Int, to: Int, client: LoopbackEnd, goal: LoopbackEnd, source: LoopbackEnd,
    gate: LoopbackEnd, silence: LoopbackEnd, port: UInt16, maker: HostClient,
    timeouts: [TCPTimeouts] = [TCPTimeouts(), TCPTimeouts()]
  ) {
    self.number = number
    self.from = from
    self.to = to
    self.client = client
    self.goal = goal
    self.source = source
    self.gate = gate
    self.silence = silence
    self.port = port
    self.maker = maker
    self.timeouts = timeouts
  }

  /// The side whose end is at an address, from when the connection is asked for; `nil` if it is
  /// none of this connection's.
  ///
  /// - Parameter other: the address that it is connected to; `nil` while it is not.
  func side(at end: LoopbackEnd, facing other: LoopbackEnd?) -> Side? {
    guard let other else { return end == client ? .client : nil }
    if end == client, other == gate || other == silence { return .client }
    return end == goal && other == source ? .server : nil
  }
}
