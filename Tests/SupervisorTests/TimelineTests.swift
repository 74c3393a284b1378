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
    while let item = timeline.earliest(on: clock) {
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

    #expect(timeline.earliest(on: clock)?.owner == "timer")
    #expect(timeline.earliest(on: moved)?.owner == "alarm")
    #expect(timeline.earliest(on: moved)?.instant == origin + .seconds(10))
  }
}
