import Foundations
import ScenarioEvents
import ScenarioModel
import ScenarioPlan
import Testing

@testable import ScenarioRunner

@Suite("The search for the first date at which a case fails")
struct DateGapTests {
  private func planned(_ name: String, _ seconds: Int64) -> PlannedCase {
    let range = SourceRange(file: "a.yaml", line: 3, column: 5)
    let target = PlannedTarget(
      command: [PlannedText("true")], commandRange: range, environment: [], passedEnvironment: [],
      files: [], standardInput: nil)
    return PlannedCase(
      identifier: "a.yaml::\(name)", file: "a.yaml", name: name, range: range, lastLine: 9,
      tags: [],
      seed: 0, timeout: .seconds(1), target: target, clock: nil, network: nil, chaos: [], steps: [],
      expect: []
    ).dated(WallInstant(seconds: seconds))
  }

  private func ending(_ planned: PlannedCase, _ outcome: CaseResult.Outcome) -> Event {
    Event(
      realTime: .zero, scenario: planned.identifier,
      kind: .caseFinished(
        CaseResult(
          outcome: outcome, duration: .zero, virtualDuration: nil, standardOutput: "",
          standardError: "", directory: nil)))
  }

  @Test("A case's name tells its date, and is found again without it")
  func names() {
    let dated = planned("n", 86_400)

    #expect(dated.name == "n @1970-01-02T00:00:00Z")
    #expect(dated.undatedName == "n")
    #expect(dated.undatedIdentifier == "a.yaml::n")
  }

  @Test("The gap lies before the first failure, whatever comes behind it")
  func gap() throws {
    let cases = [0, 100, 200, 300, 400].map { planned("n", $0) } + [planned("other", 50)]
    var search = DateSearch(cases)
    let outcomes: [CaseResult.Outcome] = [.passed, .skipped, .failed, .passed, .errored, .passed]
    for (planned, outcome) in zip(cases, outcomes).reversed() {
      search.record(ending(planned, outcome))
    }

    let gaps = search.gaps

    #expect(gaps.count == 1)
    let gap = try #require(gaps.first)
    #expect(gap.success == .epoch)
    #expect(gap.failure == WallInstant(seconds: 200))
  }

  @Test(
    "The first second is found in as many runs as halves it takes",
    arguments: [1, 2, 77, 99_999, 100_000])
  func bisection(_ first: Int64) {
    let gap = DateGap(
      failing: planned("n", 100_000), failure: WallInstant(seconds: 100_000), success: .epoch)
    var runs = 0

    let found = gap.bisected {
      runs += 1
      return $0.seconds < first
    }

    #expect(found.failure == WallInstant(seconds: first))
    #expect(found.success == WallInstant(seconds: first - 1))
    #expect(runs <= 17)
    #expect(found.text.contains("first fails at \(found.failure)"))
  }

  @Test("Where nothing passes before, or the run is stopped, it says so")
  func incomplete() {
    let first = DateGap(failing: planned("n", 5), failure: WallInstant(seconds: 5), success: nil)
    #expect(first.bisected { _ in true }.text.contains("the first date tried"))

    let gap = DateGap(failing: planned("n", 9), failure: WallInstant(seconds: 9), success: .epoch)
    let stopped = gap.bisected { _ in nil }
    #expect(stopped.isUnfinished)
    #expect(stopped.failure == WallInstant(seconds: 9))
  }
}
