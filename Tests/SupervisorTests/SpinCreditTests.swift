import Foundations
import Testing

@testable import Supervisor

@Suite("What asking for the time is worth")
struct SpinCreditTests {
  private let begin = Nanoseconds.seconds(10)

  /// The instants, from `begin` on, to which time moves for one that asks so often, each question worth two nanoseconds.
  private func steps(_ questions: Int, in credit: inout SpinCredit) -> [Nanoseconds] {
    var now = begin
    var instant: UInt64 = 1
    var steps: [Nanoseconds] = []
    for _ in 0..<questions {
      credit.earn(SpinCredit.read, at: instant, now: now)
      guard let goal = credit.goal(after: now) else { continue }
      now = goal
      instant += 1
      credit.goOn(at: instant)
      steps.append(goal - begin)
    }
    return steps
  }

  @Test(
    "Time moves to a microsecond, ten, a hundred, and then by milliseconds, each once it is earned")
  func first() {
    var credit = SpinCredit()
    #expect(steps(499, in: &credit).isEmpty)

    var other = SpinCredit()
    #expect(
      steps(1_250_000, in: &other)
        == [
          .microseconds(1), .microseconds(10), .microseconds(100), .milliseconds(1),
          .milliseconds(2),
        ])
  }

  @Test("Steps grow to a thousandth of what has passed")
  func growth() {
    var credit = SpinCredit()
    credit.earn(.microseconds(1), at: 1, now: begin)
    let steps: [(Int64, Int64)] = [(1, 2), (999, 1_000), (10_000, 10_010), (95_000, 95_010)]
    for (passed, length) in steps {
      credit.goOn(at: 2)
      let now = begin + .milliseconds(passed)
      credit.earn(.seconds(1_000), at: 2, now: now)
      #expect(credit.goal(after: now) == begin + .milliseconds(length))
    }
  }

  @Test("What was asked while others held time is worth one step at most")
  func bound() {
    var credit = SpinCredit()
    credit.earn(.seconds(5), at: 1, now: begin)
    #expect(credit.goal(after: begin) == begin + .microseconds(1))
    #expect(credit.goal(after: begin + .microseconds(1)) == nil)
  }

  @Test("Where others have moved time, a thread begins anew; one that has not asked has no goal")
  func others() {
    var credit = SpinCredit()
    #expect(credit.goal(after: begin) == nil)
    credit.earn(.microseconds(1), at: 1, now: begin)
    #expect(credit.goal(after: begin) != nil)

    let later = begin + .seconds(1)
    credit.earn(.zero, at: 2, now: later)
    #expect(credit.goal(after: later) == nil)
    credit.earn(.microseconds(1), at: 2, now: later)
    #expect(credit.goal(after: later) == later + .microseconds(1))
  }
}
