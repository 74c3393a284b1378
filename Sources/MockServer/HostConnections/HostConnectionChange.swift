/// Another state of a connection between two hosts that goes through the relay.
package struct HostConnectionChange: Sendable, Hashable {
  /// The state.
  package enum State: Sendable, Hashable {
    /// There is no answer yet.
    case pending
    /// It is there.
    case established
    /// It was asked for, and its client has given up.
    case abandoned
    /// Its time is over: nothing was answered, or acknowledged.
    case timedOut
    /// Both ends have closed it.
    case closed
    /// It was reset.
    case reset
  }

  /// The connection.
  package var connection: HostConnection
  /// The state.
  package var state: State
}
