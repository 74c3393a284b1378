package import Foundations

/// A trial whose run was stopped before it ended, and that the budget left no time to run for longer.
package struct CutOffTrial: Sendable, Hashable, Codable {
  /// The trial.
  package var trial: ExplorationTrial
  /// The real time that the run had taken.
  package var elapsed: Nanoseconds

  /// Creates a record of a trial without a verdict.
  package init(trial: ExplorationTrial, elapsed: Nanoseconds) {
    self.trial = trial
    self.elapsed = elapsed
  }

  /// The trial and its time in a few words, the time in tenths of a second.
  package var text: String {
    let tenth: Int64 = 100_000_000
    return "\(trial.name): running for \(Nanoseconds(elapsed.count / tenth * tenth))"
      + " when it was stopped"
  }
}
