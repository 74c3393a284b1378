import Foundations
import Testing

@testable import Supervisor

@Suite("The timeline")
struct TimelineTests {
  private let clock = VirtualClock(wall: .epoch, flow: .held, real: .zero)
  private let origin = VirtualClock.initialMonotonic

  private func drain(_ timeline: Timeline<String>) -> [String] {
    var timeline = timeline
    var order: [String] = []
    while let item = timeline.earliest(on: clock, now: origin) {
      order.append(item.owner)
      timeline.cancel(item.ticket)
    }
    return order
  }

  @Test("Deadlines come up in order, whatever the order of filing")
  func order() {
    var timeline = Timeline<String>()
    for (name, seconds) in [("c", 3), ("a", 1), ("b", 2)] as [(String, Int64)] {
      _ = timeline.file(.monotonic(origin + .seconds(seconds)), for: name)
    }

    #expect(drain(timeline) == ["a", "b", "c"])
  }

  @Test("Equal deadlines come up in the order of filing")
  func ties() {
    var timeline = Timeline<String>()
    let names = (0..<50).map(String.init)
    for (index, name) in names.enumerated() {
      let deadline: Deadline =
        index % 2 == 0 ? .monotonic(origin + .seconds(1)) : .wall(WallInstant(seconds: 1))
      _ = timeline.file(deadline, for: name)
    }

    #expect(drain(timeline) == names)
  }

  @Test("A cancelled deadline never comes up")
  func cancellation() {
    var timeline = Timeline<String>()
    let first = timeline.file(.monotonic(origin + .seconds(1)), for: "first")
    _ = timeline.file(.monotonic(origin + .seconds(2)), for: "second")

    timeline.cancel(first)

    #expect(timeline.count == 1)
    #expect(drain(timeline) == ["second"])
  }

  @Test("Cancelled deadlines do not pile up behind one that stays")
  func pile() {
    var timeline = Timeline<String>()
    _ = timeline.file(.monotonic(.seconds(1)), for: "stays")
    for count in 0..<100_000 {
      let late = Nanoseconds.seconds(3_600 + Int64(count))
      let deadlines: [Deadline] = [
        .monotonic(late), .boot(late), .wall(WallInstant(seconds: Int64(count))),
      ]
      timeline.cancel(timeline.file(deadlines[count % 3], for: "goes"))
    }

    #expect(timeline.entryCount <= Timeline<String>.leastSweep + 3)
    #expect(timeline.count == 1)
  }

  @Test("A step of the wall clock moves deadlines of the wall clock only")
  func wallStep() {
    var timeline = Timeline<String>()
    _ = timeline.file(.wall(WallInstant(seconds: 3_600)), for: "alarm")
    _ = timeline.file(.monotonic(origin + .seconds(60)), for: "timer")
    var moved = clock

    moved.jump(by: .seconds(3_590), real: .zero)

    #expect(timeline.earliest(on: clock, now: origin)?.owner == "timer")
    #expect(timeline.earliest(on: moved, now: origin)?.owner == "alarm")
    #expect(timeline.earliest(on: moved, now: origin)?.instant == origin + .seconds(10))
  }

  // MARK: - Deadlines that may be late

  /// Keeps the deadlines of a timeline one after the other: who it was, and after how many seconds.
  private func keep(_ timeline: inout Timeline<String>) -> [String] {
    var now = origin
    var kept: [String] = []
    while let item = timeline.earliest(on: clock, now: now) {
      now = max(now, item.instant)
      kept.append("\(item.owner) \((now - origin).count / 1_000_000_000)")
      timeline.cancel(item.ticket)
    }
    return kept
  }

  private func timeline(_ deadlines: [(String, Int64, mayBeLate: Bool)]) -> Timeline<String> {
    var timeline = Timeline<String>(slack: .seconds(10))
    for (name, seconds, mayBeLate) in deadlines {
      _ = timeline.file(
        .monotonic(origin + .seconds(seconds)), mayBeLate: mayBeLate, for: name)
    }
    return timeline
  }

  @Test("One that may be late is kept when its slack is used up, and those behind it with it")
  func slack() {
    var polls = timeline([("a", 1, true), ("b", 5, true), ("c", 12, true)])

    #expect(keep(&polls) == ["a 11", "b 11", "c 22"])
  }

  @Test("It is kept before the next one that may not be late, in order, which comes at its instant")
  func exact() {
    var mixed = timeline([
      ("late", 3, true), ("exact", 4, false), ("first", 2, false), ("later", 5, true),
    ])

    #expect(keep(&mixed) == ["first 2", "late 4", "exact 4", "later 15"])
  }

  @Test("When the first is due and when it is kept are two things")
  func due() {
    var polls = timeline([("a", 1, true), ("exact", 4, false)])

    #expect(polls.firstDue(on: clock) == origin + .seconds(1))
    #expect(polls.earliest(on: clock, now: origin)?.instant == origin + .seconds(4))
    #expect(
      polls.earliest(on: clock, now: origin + .seconds(2))?.instant == origin + .seconds(1))
  }

  @Test("On the wall clock every deadline is kept at its instant")
  func wall() {
    var timeline = Timeline<String>(slack: .seconds(10))
    _ = timeline.file(.wall(WallInstant(seconds: 1)), mayBeLate: true, for: "wall")

    #expect(timeline.earliest(on: clock, now: origin)?.instant == origin + .seconds(1))
  }
}
