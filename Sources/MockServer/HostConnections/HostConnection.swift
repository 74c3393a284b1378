package import FaultEngine
package import Foundations

/// A connection that a target on one host is about to make to another host.
package struct HostConnection: Sendable, Hashable {
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
}
