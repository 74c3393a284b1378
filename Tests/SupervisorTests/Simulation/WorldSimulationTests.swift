import Foundations
import Glibc
import Testing

@testable import Supervisor

/// How many worlds each test simulates: `make simulate` asks for a million in all.
private let worlds = getenv("SIMULATED_WORLDS").flatMap { UInt64(String(cString: $0)) } ?? 10_000
private let parts = 10 as UInt64

@Suite("When time moves, in worlds on a machine that others use")
struct WorldSimulationTests {
  private func seeds(of part: UInt64) -> Range<UInt64> {
    part * (worlds / parts)..<(part + 1) * (worlds / parts)
  }

  /// Runs worlds up to the first in which something happens that must not.
  private func check(
    _ part: UInt64, _ setting: (inout SeededGenerator) -> SimulatedWorld.Setting,
    _ look: (SimulatedWorld) -> Void = { _ in }
  ) {
    for seed in seeds(of: part) {
      var generator = SeededGenerator(seed &+ 77)
      let world = SimulatedWorld(program: seed, machine: seed &+ 1, setting(&generator))
      let hasEnded = world.run()
      guard hasEnded, world.violations.isEmpty else {
        Issue.record("world \(seed): \(hasEnded ? "" : "stuck ")\(world.violations.prefix(3))")
        return
      }
      look(world)
    }
  }

  @Test(
    "Computing is charged no more than processors have worked, and nobody is stuck beside it",
    arguments: 0..<parts)
  func computing(part: UInt64) {
    var charged = 0
    check(part) { generator in
      let free = Nanoseconds.milliseconds(Int64(generator.below(4)) * 10)
      return SimulatedWorld.Setting(cost: .charged(after: free, rate: .one))
    } _: { world in
      if world.charge > .zero { charged += 1 }
    }
    #expect(charged > 0)
  }

  @Test("With slack, polls are late by so much at most, in order", arguments: 0..<parts)
  func slack(part: UInt64) {
    var late = 0
    check(part) { generator in
      SimulatedWorld.Setting(
        cost: generator.below(2) == 0 ? .free : .charged(after: .milliseconds(20), rate: .one),
        slack: .milliseconds(Int64(1 + generator.below(12))))
    } _: { world in
      late += world.lateWakes
    }
    #expect(late > 0)
  }

  @Test("Where threads take turns, the machine decides nothing", arguments: 0..<parts)
  func order(part: UInt64) {
    var orders: Set<[String]> = []
    for seed in seeds(of: part) {
      let setting = SimulatedWorld.Setting(
        slack: seed % 3 == 0 ? .milliseconds(7) : .zero, order: Int64(seed % 5))
      let histories = (1...2 as ClosedRange<UInt64>).map { machine in
        let world = SimulatedWorld(
          program: seed, machine: seed &* 3 &+ machine, setting, keepsHistory: true)
        guard world.run(), world.violations.isEmpty else {
          Issue.record("world \(seed): \(world.violations.prefix(3)), or stuck")
          return [String]()
        }
        return world.history
      }
      guard !histories[0].isEmpty, histories[0] == histories[1] else {
        Issue.record("world \(seed) differs: \(difference(histories))")
        return
      }
      if orders.count < 100 { orders.insert(histories[0]) }
    }
    #expect(orders.count > 1)
  }

  private func difference(_ histories: [[String]]) -> String {
    let index = zip(histories[0], histories[1]).enumerated().first { $0.element.0 != $0.element.1 }
    return index.map { "\($0.offset): \($0.element)" } ?? "one is longer"
  }

  @Test("Another seed of the order gives other orders")
  func seeds() {
    let histories = (0..<8 as Range<Int64>).map { order in
      (0..<20 as Range<UInt64>).map { program in
        let world = SimulatedWorld(
          program: program, machine: 1, SimulatedWorld.Setting(order: order), keepsHistory: true)
        _ = world.run()
        return world.history
      }
    }
    #expect(Set(histories).count == histories.count)
  }

  @Test("The same machine makes the same run, whatever is charged")
  func same() {
    let setting = SimulatedWorld.Setting(
      cost: .charged(after: .milliseconds(10), rate: .one), slack: .milliseconds(5))
    for seed in 0..<200 as Range<UInt64> {
      let histories = (0..<2).map { _ in
        let world = SimulatedWorld(program: seed, machine: seed, setting, keepsHistory: true)
        _ = world.run()
        return world.history
      }
      #expect(histories[0] == histories[1])
    }
  }
}
