import Foundations
import Testing

@testable import Supervisor

@Suite("Waits that only signals end")
struct SleepKindTests {
  private func wait(_ kind: TimedWait.Kind, count: UInt64 = 0) -> TimedWait {
    var entry = Registers()
    entry[argument: 1] = count
    return TimedWait(
      kind: kind, deadline: .monotonic(.seconds(1)), requested: .seconds(1), entry: entry)
  }

  private func select(_ count: Int) -> TimedWait.Kind {
    .select(
      .init(descriptorCount: count, sets: [0, 0, 0], timeout: 0, countsMicroseconds: false))
  }

  @Test("Sleeps, waits for signals, and polls of nothing")
  func only() {
    #expect(wait(.sleep(remainder: 0)).isEndedBySignalsOnly)
    #expect(wait(.signals).isEndedBySignalsOnly)
    #expect(wait(.poll).isEndedBySignalsOnly)
    #expect(wait(.timedPoll(timeout: 8)).isEndedBySignalsOnly)
    #expect(wait(select(0)).isEndedBySignalsOnly)
  }

  @Test("No wait for a descriptor, for a thread or for chaos")
  func others() {
    #expect(wait(.poll, count: 1).isEndedBySignalsOnly == false)
    #expect(wait(.timedPoll(timeout: 8), count: 1).isEndedBySignalsOnly == false)
    #expect(wait(select(4)).isEndedBySignalsOnly == false)
    #expect(wait(.futex(.wait)).isEndedBySignalsOnly == false)
    #expect(wait(.epoll).isEndedBySignalsOnly == false)
    #expect(wait(.delay).isEndedBySignalsOnly == false)
  }
}
