/// Which part of a plan a run was, where several share it.
public struct ShardDescription: Sendable, Hashable, Codable {
  /// Which one, counted from 1.
  public var index: Int
  /// How many there are.
  public var count: Int
  /// How the cases were dealt out: `time`, `count` or `hash`.
  public var strategy: String
  /// SHA-256 of who runs which case, in hexadecimal: shards that do not agree have left cases out.
  public var assignment: String
  /// How many cases the whole plan has.
  public var planned: Int

  /// Creates a description.
  public init(index: Int, count: Int, strategy: String, assignment: String, planned: Int) {
    self.index = index
    self.count = count
    self.strategy = strategy
    self.assignment = assignment
    self.planned = planned
  }
}
