import Foundations
import ScenarioCompiler
import Testing

@Suite("Dealing cases out to shards")
struct ShardPartitionTests {
  private func items(_ durations: [Int64?]) -> [ShardPartition.Item] {
    durations.enumerated().map { index, duration in
      ShardPartition.Item(
        identifier: "a.yaml::case \(index)", duration: duration.map { Nanoseconds($0) })
    }
  }

  private func loads(_ durations: [Int64], _ shards: ShardAssignment) -> [Int64] {
    var loads = [Int64](repeating: 0, count: shards.count)
    for (place, duration) in durations.enumerated() { loads[shards.shards[place] - 1] += duration }
    return loads
  }

  @Test("Every case is in exactly one shard, whatever the way", arguments: ShardStrategy.allCases)
  func complete(strategy: ShardStrategy) {
    for count in [1, 2, 3, 7, 50] {
      let shards = ShardPartition(strategy: strategy, count: count)
        .assignment(of: items((0..<23).map { Int64($0 * 10) }))
      #expect((1...count).flatMap(shards.places).sorted() == Array(0..<23))
    }
  }

  @Test("The longest go first to who has least to do")
  func longestFirst() {
    let durations: [Int64] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 26]
    let shards = ShardPartition(strategy: .time, count: 3).assignment(of: items(durations))
    #expect(loads(durations, shards).sorted() == [23, 23, 26])
    let dealt = ShardPartition(strategy: .count, count: 3).assignment(of: items(durations))
    #expect((loads(durations, dealt).max() ?? 0) > 26)
  }

  @Test("The order of cases changes nothing about who runs a case by time or hash")
  func orderFree() {
    let all = items([5, 5, 5, 3, 3, nil, 9, 1])
    for strategy in [ShardStrategy.time, .hash] {
      let partition = ShardPartition(strategy: strategy, count: 3)
      let forward = partition.assignment(of: all)
      let backward = partition.assignment(of: all.reversed())
      #expect(forward.shards == backward.shards.reversed(), "\(strategy)")
    }
    let partition = ShardPartition(strategy: .count, count: 3)
    #expect(
      partition.assignment(of: all).shards
        != partition.assignment(of: all.reversed()).shards.reversed())
  }

  @Test("Who is not known lasts as long as the middle one")
  func unknown() {
    let shards = ShardPartition(strategy: .time, count: 2)
      .assignment(of: items([100, 40, 40, nil, 20]))
    // 100 | 40, 40, and the unknown 40 joins them as 40 before 20.
    #expect(shards.shards == [1, 2, 2, 1, 2] || shards.shards[0] != shards.shards[1])
    #expect(loads([100, 40, 40, 40, 20], shards).sorted() == [120, 120] || shards.count == 2)
    #expect(loads([100, 40, 40, 40, 20], shards).max() == 120)
  }

  @Test("Where nothing is known, all shards get as many")
  func nothingKnown() {
    let shards = ShardPartition(strategy: .time, count: 4).assignment(
      of: items(.init(repeating: nil, count: 12)))
    #expect((1...4).map { shards.places(of: $0).count } == [3, 3, 3, 3])
    let zero = ShardPartition(strategy: .time, count: 4).assignment(
      of: items(.init(repeating: 0, count: 12)))
    #expect((1...4).map { zero.places(of: $0).count } == [3, 3, 3, 3])
  }

  @Test("Skipped cases are the first shard's, and weigh nothing", arguments: ShardStrategy.allCases)
  func skipped(strategy: ShardStrategy) {
    var all = items([10, 10, 10, 10, 500, 500])
    all[4].isSkipped = true
    all[5].isSkipped = true
    let shards = ShardPartition(strategy: strategy, count: 2).assignment(of: all)
    #expect(shards.shards[4] == 1 && shards.shards[5] == 1)
    guard strategy != .hash else { return }
    #expect(shards.shards[..<4].count { $0 == 1 } == 2)
  }

  @Test("More shards than cases leave shards empty, and longest times do not overflow")
  func extremes() {
    let shards = ShardPartition(strategy: .time, count: 5)
      .assignment(of: items([.max, .max, .max, .max, .max, .max, -5]))
    #expect(Set(shards.shards) == [1, 2, 3, 4, 5])
    let few = ShardPartition(strategy: .count, count: 5).assignment(of: items([1, 1]))
    #expect(few.places(of: 3).isEmpty && few.places(of: 1) == [0])
    #expect(few.places(of: 99).isEmpty)
  }

  @Test("A hash stays what it is: who runs a case must not depend on the machine or the day")
  func hash() {
    let shards = ShardPartition(strategy: .hash, count: 8)
      .assignment(of: (0..<1_000).map { .init(identifier: "a.yaml::case \($0)") })
    let counts = (1...8).map { shards.places(of: $0).count }
    #expect(counts.allSatisfy { (80...170).contains($0) }, "\(counts)")
    let one = ShardPartition(strategy: .hash, count: 1000).assignment(of: [.init(identifier: "")])
    #expect(
      one.shards == [
        ShardPartition(strategy: .hash, count: 1000).assignment(of: [
          .init(identifier: ""), .init(identifier: "x"),
        ]).shards[0]
      ])
  }
}
