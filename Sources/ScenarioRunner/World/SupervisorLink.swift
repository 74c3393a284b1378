internal import Supervisor
internal import Synchronization

/// The supervisor, for those who are made before it.
final class SupervisorLink: Sendable {
  private let state = Mutex<Supervisor?>(nil)

  var supervisor: Supervisor? { state.withLock { $0 } }

  func set(_ supervisor: Supervisor) {
    state.withLock { $0 = supervisor }
  }
}
