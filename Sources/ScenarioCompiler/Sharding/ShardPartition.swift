package import Foundations

/// Deals cases out to shards: the same cases and times give the same answer on every machine.
package struct ShardPartition: Sendable {
  /// The properties of a case.
  package struct Item: Sendable {
    /// The identifier, which breaks ties, and is hashed.
    package var identifier: String
    /// The duration; `nil` where it is unknown.
    package var duration: Nanoseconds?
    /// True if it will only be reported as skipped: the first shard does that.
    package var isSkipped: Bool

    /// Creates an item.
    package init(identifier: String, duration: Nanoseconds? = nil, isSkipped: Bool = false) {
      self.identifier = identifier
      self.duration = duration
      self.isSkipped = isSkipped
    }
  }

  /// The strategy.
  package var strategy: ShardStrategy
  /// The number of shards.
  package var count: Int

  /// Prepares the dealing.
  package init(strategy: ShardStrategy, count: Int) {
    self.strategy = strategy
    self.count = max(1, min(count, Shard.limit))
  }

  /// The shard of each case, counted from 1, in the order of the cases.
  package func assignment(of items: [Item]) -> ShardAssignment {
    let shards =
      switch strategy {
      case .count: byCount(items)
      case .hash: items.map { $0.isSkipped ? 1 : Self.hash($0.identifier, count) + 1 }
      case .time: byTime(items)
      }
    return ShardAssignment(strategy: strategy, count: count, shards: shards)
  }

  private func byCount(_ items: [Item]) -> [Int] {
    var next = 0
    return items.map { item in
      guard !item.isSkipped else { return 1 }
      defer { next += 1 }
      return next % count + 1
    }
  }

  /// The digest of the UTF-8 bytes, spread over all bits by the end of MurmurHash3: neighbours such as `a1` and
  /// `a2` would else go to neighbours.
  private static func hash(_ text: String, _ count: Int) -> Int {
    var hash = ContentDigest.of(text.utf8)
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    hash ^= hash >> 33
    return Int(hash % UInt64(count))
  }

  // MARK: - By time

  /// Longest processing time first: at most 4/3 of the best, and next to it for many cases.
  private func byTime(_ items: [Item]) -> [Int] {
    let unknown = Self.median(items)
    var order = items.indices.filter { !items[$0].isSkipped }
    let durations = items.map { max(0, ($0.duration ?? unknown).count) }
    order.sort { left, right in
      if durations[left] != durations[right] { return durations[left] > durations[right] }
      if items[left].identifier != items[right].identifier {
        return items[left].identifier.utf8.lexicographicallyPrecedes(items[right].identifier.utf8)
      }
      return left < right
    }
    var shards = [Int](repeating: 1, count: items.count)
    var bins = ShardBins(count: count)
    for place in order { shards[place] = bins.add(durations[place]) + 1 }
    return shards
  }

  /// Returns the duration that unknown cases are taken to have: the median of the known ones.
  private static func median(_ items: [Item]) -> Nanoseconds {
    let known = items.filter { !$0.isSkipped }.compactMap(\.duration).sorted()
    guard !known.isEmpty else { return Nanoseconds(1) }
    let middle = known.count / 2
    guard known.count.isMultiple(of: 2) else { return known[middle] }
    let low = known[middle - 1].count
    return Nanoseconds(low &+ (known[middle].count &- low) / 2)
  }
}

/// The load of each shard so far; a heap, so that the one with least is found at once.
private struct ShardBins {
  private struct Bin {
    var load: Int64
    var cases: Int
    var number: Int

    /// Ties go to the shard with fewer cases, then to the one that comes first.
    func isBefore(_ other: Bin) -> Bool {
      (load, cases, number) < (other.load, other.cases, other.number)
    }
  }

  private var heap: [Bin]

  init(count: Int) {
    // In order of their numbers the bins are a heap already.
    heap = (0..<count).map { Bin(load: 0, cases: 0, number: $0) }
  }

  /// Assigns a case to the shard that has least to do; returns that shard.
  mutating func add(_ duration: Int64) -> Int {
    var bin = heap[0]
    let (sum, overflows) = bin.load.addingReportingOverflow(duration)
    bin.load = overflows ? .max : sum
    bin.cases += 1
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(bin) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = bin
    return bin.number
  }
}
