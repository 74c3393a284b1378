internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan

/// Runs the cases of a plan, on any thread that takes one.
struct CaseWork: Sendable {
  let cases: [PlannedCase]
  /// The number of cases in front of these.
  let offset: Int
  let folder: RunFolder
  let options: RunOptions
  let cancellation: RunCancellation
  let runStart: Nanoseconds

  /// Runs a case, as often as it may be tried, and reports all events of it; returns whether it did
  /// not fail.
  func run(_ index: Int, _ emit: @escaping (Event) -> Void) -> Bool {
    let plannedCase = cases[index]
    let limit = 1 + options.retries(of: plannedCase)
    for attempt in 1...max(1, limit) {
      var hasPassed = false
      run(plannedCase, index, attempt) { event in
        guard case .caseFinished(var result) = event.kind else { return emit(event) }
        hasPassed = result.outcome == .passed || result.outcome == .skipped
        result.isRetried = !hasPassed && attempt < limit && !cancellation.isCancelled
        var event = event
        event.kind = .caseFinished(result)
        emit(event)
      }
      if hasPassed { return true }
      if cancellation.isCancelled { break }
    }
    return false
  }

  private func run(
    _ plannedCase: PlannedCase, _ index: Int, _ attempt: Int, _ emit: @escaping (Event) -> Void
  ) {
    if plannedCase.mutations == nil || options.replan == nil {
      make(plannedCase, index, attempt, emit)
    } else {
      runMutated(plannedCase, index, attempt, emit)
    }
  }

  private func make(
    _ plannedCase: PlannedCase, _ index: Int, _ attempt: Int, _ emit: @escaping (Event) -> Void
  ) {
    let log = CaseLog(scenario: plannedCase.identifier, runStart: runStart, emit: emit)
    CaseRunner(
      plannedCase: plannedCase, number: offset + options.number(ofCaseAt: index), folder: folder,
      options: options,
      cancellation: cancellation, log: log, attempt: attempt
    ).run()
  }

  /// Runs a case with changed data; what it ends with waits until it is known which changes it was.
  private func runMutated(
    _ plannedCase: PlannedCase, _ index: Int, _ attempt: Int, _ emit: @escaping (Event) -> Void
  ) {
    var failures: [Failure] = []
    var last: Event?
    make(plannedCase, index, attempt) { event in
      if case .failed(let failure) = event.kind { failures.append(failure) }
      guard case .caseFinished = event.kind else { return emit(event) }
      last = event
    }
    guard let last, case .caseFinished(let result) = last.kind else { return }
    var options = options
    options.kept = .none
    options.snapshots = SnapshotStore()
    let trial = MutationTrial(
      plannedCase: plannedCase, failures: failures, duration: result.duration, folder: folder,
      number: offset + options.number(ofCaseAt: index), options: options,
      cancellation: cancellation,
      runStart: runStart)
    // What the case has left is still wanted where trials of it would lie.
    if result.directory == nil, let failure = trial.run() {
      emit(
        Event(
          realTime: RealTime.monotonic() - runStart, scenario: plannedCase.identifier,
          kind: .failed(failure)))
    }
    var end = last
    end.realTime = RealTime.monotonic() - runStart
    emit(end)
  }
}
