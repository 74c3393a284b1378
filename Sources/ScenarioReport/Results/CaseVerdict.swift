internal import ScenarioEvents

/// The part of a case's reports that decides how it counts.
struct CaseVerdict {
  private var leavesNothingDecided = false
  private var hasFalseExpectation = false
  private var hasFailure = false

  /// Adds a failure.
  mutating func add(_ failure: Failure) {
    hasFailure = true
    if failure.leavesNothingDecided { leavesNothingDecided = true }
    if failure.category == .expectation { hasFalseExpectation = true }
  }

  /// Returns how the case counts.
  ///
  /// Nothing is decided behind a crash of unknown effect, with a process outside of its
  /// environment, or with clients for which this process lacked resources. Else a false expectation
  /// outweighs everything: a case with both kinds of failures has failed. One that never ended
  /// could not be decided either.
  ///
  /// - Parameter reported: the outcome in its last event; `nil` where it has not ended.
  func outcome(reported: CaseResult.Outcome?) -> CaseResult.Outcome {
    if leavesNothingDecided { return .errored }
    if hasFalseExpectation { return .failed }
    if hasFailure { return reported == .failed ? .failed : .errored }
    return reported ?? .errored
  }
}
