internal import ScenarioPlan

/// The calls that schedules took.
extension FaultRuleSet {
  /// Returns whether a decision is an event: the original is none where another provider has left a call as it is.
  package func isTold(_ decision: ChaosDecision) -> Bool {
    !decision.action.changesNothing
      || notesOriginals && entries[decision.entry].provider == .original
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
