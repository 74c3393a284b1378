package import ScenarioPlan

/// The other actions for a call that an entry has let pass.
extension FaultRuleSet {
  /// The table as it is, but that an entry gives something else from now on.
  ///
  /// The entry has a state of its own for that, as if it had never been asked.
  package func giving(_ provider: PlannedProvider, by entry: Int) -> FaultRuleSet {
    guard entries.indices.contains(entry) else { return self }
    var changed = entries
    changed[entry].provider = provider
    var table = FaultRuleSet(entries: changed, directory: directory)
    table.counts = counts
    table.countsByProcess = countsByProcess
    table.activeSteps = activeSteps
    table.replies = replies
    let counters = table.progress[entry].counters
    table.progress = progress
    table.progress[entry].counters = counters
    return table
  }

  /// Returns the decision for a call that the entry has counted already, with the same draws as in
  /// a run in which its schedule takes this call.
  ///
  /// - Parameters:
  ///   - call: the name of the system call; `nil` for a function.
  ///   - decision: what the entry has decided about it.
  package mutating func decideAgain(
    _ decision: ChaosDecision, call: String?, function: String = "", _ facts: inout some ChaosFacts
  ) -> ChaosDecision {
    let traits = call.map { SystemCallTraits.of($0) } ?? SystemCallTraits()
    return decide(
      decision.entry, call: call ?? function, traits, at: decision.occurrence, &facts)
  }

  /// Disables an entry, as if it had never been there.
  package mutating func silence(_ entry: Int) {
    guard progress.indices.contains(entry) else { return }
    progress[entry].isApplied = false
  }
}
