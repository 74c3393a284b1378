internal import ScenarioEvents

/// What decides how a case counts, of all that is reported of it.
struct CaseVerdict {
  private var leavesNothingDecided = false
  private var hasFalseExpectation = false
  private var hasFailure = false

  /// Takes in a failure.
  mutating func add(_ failure: Failure) {
    hasFailure = true
    if failure.leavesNothingDecided { leavesNothingDecided = true }
    if failure.category == .expectation { hasFalseExpectation = true }
  }

  /// How the case counts.
  ///
  /// Nothing is decided behind a crash that has left nobody knows what, with a process outside of its world, or with
  /// clients that this process had nothing left for. Else a false expectation outweighs everything: a case with both
  /// kinds of bad news has failed. One that never ended could not be decided either.
  ///
  /// - Parameter reported: how it ended, as its last event says; `nil` where it has not.
  func outcome(reported: CaseResult.Outcome?) -> CaseResult.Outcome {
    if leavesNothingDecided { return .errored }
    if hasFalseExpectation { return .failed }
    if hasFailure { return reported == .failed ? .failed : .errored }
    return reported ?? .errored
  }
}
