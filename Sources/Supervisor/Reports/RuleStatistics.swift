/// How often a chaos entry was met.
package struct RuleStatistics: Sendable, Hashable {
  /// How often one process met it.
  package struct Process: Sendable, Hashable {
    /// The process's number in the order of births, from 1.
    package var ordinal: Int
    /// How many calls matched.
    package var matched: Int
    /// How many calls were changed.
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
  /// How many of its calls were made.
  package var seen: Int
  /// How many of them its conditions matched.
  package var matched: Int
  /// How many it changed.
  package var fired: Int
  /// The same by process, in the order of births.
  package var processes: [Process]
  /// True if it has ever held.
  package var wasApplied: Bool
  /// What came closest, for an entry that never fired.
  package var nearMisses: [String]
}
