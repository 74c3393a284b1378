internal import ScenarioPlan

/// The verdicts of an exploration so far, and the trials that still need one.
package struct TrialLedger: Sendable {
  /// The results of this exploration, and those of earlier ones that hold.
  package private(set) var results: [ExplorationResult]
  /// The trials whose runs were stopped before they ended, and that have no verdict yet.
  package private(set) var cutOff: [CutOffTrial]
  /// The number of verdicts of this exploration, without those of an earlier one.
  package private(set) var judgedCount = 0
  /// The numbers of the trials that forks could not decide.
  private var undecidedByForks: Set<Int> = []

  /// Creates a ledger.
  ///
  /// - Parameters:
  ///   - results: the results of earlier explorations.
  ///   - cutOff: the trials that these had to stop.
  package init(_ results: [ExplorationResult] = [], cutOff: [CutOffTrial] = []) {
    self.results = results
    self.cutOff = cutOff
  }

  /// A number that grows with all that is learnt: where a round leaves it as it was, another one would, too.
  package var advance: Int { results.count + undecidedByForks.count }

  /// The trials that come before all others: behind these they would be stopped each time.
  package var first: [ExplorationTrial] { cutOff.map(\.trial) }

  /// The trials without a result.
  ///
  /// - Parameter isBroad: whether of each place of the code only the first point counts.
  package func untried(of trials: [ExplorationTrial], isBroad: Bool) -> [ExplorationTrial] {
    let known = Set(results.map(\.trial.number))
    let rest = trials.filter { !known.contains($0.number) }
    guard isBroad else { return rest }
    var places: [CodeSite: FaultPoint] = [:]
    return rest.filter { trial in
      let first = places[CodeSite(trial.point)] ?? trial.point
      places[CodeSite(trial.point)] = first
      return first == trial.point
    }
  }

  /// The trials among these that a fork may still decide.
  package func forkable(among trials: [ExplorationTrial]) -> [ExplorationTrial] {
    trials.filter { !undecidedByForks.contains($0.number) }
  }

  /// Adds a result, which is the trial's verdict.
  package mutating func add(_ result: ExplorationResult) {
    results.append(result)
    if result.judgement.verdict.isLasting { judgedCount += 1 }
    cutOff.removeAll { $0.trial.number == result.trial.number }
  }

  /// Puts a result in the place of that which its trial had.
  package mutating func replace(by result: ExplorationResult) {
    guard let index = results.firstIndex(where: { $0.trial.number == result.trial.number }) else {
      return
    }
    results[index] = result
  }

  /// Keeps trials that were stopped, until they have a verdict.
  package mutating func add(stopped trials: [CutOffTrial]) {
    let numbers = Set(trials.map(\.trial.number))
    cutOff.removeAll { numbers.contains($0.trial.number) }
    cutOff += trials
  }

  /// Leaves trials that forks could not decide to runs of their own.
  package mutating func leaveToRuns(_ numbers: Set<Int>) { undecidedByForks.formUnion(numbers) }
}
