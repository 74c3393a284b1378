package import Foundations
internal import Synchronization

/// Stops a run from another thread.
package final class RunCancellation: Sendable {
  /// The reason why a run is stopped.
  package enum Reason: Sendable, Hashable {
    /// Interrupted from outside, as by SIGINT.
    case interruption
    /// The run has taken as long as it may.
    case timeout(Nanoseconds)
  }

  private struct State {
    var reason: Reason?
    var actions: [Int: @Sendable () -> Void] = [:]
    /// Actions before the program ends at once, by their tickets.
    var lastActions: [Int: @Sendable () -> Void] = [:]
    var nextTicket = 0
  }

  private let state = Mutex(State())

  /// Creates a cancellation that has not happened.
  package init() {}

  /// Stops the run: cases that are under way end, no other begins.
  package func cancel(because reason: Reason = .interruption) {
    let actions = state.withLock { state in
      guard state.reason == nil else { return [@Sendable () -> Void]() }
      state.reason = reason
      return state.actions.sorted { $0.key < $1.key }.map(\.value)
    }
    for action in actions { action() }
  }

  /// Removes the files that the run has written, as far as that is possible while it runs: the
  /// program ends right behind this, and the kernel ends the targets with it.
  package func abandon() {
    let actions = state.withLock { $0.lastActions.sorted { $0.key < $1.key }.map(\.value) }
    for action in actions { action() }
  }

  /// True if the run is to stop.
  package var isCancelled: Bool { reason != nil }

  /// The reason why the run is to stop; `nil` if it is not.
  package var reason: Reason? { state.withLock { $0.reason } }

  /// Adds to what `cancel` does; done at once if it has happened already.
  ///
  /// - Returns: What `forget` takes to call it off.
  func whenCancelled(_ action: @escaping @Sendable () -> Void) -> Int {
    let (ticket, isCancelled) = state.withLock { state in
      state.nextTicket += 1
      state.actions[state.nextTicket] = action
      return (state.nextTicket, state.reason != nil)
    }
    if isCancelled { action() }
    return ticket
  }

  /// Adds to what `abandon` does.
  ///
  /// - Returns: What `forget` takes to call it off.
  func whenAbandoned(_ action: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextTicket += 1
      state.lastActions[state.nextTicket] = action
      return state.nextTicket
    }
  }

  /// Calls an action off.
  func forget(_ ticket: Int) {
    state.withLock { state in
      state.actions.removeValue(forKey: ticket)
      state.lastActions.removeValue(forKey: ticket)
    }
  }
}
