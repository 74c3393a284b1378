import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioRunner
@testable import Supervisor

@Suite("Judging the record of waits")
struct WaitLedgerTests {
  private func statistics(_ count: Int) -> WaitStatistics {
    let owner = WaitDescription(program: "p", thread: 1, systemCallNumber: 0)
    var statistics = WaitStatistics()
    for _ in 0..<count { statistics.add(.seconds(1), by: owner) }
    return statistics
  }

  @Test("More waits than are kept cannot be judged: neither right nor wrong")
  func incomplete() throws {
    let failure = try #require(Failure(incomplete: statistics(WaitStatistics.limit + 2)))

    #expect(failure.category == .error)
    #expect(failure.message == "the target made more than 100000 waits; 2 were not kept")
  }

  @Test("As many as are kept can be")
  func complete() {
    #expect(Failure(incomplete: statistics(WaitStatistics.limit)) == nil)
  }
}
