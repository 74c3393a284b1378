import CSupervisor
import Foundations
import Testing

@testable import Supervisor

@Suite("Setting and steering the wall clock")
struct ClockDisciplineTests {
  private func request(
    _ modes: UInt32, _ change: (inout scenario_clock_state) -> Void = { _ in }
  ) -> scenario_clock_state {
    var request = scenario_clock_state()
    request.modes = modes
    change(&request)
    return request
  }

  private func time(_ seconds: Int64, _ fraction: Int64 = 0) -> TimeValue {
    TimeValue(WallInstant(seconds: 0)).with(seconds, fraction)
  }

  @Test("The wall clock can be set to what the kernel would take, and to nothing else")
  func range() {
    let uptime = Nanoseconds.seconds(100)

    #expect(WallClockSetting.limit == 8_277_292_036)
    #expect(WallClockSetting.instant(time(100), monotonic: uptime) == WallInstant(seconds: 100))
    #expect(WallClockSetting.instant(time(8_277_292_035, 999_999_999), monotonic: uptime) != nil)
    for (seconds, fraction) in [
      (99, 999_999_999), (-1, 0), (100, -1), (100, 1_000_000_000), (8_277_292_036, 0), (.max, 0),
    ] as [(Int64, Int64)] {
      #expect(WallClockSetting.instant(time(seconds, fraction), monotonic: uptime) == nil)
    }
  }

  @Test("A displacement carries, in both directions, and does not overflow")
  func displacements() {
    let wall = WallInstant(seconds: 1_000, nanoseconds: 600_000_000)
    func displaced(_ seconds: Int64, _ fraction: Int64) -> WallInstant? {
      WallClockSetting.instant(
        displacing: wall, by: time(seconds, fraction), monotonic: .seconds(100))
    }

    #expect(displaced(1, 500_000_000) == WallInstant(seconds: 1_002, nanoseconds: 100_000_000))
    #expect(displaced(-1, 999_999_999) == WallInstant(seconds: 1_000, nanoseconds: 599_999_999))
    #expect(displaced(-901, 400_000_000) == WallInstant(seconds: 100))
    #expect(displaced(-901, 399_999_999) == nil)
    #expect(displaced(.min, 0) == nil)
    #expect(displaced(.max, 999_999_999) == nil)
    #expect(displaced(0, 1_000_000_000) == nil)
  }

  @Test("Who may not set the clock may read it, in both ways")
  func reading() {
    #expect(ClockDiscipline.refusal(of: request(0), mayChange: false) == nil)
    #expect(ClockDiscipline.refusal(of: request(0xa001), mayChange: false) == nil)
    #expect(ClockDiscipline.refusal(of: request(0x8001), mayChange: false) == 1)
    #expect(ClockDiscipline.refusal(of: request(0x0001), mayChange: false) == 1)
    #expect(ClockDiscipline.refusal(of: request(0x8001), mayChange: true) == nil)
  }

  @Test("Requests that make no sense are refused, behind those that are not allowed")
  func refusals() {
    let once = request(0x8000)
    #expect(ClockDiscipline.refusal(of: once, mayChange: false) == 22)
    let tick = request(SCENARIO_ADJUST_TICK) { $0.tick = 8_999 }
    #expect(ClockDiscipline.refusal(of: tick, mayChange: false) == 1)
    #expect(ClockDiscipline.refusal(of: tick, mayChange: true) == 22)
    let fine = request(SCENARIO_ADJUST_TICK) { $0.tick = 11_000 }
    #expect(ClockDiscipline.refusal(of: fine, mayChange: true) == nil)
    let coarse = request(SCENARIO_ADJUST_SET_OFFSET) { $0.fraction = 1_000_000 }
    #expect(ClockDiscipline.refusal(of: coarse, mayChange: true) == 22)
    let nano = request(SCENARIO_ADJUST_SET_OFFSET | SCENARIO_ADJUST_NANOSECONDS) {
      $0.fraction = 1_000_000
    }
    #expect(ClockDiscipline.refusal(of: nano, mayChange: true) == nil)
    let frequency = request(SCENARIO_ADJUST_FREQUENCY) { $0.frequency = .max }
    #expect(ClockDiscipline.refusal(of: frequency, mayChange: true) == 22)
  }

  @Test("What was set is reported again, within the kernel's bounds, and steers nothing")
  func state() {
    var discipline = ClockDiscipline(state: scenario_clock_state(), result: 0)
    let wall = WallInstant(seconds: 7, nanoseconds: 123_456_789)

    discipline.apply(
      request(
        SCENARIO_ADJUST_OFFSET | SCENARIO_ADJUST_FREQUENCY | SCENARIO_ADJUST_STATUS
          | SCENARIO_ADJUST_MAXIMUM_ERROR | SCENARIO_ADJUST_TIME_CONSTANT
      ) {
        $0.offset = 500
        $0.frequency = 600 << 16
        $0.status = 0x2041
        $0.maximum_error = 99_000_000
        $0.time_constant = 3
      })
    var answer = discipline.answer(to: request(0), wall: wall, atomicOffset: 37, correction: .zero)
    #expect(answer.offset == 0)
    #expect(answer.frequency == 500 << 16)
    // STA_NANO is read-only as a status, and has a mode of its own.
    #expect(answer.status == 0x41)
    #expect(answer.maximum_error == 16_000_000)
    #expect(answer.time_constant == 7)
    #expect((answer.seconds, answer.fraction) == (7, 123_456))
    #expect(answer.atomic_offset == 37)
    #expect(discipline.returnValue == 5)

    discipline.apply(request(SCENARIO_ADJUST_NANOSECONDS | SCENARIO_ADJUST_STATUS))
    answer = discipline.answer(to: request(0), wall: wall, atomicOffset: 37, correction: .zero)
    // The phase lock is gone, and with it the trust.
    #expect(answer.status == 0x2000)
    #expect((answer.seconds, answer.fraction) == (7, 123_456_789))
    #expect(discipline.returnValue == 0)

    discipline.forget()
    #expect(discipline.returnValue == 5)
    #expect(
      discipline.answer(to: request(0), wall: wall, atomicOffset: 37, correction: .zero).status
        == 0x2040)
  }

  @Test("The uptime has two decimals, and never more than has passed")
  func uptimeText() {
    #expect(UptimeFiles.text(boot: .seconds(100_000)) == "100000.00 100000.00\n")
    #expect(UptimeFiles.text(boot: Nanoseconds(5_069_999_999)) == "5.06 5.06\n")
    #expect(UptimeFiles.text(boot: Nanoseconds(9_999_999)) == "0.00 0.00\n")
  }
}

extension TimeValue {
  fileprivate func with(_ seconds: Int64, _ fraction: Int64) -> TimeValue {
    var value = self
    value.seconds = seconds
    value.fraction = fraction
    return value
  }
}
