import ScenarioModel
import Testing

@testable import ScenarioRunner

@Suite("The tally of requests that nothing answers")
struct UnmatchedTallyTests {
  private func key(_ name: String, line: Int = 1) -> UnmatchedTally.Key {
    UnmatchedTally.Key(
      summary: name, nearMisses: [], step: SourceRange(file: "a.yaml", line: line, column: 1))
  }

  @Test("One that comes again is told once, with how often it came")
  func again() {
    var tally = UnmatchedTally()

    let first = tally.note(key("a"), at: .seconds(1))
    #expect(tally.again(key("a")) == nil)
    let second = tally.note(key("a"), at: .seconds(2))
    #expect(tally.again(key("a")) == "it came once more, at +2s")
    let third = tally.note(key("a"), at: .seconds(3))
    #expect(tally.again(key("a")) == "it came 2 more times, the last at +3s")
    let other = tally.note(key("b"), at: .seconds(3))
    let elsewhere = tally.note(key("a", line: 2), at: .seconds(4))
    #expect([first, second, third, other, elsewhere] == [true, false, false, true, true])
  }

  @Test("Different ones are told up to a limit, and the rest is counted")
  func limit() {
    var tally = UnmatchedTally()
    var told = 0
    for number in 0..<UnmatchedTally.limit + 7 where tally.note(key("\(number)"), at: .zero) {
      told += 1
    }
    let isToldAgain = tally.note(key("0"), at: .zero)

    #expect(told == UnmatchedTally.limit)
    #expect(tally.untold == 7)
    #expect(!isToldAgain)
  }
}
