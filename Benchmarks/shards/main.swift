// Deals a million cases out to a thousand shards with the runner's own code, and compares what the busiest
// shard then has to do with the ideal.
//
// Usage: shards CASES SHARDS SEED

internal import Foundations
internal import Glibc

/// SplitMix64: the same numbers on every machine.
struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// From 0 to 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// A duration as suites have them: log-normal, a median of 50 ms, one in a hundred above two seconds.
  mutating func duration() -> Int64 {
    let radius = (-2 * log(max(unit(), 1e-300))).squareRoot()
    let normal = radius * cos(2 * Double.pi * unit())
    return Int64(50e6 * exp(1.6 * normal))
  }
}

func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func peakMemory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss / 1024
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 3 else {
  print("usage: shards CASES SHARDS SEED")
  exit(2)
}
let count = arguments[0]
let shards = arguments[1]
var numbers = Numbers(state: UInt64(arguments[2]))
// Within a file neighbours are alike: some files are slow throughout.
var scale = 1.0
let actual = (0..<count).map { place -> Int64 in
  if place % 20 == 0 { scale = exp(numbers.unit() * 2 - 1) }
  return max(1, Int64(Double(numbers.duration()) * scale))
}
let total = actual.reduce(0, +)
let ideal = max(Double(total) / Double(shards), Double(actual.max() ?? 1))
let identifiers = (0..<count).map { "suite/file\($0 / 20).yaml::case number \($0)" }

func measure(_ name: String, _ strategy: ShardStrategy, known: (Int) -> Int64?) {
  let items = identifiers.indices.map { place in
    ShardPartition.Item(
      identifier: identifiers[place], duration: known(place).map { Nanoseconds($0) })
  }
  let begin = seconds()
  let assignment = ShardPartition(strategy: strategy, count: shards).assignment(of: items)
  let took = seconds() - begin
  var loads = [Int64](repeating: 0, count: shards)
  for (place, shard) in assignment.shards.enumerated() { loads[shard - 1] += actual[place] }
  precondition(loads.reduce(0, +) == total, "a case was lost")
  let makespan = Double(loads.max() ?? 0) / ideal
  print("\(name)\t\(makespan)\t\(took)\t\(peakMemory())")
}

measure("count", .count) { _ in nil }
measure("hash", .hash) { _ in nil }
measure("time, exact", .time) { actual[$0] }
let blurred = actual.map { Int64(Double($0) * (0.7 + 0.6 * numbers.unit())) }
measure("time, ±30 %", .time) { blurred[$0] }
let isKnown = actual.map { _ in numbers.unit() >= 0.1 }
measure("time, ±30 %, 10 % unknown", .time) { isKnown[$0] ? blurred[$0] : nil }
