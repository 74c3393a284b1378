internal import Synchronization

/// The cases of a run, handed to several workers; who may not begin yet sleeps.
final class CaseQueue: Sendable {
  private struct State {
    var schedule: CaseSchedule
    /// The number of cases that may still go wrong before no more begin; `nil` for any number.
    var patience: Int?
    var failures = 0
    /// The cases that have been taken.
    var taken: Set<Int> = []
  }

  private let state: Mutex<State>
  private let room = ConditionSignal()
  private let cancellation: RunCancellation

  /// Creates a queue of cases.
  ///
  /// - Parameter failureLimit: the number of cases that did not pass after which no more begin;
  ///   `nil` for any number.
  init(_ schedule: CaseSchedule, failureLimit: Int?, _ cancellation: RunCancellation) {
    state = Mutex(State(schedule: schedule, patience: failureLimit))
    self.cancellation = cancellation
  }

  /// Runs `body`, in which workers take cases until none waits, or the run is stopped.
  func open(_ body: () -> Void) {
    let ticket = cancellation.whenCancelled { [self] in
      room.withLock { state.withLock { $0.schedule.close() } }
      room.wakeAll()
    }
    body()
    cancellation.forget(ticket)
  }

  /// The next case, once there is one that may run; `nil` if no more begin.
  func take() -> Int? {
    var taken: Int?
    room.wait {
      state.withLock { state in
        switch state.schedule.next() {
        case .run(let index):
          taken = index
          state.taken.insert(index)
          return false
        case .wait: return true
        case .over: return false
        }
      }
    }
    return taken
  }

  /// Returns whether a worker has taken a case.
  func hasTaken(_ index: Int) -> Bool { state.withLock { $0.taken.contains(index) } }

  /// True if all that have ended have passed.
  var havePassed: Bool { state.withLock { $0.failures == 0 } }

  /// A case has ended.
  func finish(_ index: Int, hasPassed: Bool) {
    room.withLock {
      state.withLock { state in
        state.schedule.finish(index)
        if !hasPassed { state.failures += 1 }
        guard !hasPassed, let patience = state.patience else { return }
        state.patience = patience - 1
        if patience <= 1 { state.schedule.close() }
      }
    }
    room.wakeAll()
  }
}
