/// One of several parts that a plan is run in.
package struct Shard: Sendable, Hashable {
  /// The largest number of shards, more than engines start: a bound on the memory that a written
  /// number can reserve.
  package static let limit = 1_000_000

  /// The number of the shard, counted from 1.
  package var index: Int
  /// The number of shards.
  package var count: Int

  /// Creates a shard; `nil` where there is no such one.
  package init?(index: Int, count: Int) {
    guard count > 0, count <= Self.limit, index > 0, index <= count else { return nil }
    self.index = index
    self.count = count
  }

  /// Reads `I/N`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1])
    else { return nil }
    self.init(index: index, count: count)
  }

  /// Digits alone: no sign, no space.
  static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}

extension Shard: CustomStringConvertible {
  /// The shard as `I/N`.
  package var description: String { "\(index)/\(count)" }
}

/// The strategy by which cases are assigned to shards.
package enum ShardStrategy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The longest case first, each to the shard that has least to do.
  case time
  /// One after the other, as cards are dealt.
  case count
  /// By a hash of the case's identifier: the assignment of a case does not depend on the others.
  case hash
}
