import Foundations
import Testing

@testable import Supervisor

@Suite("Waits whose time was up")
struct ExpiredWaitTests {
  /// How far time may move for each of some calls from one place, all at one instant.
  private func answers(
    _ wait: inout ExpiredWait, _ count: Int, at generation: UInt64, from place: UInt64 = 1
  ) -> [Nanoseconds?] {
    (0..<count).map { _ in wait.ask(at: generation, from: place) }
  }

  @Test("Each fourth call moves time, by ever more, three times in all")
  func lengths() {
    var wait = ExpiredWait(at: 7)

    for (steps, length) in [1, 10, 100].enumerated() {
      let generation = UInt64(7 + steps)
      #expect(
        answers(&wait, 4, at: generation) == [nil, nil, nil, .microseconds(Int64(length))])
      wait.timePassed(to: generation + 1)
    }
    #expect(answers(&wait, 8, at: 10).allSatisfy { $0 == nil })
  }

  @Test("A call that time could not move for is one of four again")
  func refused() {
    var wait = ExpiredWait(at: 1)

    #expect(answers(&wait, 8, at: 1).map { $0 != nil }.filter { $0 }.count == 2)
  }

  @Test("Calls from several places do not add up")
  func places() {
    var wait = ExpiredWait(at: 1)
    let found = (0..<20).map { wait.ask(at: 1, from: UInt64($0 % 2)) }

    #expect(found.allSatisfy { $0 == nil })
  }

  @Test("Once others have moved time, the wait is long over")
  func otherInstant() {
    var wait = ExpiredWait(at: 1)

    #expect(answers(&wait, 8, at: 2).allSatisfy { $0 == nil })
  }
}
