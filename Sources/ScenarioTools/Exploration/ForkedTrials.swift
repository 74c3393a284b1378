package import Foundations

/// The outcomes of trials in forks of one run.
package struct ForkedTrials: Sendable, Hashable {
  /// The outcome of one trial.
  package enum Outcome: Sendable, Hashable {
    /// The fork has decided it.
    case judged(ExplorationResult)
    /// A run of its own must decide it.
    case undecided
    /// The fork was stopped after so much real time, before it ended.
    case stopped(after: Nanoseconds)
  }

  /// The results of those that forks could decide.
  package private(set) var results: [ExplorationResult] = []
  /// The numbers of those that they could not: a run of its own must.
  package private(set) var undecided: Set<Int> = []
  /// Those among them whose forks had to be stopped.
  package private(set) var cutOff: [CutOffTrial] = []

  /// The least real time for which a fork that was stopped has run, to have tried anything: one that began when the
  /// time was over has not.
  package static let shortestTrial = Nanoseconds.milliseconds(100)

  /// Creates outcomes of nothing.
  package init() {}

  /// Adds the outcome of a trial.
  package mutating func add(_ outcome: Outcome, of trial: ExplorationTrial) {
    switch outcome {
    case .judged(let result): results.append(result)
    case .undecided: undecided.insert(trial.number)
    case .stopped(let elapsed):
      guard elapsed >= Self.shortestTrial else { return }
      undecided.insert(trial.number)
      cutOff.append(CutOffTrial(trial: trial, elapsed: elapsed))
    }
  }
}
