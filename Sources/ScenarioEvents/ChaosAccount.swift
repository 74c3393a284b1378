/// How often the chaos entries of one case were met.
package struct ChaosAccount: Sendable, Hashable, Codable {
  /// How often one entry was met.
  package struct Entry: Sendable, Hashable, Codable {
    /// The entry's name.
    package var name: String
    /// How many of its calls were made.
    package var seen: Int
    /// How many of them its conditions matched.
    package var matched: Int
    /// How many it changed.
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

  /// How often one process met an entry.
  package struct Process: Sendable, Hashable, Codable {
    /// The process's number in the order of births, from 1.
    package var ordinal: Int
    /// How many calls matched.
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

  /// What random values derived from.
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
