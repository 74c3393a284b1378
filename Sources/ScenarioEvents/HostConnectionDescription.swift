package import Foundations

/// A connection that a process on one host asks another host for, once for each state that it gets.
package struct HostConnectionDescription: Sendable, Hashable, Codable {
  /// The state.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// There is no answer yet.
    case pending
    /// It is there.
    case established
    /// There will be none, as `error` says.
    case failed
    /// Its client has given up.
    case abandoned
    /// Nothing was answered, or acknowledged, until its time was over.
    case timedOut
    /// Both ends have closed it.
    case closed
    /// It was reset.
    case reset
  }

  /// Its number among the connections between hosts of the scenario, from 1.
  package var number: Int
  /// The process's host.
  package var from: String
  /// The other host.
  package var to: String
  /// The port there.
  package var port: Int
  /// The process's number in the order of births, from 1.
  package var processOrdinal: Int
  /// Virtual time since the scenario's start when it was asked for.
  package var began: Nanoseconds
  /// The state.
  package var state: State
  /// The errno by which it failed, as a name; `nil` where it did not.
  package var error: String?

  /// Creates a description.
  package init(
    number: Int, from: String, to: String, port: Int, processOrdinal: Int, began: Nanoseconds,
    state: State, error: String? = nil
  ) {
    self.number = number
    self.from = from
    self.to = to
    self.port = port
    self.processOrdinal = processOrdinal
    self.began = began
    self.state = state
    self.error = error
  }
}
