/// The part of a plan that a run was, where several share it.
package struct ShardDescription: Sendable, Hashable, Codable {
  /// The number of the part, counted from 1.
  package var index: Int
  /// The number of shards.
  package var count: Int
  /// The strategy by which cases were dealt out: `time`, `count` or `hash`.
  package var strategy: String
  /// SHA-256 of who runs which case, in hexadecimal: shards that do not agree have left cases out.
  package var assignment: String
  /// The number of cases that the whole plan has.
  package var planned: Int

  /// Creates a description.
  package init(index: Int, count: Int, strategy: String, assignment: String, planned: Int) {
    self.index = index
    self.count = count
    self.strategy = strategy
    self.assignment = assignment
    self.planned = planned
  }
}
