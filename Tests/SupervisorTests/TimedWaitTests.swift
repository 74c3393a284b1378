import Foundations
import Testing

@testable import Supervisor

@Suite("The outcome of a timed wait")
struct TimedWaitTests {
  private func wait(_ kind: TimedWait.Kind) -> TimedWait {
    TimedWait(
      kind: kind, deadline: .monotonic(.seconds(1)), requested: .seconds(1), entry: Registers())
  }

  private func isFinished(_ outcome: TimedWait.Outcome, with result: Int) -> Bool {
    if case .finished(result) = outcome { return true }
    return false
  }

  private func isInterrupted(_ outcome: TimedWait.Outcome, restart: Int) -> Bool {
    if case .interrupted(restart) = outcome { return true }
    return false
  }

  @Test("An interrupted wait that is due has expired as the kernel's would")
  func expiry() {
    #expect(isFinished(wait(.poll).outcome(result: -516, isDue: true), with: 0))
    #expect(isFinished(wait(.poll).outcome(result: -4, isDue: true), with: 0))
    #expect(isFinished(wait(.futex(.wait)).outcome(result: -512, isDue: true), with: -110))
    #expect(isFinished(wait(.futex(.lock)).outcome(result: -513, isDue: true), with: -110))
    #expect(
      isFinished(wait(.futex(.waitRequeue)).outcome(result: -11, isDue: true), with: -110))
  }

  @Test("What happened just before the deadline counts, not the deadline")
  func natural() {
    #expect(isFinished(wait(.poll).outcome(result: 3, isDue: true), with: 3))
    #expect(isFinished(wait(.futex(.wait)).outcome(result: 0, isDue: true), with: 0))
    #expect(isFinished(wait(.futex(.wait)).outcome(result: -11, isDue: false), with: -11))
  }

  @Test("A signal makes the wait fail with EINTR after a handler, or start again")
  func signals() {
    #expect(isInterrupted(wait(.poll).outcome(result: -4, isDue: false), restart: -514))
    #expect(
      isInterrupted(wait(.sleep(remainder: 0)).outcome(result: -514, isDue: false), restart: -514))
    #expect(
      isInterrupted(wait(.futex(.lock)).outcome(result: -513, isDue: false), restart: -513))
  }
}
