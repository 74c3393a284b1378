/// Statistics of one case's fault rules.
package struct ChaosAccount: Sendable, Hashable, Codable {
  /// Statistics of one fault rule.
  package struct Entry: Sendable, Hashable, Codable {
    /// The entry's name.
    package var name: String
    /// The number of its calls that were made.
    package var seen: Int
    /// The number of calls that its conditions matched.
    package var matched: Int
    /// The number of calls at which it fired.
    package var fired: Int
    /// The same by process, in the order of births.
    package var processes: [Process]

    /// Creates an entry.
    package init(name: String, seen: Int, matched: Int, fired: Int, processes: [Process]) {
      self.name = name
      self.seen = seen
      self.matched = matched
      self.fired = fired
      self.processes = processes
    }
  }

  /// Statistics of a rule in one process.
  package struct Process: Sendable, Hashable, Codable {
    /// The process's number in the order of births, from 1.
    package var ordinal: Int
    /// The number of calls that matched.
    package var matched: Int
    /// The number of calls that were changed.
    package var fired: Int

    /// Creates an account.
    package init(ordinal: Int, matched: Int, fired: Int) {
      self.ordinal = ordinal
      self.matched = matched
      self.fired = fired
    }
  }

  /// The seed of random values.
  package var seed: Int64
  /// The entries in file order.
  package var entries: [Entry]
  /// The limits of the target that were met, in the order in which they were; `nil` if none was.
  package var limits: [LimitFault]?

  /// Creates an account.
  package init(seed: Int64, entries: [Entry], limits: [LimitFault]? = nil) {
    self.seed = seed
    self.entries = entries
    self.limits = limits
  }
}
