import Foundations
import Supervisor
import Testing

@Suite("The virtual clock")
struct VirtualClockTests {
  private let start = WallInstant(seconds: 1_000_000)
  private let real = Nanoseconds.seconds(50)

  private func clock(_ flow: ClockFlow) -> VirtualClock {
    VirtualClock(wall: start, flow: flow, real: real)
  }

  @Test("A held clock stands still while real time passes")
  func heldStands() {
    let clock = clock(.held)

    #expect(clock.wall(real: real + .seconds(9)) == start)
    #expect(clock.elapsed(real: real + .seconds(9)) == .zero)
  }

  @Test("A real clock flows from its start as fast as real time")
  func realFlows() {
    let clock = clock(.real)

    #expect(clock.wall(real: real + .seconds(9)) == start + .seconds(9))
    #expect(clock.elapsed(real: real + .seconds(9)) == .seconds(9))
  }

  @Test("Travel sets the wall clock and leaves monotonic time alone")
  func travelIsAStepOfTheWall() {
    var clock = clock(.held)
    let destination = WallInstant(seconds: -446_745_600)

    clock.travel(to: destination, real: real)

    #expect(clock.wall(real: real) == destination)
    #expect(clock.monotonic(real: real) == VirtualClock.initialMonotonic)
  }

  @Test("A jump displaces the wall clock in both directions")
  func jumpDisplaces() {
    var clock = clock(.held)

    clock.jump(by: .seconds(60), real: real)
    #expect(clock.wall(real: real) == start + .seconds(60))

    clock.jump(by: .seconds(-90), real: real)
    #expect(clock.wall(real: real) == start + .seconds(-30))
    #expect(clock.elapsed(real: real) == .zero)
  }

  @Test("A freeze holds a flowing clock, now or elsewhere")
  func freezeHolds() {
    var clock = clock(.real)

    clock.freeze(at: nil, real: real + .seconds(1))
    #expect(clock.wall(real: real + .seconds(100)) == start + .seconds(1))

    clock.freeze(at: .epoch, real: real + .seconds(100))
    #expect(clock.wall(real: real + .seconds(200)) == .epoch)
    #expect(clock.elapsed(real: real + .seconds(200)) == .seconds(1))
  }

  @Test("Setting the wall clock leaves it standing where it stood, and flowing where it flowed")
  func settingKeepsTheFlow() {
    var clock = clock(.real)

    clock.setWall(to: .epoch, real: real + .seconds(2))
    #expect(clock.wall(real: real + .seconds(5)) == WallInstant(seconds: 3))
    #expect(clock.elapsed(real: real + .seconds(5)) == .seconds(5))

    clock.freeze(at: nil, real: real + .seconds(5))
    clock.setWall(to: .epoch, real: real + .seconds(9))
    #expect(clock.isFrozen)
    #expect(clock.wall(real: real + .seconds(50)) == .epoch)
    #expect(clock.elapsed(real: real + .seconds(50)) == .seconds(5))
  }

  @Test("Travel out of a freeze lets time flow on from there")
  func travelThaws() {
    var clock = clock(.real)
    clock.freeze(at: nil, real: real)

    clock.travel(to: .epoch, real: real + .seconds(5))

    #expect(clock.wall(real: real + .seconds(7)) == WallInstant(seconds: 2))
  }

  @Test("The way back to the present never takes monotonic time back")
  func returnKeepsMonotonicTime() {
    var clock = clock(.real)
    clock.travel(to: WallInstant(seconds: 4_000_000_000), real: real + .seconds(1))

    clock.returnToPresent(real: real + .seconds(3))

    #expect(clock.wall(real: real + .seconds(3)) == start + .seconds(3))
    #expect(clock.elapsed(real: real + .seconds(3)) == .seconds(3))
  }

  @Test("Time that passed while a clock was held belongs to the present")
  func presentCountsVirtualTime() {
    var clock = clock(.held)
    clock.jump(by: .seconds(-500), real: real)
    clock.advance(to: VirtualClock.initialMonotonic + .seconds(10), real: real)

    clock.returnToPresent(real: real + .seconds(99))

    #expect(clock.wall(real: real) == start + .seconds(10))
  }

  @Test("Time never advances backwards")
  func advanceIsMonotonic() {
    var clock = clock(.held)
    clock.advance(to: VirtualClock.initialMonotonic + .seconds(10), real: real)

    clock.advance(to: VirtualClock.initialMonotonic + .seconds(4), real: real)

    #expect(clock.elapsed(real: real) == .seconds(10))
  }

  @Test("The end of a block restores what stood before it, and drops what was set inside")
  func blockRestores() {
    var clock = clock(.held)
    clock.jump(by: .seconds(100), real: real)
    let before = clock.displacement(real: real)
    clock.travel(to: .epoch, real: real)
    clock.jump(by: .seconds(5), real: real)
    clock.advance(to: VirtualClock.initialMonotonic + .seconds(7), real: real)

    clock.restore(before, real: real)

    #expect(clock.wall(real: real) == start + .seconds(107))
  }

  @Test("A block that froze leaves a flowing clock flowing")
  func blockThaws() {
    var clock = clock(.real)
    let before = clock.displacement(real: real)
    clock.freeze(at: nil, real: real)

    clock.restore(before, real: real + .seconds(3))

    #expect(!clock.isFrozen)
    #expect(clock.wall(real: real + .seconds(5)) == start + .seconds(5))
  }
}
