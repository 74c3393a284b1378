import Foundations
import Testing

@testable import Supervisor

@Suite("The time that a target has for its end")
struct GracePeriodTests {
  private static func delays(
    _ threads: [Int32: Int64] = [:], waited: Int64 = 3, worked: Int64 = 2
  ) -> GracePeriod.Delays {
    var delays = GracePeriod.Delays()
    for (thread, seconds) in threads {
      delays.threads[ThreadIdentifier(thread)] = .seconds(seconds)
    }
    delays.supervisor.delay = .seconds(waited)
    delays.supervisor.processorTime = .seconds(worked)
    return delays
  }

  private let period = GracePeriod(.seconds(5), from: .seconds(100), Self.delays([7: 1, 8: 2]))

  @Test("It is as long as asked where nothing delays the target")
  func idleMachine() {
    #expect(period.end(Self.delays([7: 1, 8: 2])) == .seconds(105))
    // Who is gone is not missed.
    #expect(period.end(Self.delays()) == .seconds(105))
  }

  @Test("The thread that has waited longest for a processor counts, and not all of them together")
  func busyMachine() {
    #expect(period.end(Self.delays([7: 4, 8: 4])) == .seconds(108))
    #expect(period.end(Self.delays([9: 4])) == .seconds(109), "a new thread")
  }

  @Test("The supervisor's waiting counts, and its work as far as the period is long")
  func supervisor() {
    #expect(period.end(Self.delays(waited: 7)) == .seconds(109))
    #expect(period.end(Self.delays(worked: 6)) == .seconds(109))
    #expect(period.end(Self.delays(worked: 60)) == .seconds(110))
  }

  @Test("It is never longer than ten times its length")
  func longest() {
    #expect(period.end(Self.delays([7: 900])) == .seconds(150))
    let endless = GracePeriod(.forever, from: .zero, Self.delays())
    #expect(endless.end(Self.delays()) == .forever)
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
