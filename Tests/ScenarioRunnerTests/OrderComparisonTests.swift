import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioRunner

@Suite("Orders of threads in repetitions of a case")
struct OrderComparisonTests {
  private func event(_ scenario: String, _ digest: String, doubts: [String] = []) -> Event {
    Event(
      realTime: .zero, scenario: scenario,
      kind: .timeAccount(
        TimeAccount(order: OrderAccount(turns: 3, digest: digest, doubts: doubts))))
  }

  /// What is said of events, one after the other.
  private func warnings(_ events: [Event], originals: Set<String> = []) -> [String?] {
    var comparison = OrderComparison(originals: originals)
    return events.map { event in
      guard case .warning(let text, _)? = comparison.review(event)?.kind else { return nil }
      return text
    }
  }

  @Test("A repetition that has gone another way is warned of, and the same way is not")
  func repetitions() {
    let warnings = warnings([
      event("a", "01"), event("a #2", "01"), event("a #3", "02"), event("b", "02"),
    ])

    #expect(warnings.map { $0 == nil } == [true, true, false, true])
    #expect(warnings[2]?.contains("order 02 in 3 turns, but order 01 in 3 turns before") == true)
  }

  @Test("Cases that are called as repetitions are, are none")
  func names() {
    let warnings = warnings(
      [event("job #1", "01"), event("job #2", "02"), event("job #2 #2", "03")],
      originals: ["job #1", "job #2"])

    #expect(warnings.map { $0 == nil } == [true, true, false])
  }

  @Test("Of a run that is known to differ, and of one without an order, nothing is said")
  func doubts() {
    let none = Event(realTime: .zero, scenario: "a", kind: .timeAccount(TimeAccount()))

    let warnings = warnings([
      event("a", "01", doubts: ["it was stopped"]), event("a #2", "02"), none,
      event("a #3", "03", doubts: ["it was stopped"]), event("a #4", "02"),
    ])
    #expect(warnings == [nil, nil, nil, nil, nil])
  }
}
