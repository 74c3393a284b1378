internal import ScenarioPlan

extension PlannedCall {
  /// Returns whether a call of that name is meant.
  func holds(for facts: inout some ChaosFacts) -> Bool {
    facts.attend(to: end)
    if let argument {
      let value = Int32(truncatingIfNeeded: facts.argument(argument.index))
      guard argument.values.contains(value) else { return false }
    }
    if flags != nil || clearFlags != nil {
      let word = facts.flags() ?? 0
      guard word & (flags ?? 0) == flags ?? 0, word & (clearFlags ?? 0) == 0 else { return false }
    }
    if let port, facts.port() != port { return false }
    if let paths { return facts.paths().contains { paths.contains($0) } }
    return true
  }
}
