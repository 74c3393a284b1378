import Foundations
import Testing

@testable import ScenarioRunner

@Suite("The tally of requests that nothing answers")
struct UnmatchedTallyTests {
  private func key(
    _ name: String, spentEntry: String? = nil, line: Int = 1
  ) -> UnmatchedRequests.Key {
    UnmatchedRequests.Key(
      summary: name, nearMisses: [name], spentEntry: spentEntry,
      step: SourceRange(file: "a.yaml", line: line, column: 1))
  }

  @Test("Those that find the same entry without replies are one, however they differ")
  func spent() {
    var counter = UnmatchedRequests()

    let first = counter.record(key("a", spentEntry: "x"), at: .seconds(1))
    let second = counter.record(key("b", spentEntry: "x"), at: .seconds(2))
    #expect(counter.again(key("a", spentEntry: "x")) == "one more request matches it, at +2s")
    let otherEntry = counter.record(key("b", spentEntry: "y"), at: .seconds(3))
    // A request whose words are an entry's name is another one.
    let namesake = counter.record(key("x"), at: .seconds(4))
    #expect([first, second, otherEntry, namesake] == [true, false, true, true])
  }

  @Test("One that comes again is reported once, with how often it came")
  func again() {
    var counter = UnmatchedRequests()

    let first = counter.record(key("a"), at: .seconds(1))
    #expect(counter.again(key("a")) == nil)
    let second = counter.record(key("a"), at: .seconds(2))
    #expect(counter.again(key("a")) == "it was repeated once, at +2s")
    let third = counter.record(key("a"), at: .seconds(3))
    #expect(counter.again(key("a")) == "it was repeated 2 times, last at +3s")
    let other = counter.record(key("b"), at: .seconds(3))
    let elsewhere = counter.record(key("a", line: 2), at: .seconds(4))
    #expect([first, second, third, other, elsewhere] == [true, false, false, true, true])
  }

  @Test("Different ones are reported up to a limit, and the rest is counted")
  func limit() {
    var counter = UnmatchedRequests()
    var reported = 0
    for number in 0..<UnmatchedRequests.limit + 7 where counter.record(key("\(number)"), at: .zero)
    {
      reported += 1
    }
    let isToldAgain = counter.record(key("0"), at: .zero)

    #expect(reported == UnmatchedRequests.limit)
    #expect(counter.unreported == 7)
    #expect(!isToldAgain)
  }
}
