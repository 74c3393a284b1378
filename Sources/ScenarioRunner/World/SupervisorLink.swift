internal import Supervisor
internal import Synchronization

/// The supervisor, for those who are made before it.
final class SupervisorLink: Sendable {
  private let state = Mutex<Supervisor?>(nil)

  var supervisor: Supervisor? { state.withLock { $0 } }

  func set(_ supervisor: Supervisor) {
    state.withLock { $0 = supervisor }
  }

  /// Releases the supervisor, which has stopped: a mock server that lives on for its records would
  /// keep it, and with it one of the places of which a process has only so many.
  func cut() {
    state.withLock { $0 = nil }
  }
}
