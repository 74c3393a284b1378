import Foundations
import Supervisor
import Testing

@testable import ScenarioRunner

@Suite("What threads do, as a failure tells it")
struct ThreadSituationTests {
  private func thread(
    _ number: Int32, of process: Int32 = 7, _ activity: String,
    _ standing: ThreadSituation.Standing
  ) -> ThreadSituation {
    ThreadSituation(
      process: process, thread: number, program: "java", activity: activity, standing: standing)
  }

  private let futex = ThreadSituation.Standing.idle(call: "futex")

  @Test("The one that runs comes first, and those that wait for their own process are counted")
  func order() {
    let threads =
      (10..<33).map { thread($0, "sleeps in futex", futex) } + [
        thread(40, "sleeps in poll", .waits), thread(41, "runs", .computes),
      ]

    #expect(
      ThreadSituation.lines(threads) == [
        "java (process 7, thread 41) runs",
        "java (process 7, thread 40) sleeps in poll",
        "and 23 threads sleep in futex",
      ])
  }

  @Test(
    "Who computes until the timeout has no use for a longer one, unless it has waited for a processor most of the time",
    arguments: [(0, false), (500, false), (501, true), (2_000, true)] as [(Int64, Bool)])
  func computing(delay: Int64, isBusy: Bool) {
    var computing = thread(7, "runs", .computes)
    computing.delay = .milliseconds(delay)
    var waiting = thread(8, "sleeps in poll", .waits)
    waiting.delay = .seconds(60)

    let help = ThreadSituation.helpWhileComputing([waiting, computing], within: .seconds(1))

    #expect(help.contains("`flow: real` or after a step `rate:`") != isBusy)
    #expect(
      help.contains(
        "has waited \(Nanoseconds.milliseconds(delay)) for a processor; raise `timeout:`")
        == isBusy)
  }

  @Test("Of a process that only waits for itself one thread is shown")
  func deadlock() {
    let threads = [
      thread(7, "sleeps in futex", futex), thread(8, "sleeps in futex", futex),
      thread(9, of: 9, "sleeps in futex", futex),
    ]

    #expect(
      ThreadSituation.lines(threads) == [
        "java (process 7, thread 7) sleeps in futex",
        "java (process 9, thread 9) sleeps in futex",
        "and 1 thread sleeps in futex",
      ])
  }

  @Test(
    "Of many threads that do the same three are shown and the others counted; others are all shown")
  func alike() {
    let threads =
      (1...200).map {
        thread($0, of: $0, "sleeps in poll, \($0)s of virtual time left", .awaitsTime)
      }
      + [thread(300, of: 300, "sleeps in read", .waits), thread(301, of: 301, "runs", .computes)]

    #expect(
      ThreadSituation.lines(threads) == [
        "java (process 301, thread 301) runs",
        "java (process 1, thread 1) sleeps in poll, 1s of virtual time left",
        "java (process 2, thread 2) sleeps in poll, 2s of virtual time left",
        "java (process 3, thread 3) sleeps in poll, 3s of virtual time left",
        "and 197 more like these",
        "java (process 300, thread 300) sleeps in read",
      ])
    #expect(ThreadSituation.lines(Array(threads.prefix(3))).count == 3)
  }

  @Test("Where time stands still the help says so, and where clocks end as well")
  func help() {
    #expect(
      ThreadSituation.helpWhereTimeStands([thread(7, "", .awaitsTime)])?.contains("flow: auto")
        == true)
    #expect(
      ThreadSituation.helpWhereTimeStands([thread(7, "", .awaitsEndOfTime)])?.contains("64 bits")
        == true)
    #expect(ThreadSituation.helpWhereTimeStands([thread(7, "", .waits)]) == nil)
    var busy = thread(7, "", .computes)
    busy.delay = .milliseconds(1_700)
    #expect(
      ThreadSituation.helpWhileComputing([busy], within: .seconds(4)).contains("raise") == false)
    #expect(
      ThreadSituation.helpWhileComputing([busy], within: .seconds(3)).contains("waited 1.7s for"))
  }
}
