import Foundations
import Testing

@testable import Supervisor

@Suite("A target's own wall clock")
struct WallDeviationTests {
  private let start = VirtualClock.initialMonotonic
  private let target = WallNumber(target: 1)

  private func drift(_ text: String) throws -> FrequencyError { try FrequencyError(text: text) }

  private func clock(
    skew: Nanoseconds = .zero, drift: FrequencyError = .none, flow: ClockFlow = .held
  ) -> VirtualClock {
    VirtualClock(
      wall: .epoch, flow: flow, real: .zero,
      deviations: [nil, ClockDeviation(skew: skew, drift: drift)])
  }

  @Test(
    "A drift adds up to whole nanoseconds, in both directions",
    arguments: [
      ("50ppm", 86_400, 4_320_000_000), ("-50ppm", 86_400, -4_320_000_000),
      ("0.001ppm", 1, 1), ("-0.001ppm", 1, -1), ("100000ppm", 10, 1_000_000_000),
      ("500ppm", 31_536_000, 15_768_000_000_000),
    ])
  func driftAddsUp(_ text: String, _ seconds: Int64, _ gain: Int64) throws {
    let deviation = WallDeviation(ClockDeviation(drift: try drift(text)), start: start)

    #expect(deviation.reading(at: start + .seconds(seconds)).ahead == Nanoseconds(gain))
  }

  @Test("Who has no clock of its own sees the scenario's")
  func common() {
    let clock = clock(skew: .seconds(90))

    #expect(clock.wallNumber(ofTarget: 0) == .scenario)
    #expect(clock.wallNumber(ofTarget: 7) == .scenario)
    #expect(clock.wallNumber(ofTarget: 1) == target)
    #expect(clock.wall(of: .scenario, real: .zero) == .epoch)
    #expect(clock.wall(of: target, real: .zero) == WallInstant(seconds: 90))
  }

  @Test("A deadline is the first instant at which the clock shows it", arguments: 0..<200)
  func deadlines(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func number(_ range: ClosedRange<Int64>) -> Int64 { random.next(in: range) }
    let drift = try #require(
      FrequencyError(partsPerBillion: number(-100_000_000...100_000_000)))
    var clock = clock(
      skew: Nanoseconds(number(-1_000_000_000_000...1_000_000_000_000)), drift: drift)
    if seed % 3 == 0 { clock.jump(by: .seconds(number(-1_000...1_000)), real: .zero) }
    let instant = WallInstant(
      seconds: 5_000 + number(0...1_000_000), nanoseconds: number(0...999_999_999))

    let due = Deadline.wall(instant, of: target).instant(on: clock)

    func shown(_ monotonic: Nanoseconds) -> WallInstant {
      var later = clock
      later.advance(to: monotonic, real: .zero)
      return later.wall(of: target, real: .zero)
    }
    #expect(shown(due) >= instant)
    #expect(shown(due - Nanoseconds(1)) < instant)
  }

  @Test(
    "A correction is done to the nanosecond at its end, and not before",
    arguments: [
      (500_000_000, 1_000), (-500_000_000, 1_000), (1, 1), (-1, 1), (999_999_999, 31_536_000),
      (-7, 3), (100_000_000, 1),
    ] as [(Int64, Int64)])
  func correction(_ length: Int64, _ seconds: Int64) {
    var clock = clock(skew: .seconds(3))
    clock.slew(target, by: Nanoseconds(length), over: .seconds(seconds), real: .zero)
    func ahead(_ passed: Nanoseconds) -> Nanoseconds {
      var later = clock
      later.advance(to: start + passed, real: .zero)
      return later.wall(of: target, real: .zero) - later.wall(real: .zero) - .seconds(3)
    }

    #expect(ahead(.zero) == .zero)
    #expect(ahead(.seconds(seconds)) == Nanoseconds(length))
    #expect(ahead(.seconds(2 * seconds)) == Nanoseconds(length))
    let half = Int64((Double(length) / 2).rounded(.down))
    #expect(ahead(.milliseconds(500 * seconds)) == Nanoseconds(half))
    #expect(clock.agrees(on: target, with: self.clock(skew: .seconds(3))))
  }

  @Test(
    "A deadline is the first instant at which a clock shows it that is corrected",
    arguments: 0..<200)
  func correctedDeadlines(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func number(_ range: ClosedRange<Int64>) -> Int64 { random.next(in: range) }
    let drift = try #require(FrequencyError(partsPerBillion: number(-1_000_000...1_000_000)))
    var clock = clock(drift: drift)
    clock.advance(to: start + Nanoseconds(number(0...1_000_000_000_000)), real: .zero)
    let time = number(1_000_000_000...1_000_000_000_000)
    clock.slew(
      target, by: Nanoseconds(number(-time / 10...time / 10)), over: Nanoseconds(time), real: .zero)
    if seed % 3 == 0 {
      clock.advance(
        to: clock.monotonic(real: .zero) + Nanoseconds(number(0...time)), real: .zero)
      clock.setWall(
        to: clock.wall(of: target, real: .zero) + .seconds(number(-5...5)), of: target, real: .zero)
    }
    let instant = clock.wall(of: target, real: .zero) + Nanoseconds(number(1...2 * time))

    let due = Deadline.wall(instant, of: target).instant(on: clock)

    func shown(_ monotonic: Nanoseconds) -> WallInstant {
      var later = clock
      later.advance(to: monotonic, real: .zero)
      return later.wall(of: target, real: .zero)
    }
    #expect(shown(due) >= instant)
    #expect(shown(due - Nanoseconds(1)) < instant)
  }

  @Test("A step of the scenario's clock takes the target's along, and moves its deadlines")
  func stepOfScenario() throws {
    var clock = clock(skew: .seconds(10), drift: try drift("100000ppm"))
    clock.advance(to: start + .seconds(10), real: .zero)
    let deadline = Deadline.wall(WallInstant(seconds: 32), of: target)
    #expect(deadline.instant(on: clock) == start + .seconds(20))

    clock.jump(by: .seconds(11), real: .zero)

    #expect(clock.wall(of: target, real: .zero) == WallInstant(seconds: 32))
    #expect(deadline.instant(on: clock) == start + .seconds(10))
  }

  @Test("A target that sets its own clock leaves the scenario's alone")
  func ownStep() {
    var clock = clock(skew: .seconds(10))
    let former = clock

    clock.setWall(to: WallInstant(seconds: 1_000), of: target, real: .zero)

    #expect(clock.wall(of: target, real: .zero) == WallInstant(seconds: 1_000))
    #expect(clock.wall(real: .zero) == .epoch)
    #expect(!clock.agrees(on: target, with: former))
    #expect(clock.agrees(on: .scenario, with: former))
  }

  @Test("Deadlines on several wall clocks come in the order of their instants")
  func timeline() throws {
    let clock = VirtualClock(
      wall: .epoch, flow: .auto, real: .zero,
      deviations: [
        ClockDeviation(skew: .seconds(5)), ClockDeviation(skew: .seconds(-5)), nil,
      ])
    var timeline = Timeline<String>()
    let noon = WallInstant(seconds: 100)
    _ = timeline.file(.wall(noon, of: WallNumber(target: 1)), for: "behind")
    _ = timeline.file(.wall(noon), for: "scenario")
    _ = timeline.file(.wall(noon, of: WallNumber(target: 0)), for: "ahead")

    var order: [String] = []
    while let item = timeline.earliest(on: clock, now: start) {
      order.append("\(item.owner) \(item.instant - start)")
      timeline.cancel(item.ticket)
    }

    #expect(order == ["ahead 1m35s", "scenario 1m40s", "behind 1m45s"])
  }

  @Test("Drifts are read and written", arguments: ["50ppm", "-0.5ppm", "100000ppm", "0.001ppm"])
  func text(_ text: String) throws {
    #expect(try drift(text).description == text)
  }

  @Test(
    "What is no drift is refused",
    arguments: ["50", "ppm", "50 ppm", "0.0001ppm", "100001ppm", "-100000.001ppm", "5e3ppm"])
  func mistakes(_ text: String) {
    #expect(throws: ValueGrammarError.self) { try drift(text) }
  }
}
