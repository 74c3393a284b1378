internal import Foundations
internal import ScenarioEvents

/// The ends of cases that want texts of scenario files to change: only when no case runs any more
/// it is known whether they get it, and thereby how they have ended.
///
/// Lives on the thread that receives all events.
final class WaitingEndings {
  private let snapshots: SnapshotStore
  private var events: [Event] = []

  init(_ snapshots: SnapshotStore) {
    self.snapshots = snapshots
  }

  /// Keeps an event that has to wait; returns whether it is one.
  func keep(_ event: Event) -> Bool {
    guard case .caseFinished(let result) = event.kind, result.outcome == .passed,
      let identifier = event.scenario, snapshots.awaitsRewriting(identifier)
    else { return false }
    events.append(event)
    return true
  }

  /// Rewrites scenario files, and reports how the cases have ended.
  ///
  /// - Parameter start: the beginning of the run, on the runner's clock.
  func conclude(runStart start: Nanoseconds, _ emit: (Event) -> Void) {
    let failures = snapshots.rewriteFiles()
    for var event in events {
      let time = RealTime.monotonic() - start
      event.realTime = time
      if case .caseFinished(var result) = event.kind, let identifier = event.scenario,
        let found = failures[identifier]
      {
        for failure in found {
          emit(Event(realTime: time, scenario: identifier, kind: .failed(failure)))
        }
        result.outcome = .errored
        event.kind = .caseFinished(result)
      }
      emit(event)
    }
  }
}
