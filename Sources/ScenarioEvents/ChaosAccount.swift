/// How often the chaos entries of one case were met.
public struct ChaosAccount: Sendable, Hashable, Codable {
  /// How often one entry was met.
  public struct Entry: Sendable, Hashable, Codable {
    /// The entry's name.
    public var name: String
    /// How many of its calls were made.
    public var seen: Int
    /// How many of them its conditions matched.
    public var matched: Int
    /// How many it changed.
    public var fired: Int
    /// The same by process, in the order of births.
    public var processes: [Process]

    /// Creates an entry.
    public init(name: String, seen: Int, matched: Int, fired: Int, processes: [Process]) {
      self.name = name
      self.seen = seen
      self.matched = matched
      self.fired = fired
      self.processes = processes
    }
  }

  /// How often one process met an entry.
  public struct Process: Sendable, Hashable, Codable {
    /// The process's number in the order of births, from 1.
    public var ordinal: Int
    /// How many calls matched.
    public var matched: Int
    /// How many calls were changed.
    public var fired: Int

    /// Creates an account.
    public init(ordinal: Int, matched: Int, fired: Int) {
      self.ordinal = ordinal
      self.matched = matched
      self.fired = fired
    }
  }

  /// What random values derived from.
  public var seed: Int64
  /// The entries in file order.
  public var entries: [Entry]
  /// The limits of the target that were met, in the order in which they were; `nil` if none was.
  public var limits: [LimitStrike]?

  /// Creates an account.
  public init(seed: Int64, entries: [Entry], limits: [LimitStrike]? = nil) {
    self.seed = seed
    self.entries = entries
    self.limits = limits
  }
}
