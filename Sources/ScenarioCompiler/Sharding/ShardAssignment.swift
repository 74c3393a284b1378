/// The assignment of cases to shards.
package struct ShardAssignment: Sendable, Hashable, Codable {
  /// The strategy of the assignment.
  package var strategy: ShardStrategy
  /// The number of shards.
  package var count: Int
  /// The shard of each case, counted from 1, in the order of the cases.
  package var shards: [Int]

  /// Creates an assignment.
  package init(strategy: ShardStrategy, count: Int, shards: [Int]) {
    self.strategy = strategy
    self.count = count
    self.shards = shards
  }

  /// The places of the cases that a shard runs, counted from 0, in their order.
  package func places(of shard: Int) -> [Int] {
    shards.indices.filter { shards[$0] == shard }
  }
}
