import CSupervisor
import Foundations
import Testing

@testable import Supervisor

@Suite("A leap second")
struct LeapSecondTests {
  /// 2027-01-01T00:00:00Z.
  private let nextDay: Int64 = 1_798_761_600
  private let start = VirtualClock.initialMonotonic
  private let target = WallNumber(target: 0)

  private func clock(
    before length: Nanoseconds, flow: ClockFlow = .held, skew: Nanoseconds? = nil
  ) throws -> VirtualClock {
    VirtualClock(
      wall: WallInstant(seconds: nextDay) + -length, flow: flow, real: .zero,
      deviations: skew.map { [ClockDeviation(skew: $0)] } ?? [],
      leapSecond: try LeapSecond(text: "2026-12-31"))
  }

  private func wall(_ seconds: Int64, _ milliseconds: Int64 = 0) -> WallInstant {
    WallInstant(seconds: nextDay + seconds, nanoseconds: milliseconds * 1_000_000)
  }

  @Test("UTC shows the last second twice, and TAI goes on", arguments: [ClockFlow.held, .real])
  func shown(_ flow: ClockFlow) throws {
    var clock = try clock(before: .seconds(2), flow: flow)
    for (passed, shown) in [(0, -2_000), (1_999, -1), (2_000, -1_000), (2_999, -1), (3_000, 0)] {
      let instant = start + .milliseconds(Int64(passed))
      if flow == .held { clock.advance(to: instant, real: .zero) }
      let real = flow == .held ? .zero : instant - start

      #expect(clock.wall(real: real) == wall(0, Int64(shown)))
      #expect(clock.atomic(of: .scenario, real: real) == wall(-2, Int64(passed)))
    }
  }

  @Test(
    "A wait until an instant ends when it is shown, and behind the second time when it was asked for then"
  )
  func deadlines() throws {
    var clock = try clock(before: .seconds(2))
    func due(_ instant: WallInstant) -> Nanoseconds {
      ClockMoment(clock: clock, real: .zero).deadline(
        at: TimeValue(instant), on: .realtime, wall: .scenario
      ).instant(on: clock) - start
    }

    #expect(due(wall(-1, 500)) == .milliseconds(1_500))
    #expect(due(wall(0)) == .seconds(3))

    clock.advance(to: start + .milliseconds(2_200), real: .zero)
    #expect(due(wall(-1, 500)) == .milliseconds(2_500))
    #expect(due(wall(0)) == .seconds(3))
  }

  @Test("TAI has no instant twice")
  func atomicDeadlines() throws {
    let clock = try clock(before: .seconds(2))
    let time = TimeValue(wall(37, 500))

    let deadline = ClockMoment(clock: clock, real: .zero).deadline(
      at: time, on: .internationalAtomic, wall: .scenario)

    #expect(deadline.instant(on: clock) - start == .milliseconds(2_500))
  }

  @Test(
    "A timer on the wall clock that repeats skips the second that comes twice; one on TAI does not")
  func timers() throws {
    func expirations(_ kind: ClockKind) throws -> [Int64] {
      var clock = try clock(before: .seconds(2))
      var timer = VirtualTimer(clock: kind)
      let first = kind == .realtime ? wall(-1) : wall(36)
      timer.arm(
        at: ClockMoment(clock: clock, real: .zero).deadline(
          at: TimeValue(first), on: kind, wall: .scenario), interval: .milliseconds(500))
      var found: [Int64] = []
      while found.count < 5, case .armed(let deadline) = timer.state {
        clock.advance(to: deadline.instant(on: clock), real: .zero)
        let moment = ClockMoment(clock: clock, real: .zero)
        #expect(timer.expire(at: moment) == 1)
        #expect(timer.accept(at: moment) == 0)
        found.append((moment.monotonic - start).count / 1_000_000)
      }
      return found
    }

    #expect(try expirations(.realtime) == [1_000, 1_500, 3_000, 3_500, 4_000])
    #expect(try expirations(.internationalAtomic) == [1_000, 1_500, 2_000, 2_500, 3_000])
  }

  @Test("A machine whose clock is ahead shows its second twice at its own midnight")
  func ownClock() throws {
    var clock = try clock(before: .seconds(10), skew: .seconds(4))
    #expect(clock.nextLeap == start + .seconds(6))
    let former = clock

    clock.advance(to: start + .milliseconds(6_500), real: .zero)

    #expect(clock.wall(of: target, real: .zero) == wall(-1, 500))
    #expect(clock.wall(real: .zero) == wall(-3, -500))
    #expect(!clock.agrees(on: target, with: former))
    #expect(clock.agrees(on: .scenario, with: former))
    #expect(clock.nextLeap == start + .seconds(10))
  }

  @Test("A step, a block and a suspension find the instant that they name, before and behind")
  func steps() throws {
    var clock = try clock(before: .seconds(10))
    let block = clock.displacement(real: .zero)

    clock.travel(to: wall(3_600), real: .zero)
    #expect(clock.wall(real: .zero) == wall(3_600))
    #expect(clock.nextLeap == nil)
    clock.jump(by: .seconds(-7_200), real: .zero)
    #expect(clock.wall(real: .zero) == wall(-3_600))
    #expect(clock.nextLeap == start + .seconds(3_600))
    clock.restore(block, real: .zero)
    #expect(clock.wall(real: .zero) == wall(-10))
    clock.suspend(for: .seconds(20), real: .zero)
    #expect(clock.wall(real: .zero) == wall(9))
    clock.returnToPresent(real: .zero)
    #expect(clock.wall(real: .zero) == wall(9))
  }

  @Test(
    "A travel back to the second that is shown twice meets the first one, and has the second one before it"
  )
  func travelBack() throws {
    var clock = try clock(before: .seconds(10))

    clock.travel(to: wall(43_200), real: .zero)
    clock.travel(to: wall(-1), real: .zero)

    #expect(clock.wall(real: .zero) == wall(-1))
    #expect(clock.nextLeap == start + .seconds(1))
  }

  @Test("It is announced on its day, and behind it for as long as nobody takes that back")
  func discipline() throws {
    let leapSecond = try LeapSecond(text: "2026-12-31")
    let machine = ClockDiscipline(state: scenario_clock_state(), result: 0).synchronized
    func result(_ atomic: WallInstant, _ discipline: ClockDiscipline) -> Int {
      discipline.expecting(leapSecond, at: atomic).returnValue
    }

    #expect(result(wall(-86_401), machine) == 0)
    #expect(result(wall(-86_400), machine) == 1)
    #expect(result(wall(-1, 999), machine) == 1)
    #expect(result(wall(0), machine) == 3)
    #expect(result(wall(0, 999), machine) == 3)
    #expect(result(wall(1), machine) == 4)
    var taken = machine
    var request = scenario_clock_state()
    request.modes = SCENARIO_ADJUST_STATUS
    taken.apply(request)
    #expect(result(wall(1), taken) == 0)
    var forgotten = machine
    forgotten.forget()
    #expect(result(wall(0), forgotten) == 5)
  }

  @Test("Days are read and written", arguments: ["2026-12-31", "2024-02-29", "1972-06-30"])
  func text(_ text: String) throws {
    #expect(try LeapSecond(text: text).description == text)
  }

  @Test(
    "What is no day is refused",
    arguments: [
      "2026-02-30", "2026-12-31T23:59:59Z", "2026-12-31T23:59:60Z", "@1798761600", "today", "true",
      "31.12.2026",
    ])
  func mistakes(_ text: String) {
    let error = #expect(throws: ValueGrammarError.self) { try LeapSecond(text: text) }
    // Of a day that no month has, the help is the calendar's.
    #expect(error?.help == LeapSecond.form || text == "2026-02-30", "\(text)")
  }
}
