import Foundations
import Testing

@testable import Supervisor

@Suite("A timer")
struct VirtualTimerTests {
  private let start = VirtualClock.initialMonotonic

  private func moment(_ seconds: Int64) -> ClockMoment {
    var clock = VirtualClock(wall: .epoch, flow: .held, real: .zero)
    clock.advance(to: start + .seconds(seconds), real: .zero)
    return ClockMoment(clock: clock, real: .zero)
  }

  private func timer(every interval: Int64) -> VirtualTimer {
    var timer = VirtualTimer(clock: .monotonic)
    timer.arm(at: .monotonic(start + .seconds(5)), interval: .seconds(interval))
    return timer
  }

  @Test("A timer that does not repeat expires once")
  func once() {
    var timer = timer(every: 0)

    #expect(timer.rest(at: moment(2)) == .seconds(3))
    #expect(timer.expire(at: moment(5)) == 1)
    #expect(timer.state == .disarmed)
    #expect(timer.rest(at: moment(6)) == .zero)
    #expect(timer.expire(at: moment(7)) == 0)
  }

  @Test("A timer that repeats counts what expires before its owner takes note")
  func periodic() {
    var timer = timer(every: 2)

    #expect(timer.expire(at: moment(5)) == 1)
    #expect(timer.rest(at: moment(6)) == .seconds(1))
    #expect(timer.catchUp(at: moment(9)) == 2)
    #expect(timer.catchUp(at: moment(9)) == 0)
    #expect(timer.accept(at: moment(12)) == 1)
    #expect(timer.state == .armed(.monotonic(start + .seconds(13))))
  }

  @Test("A step of the wall clock over several expirations tells them together")
  func wallStep() {
    var timer = VirtualTimer(clock: .realtime)
    timer.arm(at: .wall(WallInstant(seconds: 10)), interval: .seconds(10))
    var clock = VirtualClock(wall: .epoch, flow: .held, real: .zero)
    clock.jump(by: .seconds(35), real: .zero)

    #expect(timer.expire(at: ClockMoment(clock: clock, real: .zero)) == 3)
    #expect(timer.rest(at: ClockMoment(clock: clock, real: .zero)) == .seconds(5))
  }

  @Test("A suspension is felt by timers on the boot clock, and not on the monotonic clock")
  func suspension() {
    var clock = VirtualClock(wall: .epoch, flow: .held, real: .zero)
    var boot = VirtualTimer(clock: .boottime)
    var monotonic = VirtualTimer(clock: .monotonic)
    boot.arm(at: .boot(start + .seconds(60)), interval: .zero)
    monotonic.arm(at: .monotonic(start + .seconds(60)), interval: .zero)

    clock.suspend(for: .seconds(45), real: .zero)

    #expect(boot.rest(at: ClockMoment(clock: clock, real: .zero)) == .seconds(15))
    #expect(monotonic.rest(at: ClockMoment(clock: clock, real: .zero)) == .seconds(60))
  }

  @Test("An interval that no clock can count to does not come round")
  func endless() {
    var timer = VirtualTimer(clock: .monotonic)
    timer.arm(at: .monotonic(start), interval: .forever)

    #expect(timer.expire(at: moment(0)) == 1)
    #expect(timer.accept(at: moment(1)) == 0)
    #expect(timer.rest(at: moment(1)) == .forever)
  }
}
