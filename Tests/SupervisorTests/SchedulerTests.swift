import Foundations
import Testing

@testable import Supervisor

/// A client of which everybody sleeps, and that wants time to move as it is told.
private final class Sleepers: SchedulerClient {
  typealias Owner = String

  var demands: [TimeDemand] = []
  var isAsleep = true
  var goal: Nanoseconds?
  private(set) var events: [String] = []
  private(set) lazy var scheduler = Scheduler(
    client: self, view: ClockView(clock), clock: clock, readRealClock: { [unowned self] in real })
  var real = Nanoseconds.zero
  private let clock: VirtualClock

  init(_ flow: ClockFlow = .auto) {
    clock = VirtualClock(wall: .epoch, flow: flow, real: .zero)
  }

  /// The time that has passed, in milliseconds.
  var elapsed: Int64 { scheduler.clock.elapsed(real: real).count / 1_000_000 }

  func file(_ name: String, after milliseconds: Int64) -> Scheduler<Sleepers>.Ticket? {
    scheduler.file(.monotonic(scheduler.now + .milliseconds(milliseconds)), for: name)
  }

  func allAsleep() -> Bool { isAsleep }
  func continueBesideRunning() -> Bool {
    events.append("beside")
    return false
  }
  func settle() -> Bool { false }
  func resumeAtRest() -> Bool { false }
  func demand() -> TimeDemand { demands.isEmpty ? .stand : demands.removeFirst() }
  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds? { goal }
  func spinnersReached(_ goal: Nanoseconds) {
    scheduler.move(to: goal)
    self.goal = nil
    events.append("spinners at \(elapsed)")
  }
  func passed(to instant: Nanoseconds) {
    scheduler.move(to: instant)
    events.append("passed to \(elapsed)")
  }
  func standStill() -> Bool {
    events.append("still")
    return false
  }
  func wake(_ item: Timeline<String>.Item) {
    scheduler.move(to: item.instant)
    events.append("\(item.owner) at \(elapsed)")
  }
  func clocksWillChange() { events.append("will change") }
  func clocksChanged(from former: VirtualClock) {}
}

@Suite("When the scheduler moves time")
struct SchedulerTests {
  @Test("To the next deadline, one at a time, and not beyond the limit")
  func limits() {
    let client = Sleepers()
    _ = client.file("late", after: 30)
    _ = client.file("early", after: 10)
    let limit = client.scheduler.now + .milliseconds(20)
    client.demands = Array(repeating: .advance(limit: limit), count: 2)

    #expect(client.scheduler.turn() && client.events == ["early at 10"])
    #expect(client.scheduler.turn() && client.events == ["early at 10", "passed to 20"])
    #expect(client.scheduler.deadlineCount == 1)
  }

  @Test("To a deadline at the limit itself")
  func atLimit() {
    let client = Sleepers()
    _ = client.file("due", after: 20)
    client.demands = [.advance(limit: client.scheduler.now + .milliseconds(20))]

    #expect(client.scheduler.turn() && client.events == ["due at 20"])
  }

  @Test("Nowhere while somebody runs, or where nobody wants it")
  func nowhere() {
    let client = Sleepers()
    _ = client.file("due", after: 20)
    #expect(!client.scheduler.turn() && client.events == ["still"] && client.elapsed == 0)
    client.isAsleep = false
    client.demands = [.advance(limit: nil)]
    #expect(!client.scheduler.turn() && client.events == ["still", "beside"])
    client.isAsleep = true
    #expect(client.scheduler.turn() && client.elapsed == 20)
  }

  @Test("Nowhere where nothing is due and there is no limit")
  func nothing() {
    let client = Sleepers()
    client.demands = [.advance(limit: nil), .finished]
    #expect(!client.scheduler.turn() && client.events == ["still"])
    #expect(client.scheduler.turn() && client.events == ["still"])
  }

  @Test("First for those who read the clock over and over, where they want less")
  func spinners() {
    let client = Sleepers()
    _ = client.file("due", after: 20)
    client.goal = client.scheduler.now + .milliseconds(5)
    client.demands = Array(repeating: .advance(limit: nil), count: 3)
    #expect(client.scheduler.turn() && client.events == ["spinners at 5"])
    client.goal = client.scheduler.now + .milliseconds(15)
    #expect(client.scheduler.turn() && client.events == ["spinners at 5", "due at 20"])
  }

  @Test("A deadline that is taken back, or that never comes, wakes nobody")
  func cancelled() {
    let client = Sleepers()
    client.scheduler.cancel(client.file("due", after: 20))
    #expect(client.scheduler.file(.monotonic(.forever), for: "never") == nil)
    client.demands = [.advance(limit: nil)]
    #expect(!client.scheduler.turn() && client.elapsed == 0)
  }

  @Test("What is due by real time, where time flows")
  func flowing() {
    let client = Sleepers(.real)
    _ = client.file("first", after: 10)
    _ = client.file("second", after: 20)
    #expect(!client.scheduler.wakeWhatIsDue {})
    client.real = .milliseconds(15)
    #expect(client.scheduler.wakeWhatIsDue {} && client.events == ["first at 15"])
    // Who reads the clocks while they change must wait.
    client.scheduler.change { $0.jump(by: .seconds(1), real: $1) }
    #expect(client.events == ["first at 15", "will change"])
  }
}
