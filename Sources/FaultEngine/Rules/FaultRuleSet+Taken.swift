internal import ScenarioPlan

/// The calls that schedules took.
extension FaultRuleSet {
  /// Returns whether a decision is an event: the original is none where another provider has left a call as it is.
  package func isTold(_ decision: ChaosDecision) -> Bool {
    !decision.action.changesNothing
      || notesOriginals && entries[decision.entry].provider == .original
  }

  /// Counts what an entry has decided about a system call that it took, at once or, if only the call
  /// shows the effect, when that is settled.
  mutating func recordTaken(_ decision: inout ChaosDecision, process: Int) {
    guard decision.action.mayHaveNoEffect else {
      progress[decision.entry].taken += 1
      return recordTaken(decision, process: process)
    }
    decision.awaitsEffect = true
    decision.round = progress[decision.entry].round
    progress[decision.entry].awaited += 1
  }

  /// Counts a call about which was decided, when it is over; returns whether it is an event.
  ///
  /// A call without an effect is none of those that `times:` grants.
  ///
  /// - Parameter hasEffect: whether the decision has changed anything that the caller or its peer sees.
  package mutating func settle(
    _ decision: ChaosDecision, hasEffect: Bool, process: Int
  ) -> Bool {
    guard decision.awaitsEffect else { return true }
    let entry = decision.entry
    // Of an entry that was applied again meanwhile, the call is none that `times:` grants now.
    let isCurrent = decision.round == progress[entry].round
    if isCurrent { progress[entry].awaited -= 1 }
    guard hasEffect else {
      if case .execute = decision.action.deed {
        progress[entry].left += 1
      } else {
        progress[entry].withoutEffect += 1
      }
      return false
    }
    if isCurrent { progress[entry].taken += 1 }
    recordTaken(decision, process: process)
    return true
  }

  /// Returns the number of calls that an entry took and has shown no effect on: also those that have not returned.
  package func countWithoutEffect(_ entry: Int) -> Int {
    progress[entry].withoutEffect + progress[entry].awaited
  }

  /// Counts what an entry has decided about a call that it took.
  mutating func recordTaken(_ decision: ChaosDecision, process: Int) {
    let entry = decision.entry
    guard !decision.action.changesNothing || entries[entry].provider == .original else {
      progress[entry].left += 1
      return
    }
    counts[entry].fired += 1
    countsByProcess[entry][process, default: Counts()].fired += 1
  }

  /// Counts a call that was an entry's to take, had not another one decided about it before.
  mutating func recordPreempted(_ entry: Int, by preemptor: Int?) {
    progress[entry].preempted += 1
    if progress[entry].preemptor == nil { progress[entry].preemptor = preemptor }
  }
}
