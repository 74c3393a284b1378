import Foundations
import Testing

@testable import Supervisor

@Suite("The time that a target has for its end")
struct GracePeriodTests {
  private let period = GracePeriod(.seconds(5), from: .seconds(100), delay: .seconds(3))

  @Test("It is as long as asked where nothing delays the target")
  func idleMachine() {
    #expect(period.end(delay: .seconds(3)) == .seconds(105))
    // What was counted of processes that are gone is not taken away.
    #expect(period.end(delay: .seconds(1)) == .seconds(105))
  }

  @Test("Waiting for a processor does not count, up to ten times the length")
  func busyMachine() {
    #expect(period.end(delay: .seconds(7)) == .seconds(109))
    #expect(period.end(delay: .seconds(900)) == .seconds(150))
    #expect(
      GracePeriod(.forever, from: .zero, delay: .zero).end(delay: .zero) == .forever)
  }

  @Test(
    "The numbers of schedstat are processor time, waiting and turns",
    arguments: [
      ("12 345 6\n", 12, 345, 6), ("0 0 0\n", 0, 0, 0), ("", 0, 0, 0), ("12", 12, 0, 0),
      ("7000000000 8000000000 18446744073709551615\n", 7_000_000_000, 8_000_000_000, .max),
    ] as [(String, Int64, Int64, UInt64)])
  func statistics(text: String, time: Int64, delay: Int64, runs: UInt64) {
    let statistics = ScheduleStatistics(text.utf8)

    #expect(statistics.processorTime == Nanoseconds(time))
    #expect(statistics.delay == Nanoseconds(delay))
    #expect(statistics.runCount == runs)
  }

  @Test("A thread can read its own")
  func own() {
    var sum = 0
    for number in 0..<100_000 { sum &+= number }

    #expect(ScheduleStatistics.ofThisThread.runCount > 0, "\(sum)")
  }
}
