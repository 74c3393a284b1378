extension Supervisor {
  /// Returns the number of calls of each point's functions, and where they were found, in the order
  /// of the points.
  package func functionAccount() -> [FunctionAccount] {
    ask { $0.faults.functions?.hooks.account() ?? [] }
  }

  /// Sets at which call of a point, counted from 1 since the target was started, it is asked next; `nil`
  /// for never.
  package func setDue(_ occurrence: UInt64?, ofFunctionPoint point: Int) {
    ask { $0.faults.functions?.hooks.setDue(occurrence, of: point) }
  }
}
