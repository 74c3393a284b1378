/// The counts of a chaos entry.
package struct RuleStatistics: Sendable, Hashable {
  /// The counts of a chaos entry in one process.
  package struct Process: Sendable, Hashable {
    /// The process's number in start order, from 1.
    package var ordinal: Int
    /// The number of calls that matched.
    package var matched: Int
    /// The number of calls that the entry changed.
    package var fired: Int

    /// Creates an account.
    package init(ordinal: Int, matched: Int, fired: Int) {
      self.ordinal = ordinal
      self.matched = matched
      self.fired = fired
    }
  }

  /// The entry's name.
  package var entry: String
  /// The number of its calls that were made.
  package var seen: Int
  /// The number of them that its conditions matched.
  package var matched: Int
  /// The number of them that it changed.
  package var fired: Int
  /// The same by process, in start order.
  package var processes: [Process]
  /// True if it has ever held.
  package var wasApplied: Bool
  /// The calls that came closest, for an entry that never fired.
  package var nearMisses: [String]
  /// The number of calls that it decided about without changing anything.
  package var withoutEffect = 0
}
