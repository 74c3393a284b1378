/// A new state of a connection between two hosts through the relay.
package struct HostConnectionChange: Sendable, Hashable {
  /// The state.
  package enum State: Sendable, Hashable {
    /// There is no answer yet.
    case pending
    /// The connection is established.
    case established
    /// The client gave up before the connection was established.
    case abandoned
    /// The connection timed out: without an answer, or without an acknowledgement.
    case timedOut
    /// Both ends have closed it.
    case closed
    /// The connection was reset.
    case reset
  }

  /// The connection.
  package var connection: HostConnection
  /// The state.
  package var state: State
}
