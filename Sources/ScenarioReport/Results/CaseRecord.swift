internal import ScenarioEvents
internal import ScenarioModel

/// What a report knows about one case.
struct CaseRecord {
  /// How the events name the case.
  let identifier: String
  /// Which scenario it is.
  let description: CaseDescription
  /// Real time from the run's beginning to the case's.
  let startedAt: Nanoseconds
  /// Every failure, in the order in which they were found.
  var failures: [Failure] = []
  /// The warnings of the case.
  var warnings: [String] = []
  /// What became of its time; `nil` where that was left alone, or is not known yet.
  var timeAccount: TimeAccount?
  /// What became of its connections; `nil` where that is not known yet.
  var networkAccount: NetworkAccount?
  /// Which chaos entries fired, and which limits were met.
  var chaos = ChaosRecord()
  /// What became of its points, where it was explored.
  var exploration: ExplorationAccount?
  /// What virtual time went to last.
  var clockMoves = RecentClockMoves()
  /// How it ended; `nil` while it runs.
  var result: CaseResult?

  init(identifier: String, description: CaseDescription, startedAt: Nanoseconds) {
    self.identifier = identifier
    self.description = description
    self.startedAt = startedAt
  }

  /// How the case counts.
  ///
  /// A false expectation outweighs everything: a case with both kinds of bad news has failed. A case
  /// that never ended could not be decided.
  var outcome: CaseResult.Outcome {
    if failures.contains(where: { $0.category == .expectation }) { return .failed }
    if !failures.isEmpty { return result?.outcome == .failed ? .failed : .errored }
    return result?.outcome ?? .errored
  }

  /// The failures to tell, the one that decided the outcome first; never empty for a case that counts as
  /// failed or errored.
  var tellableFailures: [Failure] {
    switch outcome {
    case .passed, .skipped:
      return []
    case .failed, .errored:
      guard !failures.isEmpty else { return [unexplained] }
      let expectations = failures.filter { $0.category == .expectation }
      return expectations + failures.filter { $0.category == .error }
    }
  }

  private var unexplained: Failure {
    guard result != nil else {
      return Failure(
        category: .error, type: "Interrupted",
        message: "the scenario was interrupted before its end",
        range: description.range)
    }
    return Failure(
      category: outcome == .failed ? .expectation : .error, type: "scenario.unexplained",
      message: "the scenario ended badly, and nothing says why", range: description.range)
  }
}
