import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("What is kept of runs")
struct LastRunTests {
  private func entry(_ name: String, _ outcome: CaseResult.Outcome = .failed) -> LastRun.Entry {
    LastRun.Entry(file: "a.yaml", name: name, seed: 7, outcome: outcome, digest: "d")
  }

  @Test("A failure stays until its case has passed, whatever else is run")
  func merging() {
    var record = LastRun()
    record.take([entry("one"), entry("two", .errored), entry("three", .passed)])
    #expect(record.outstanding.map(\.name) == ["one", "two"])
    record.take([entry("three", .passed)])
    #expect(record.outstanding.map(\.name) == ["one", "two"])
    record.take([entry("one", .passed)])
    #expect(record.outstanding.map(\.name) == ["two"])
    record.take([entry("two", .skipped)])
    #expect(record.outstanding.isEmpty)
  }

  @Test("A case at one date is another one at the next, also in what was written and read again")
  func dates() throws {
    func entry(_ day: Int64?, _ outcome: CaseResult.Outcome) -> LastRun.Entry {
      LastRun.Entry(
        file: "a.yaml", name: "one", date: day.map { WallInstant(seconds: $0 * 86_400) }, seed: 7,
        outcome: outcome)
    }
    var record = LastRun()
    record.take([entry(1, .failed), entry(2, .failed), entry(nil, .failed)])
    record.take([entry(nil, .passed), entry(2, .passed)])
    #expect(record.outstanding == [entry(1, .failed)])
    #expect(LastRun(jsonText: Array(record.jsonText.utf8)) == record)
    let damaged = record.jsonText.replacing("1970-01-02T00:00:00Z", with: "someday")
    #expect(damaged != record.jsonText)
    #expect(LastRun(jsonText: Array(damaged.utf8)) == nil)
  }

  @Test("What a run did not get to is outstanding, and what failed before keeps how it failed")
  func missing() {
    var record = LastRun()
    record.take([entry("one")])
    record.take([entry("two")], missed: [entry("one", .skipped), entry("three", .skipped)])
    #expect(record.outstanding.map(\.name) == ["two", "three", "one"])
    #expect(record.outstanding.map(\.outcome) == [.failed, .skipped, .failed])
    record.take([entry("three", .passed), entry("one", .passed), entry("two", .passed)])
    #expect(record.outstanding.isEmpty)
  }

  @Test("What is shown to be gone is forgotten, and a flood of failures is cut and told")
  func bounds() {
    var record = LastRun()
    record.take([entry("one"), entry("two")])
    record.take([]) { $0.name == "one" }
    #expect(record.outstanding.map(\.name) == ["two"])
    let flood = (0..<LastRun.entryLimit + 5).map { entry("\($0)") }
    #expect(record.take(flood) == 6)
    #expect(record.outstanding.count == LastRun.entryLimit)
    #expect(record.outstanding.first?.name == "0")
  }

  @Test("A record reads back as it was written, and nothing else is one")
  func coding() {
    var record = LastRun()
    record.caseCount = 3
    record.isInterrupted = true
    record.take([entry("a \"quoted\" ü\n")])
    #expect(LastRun(jsonText: Array(record.jsonText.utf8)) == record)
    for text in [
      "", "[]", "{}", "{\"version\": 2, \"failed\": []}", "{\"version\": 1, \"failed\": [1]}",
    ] {
      #expect(LastRun(jsonText: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("Of several attempts the last one counts, and a case that never ended has failed")
  func endings() {
    var endings = CaseEndings()
    func begin(_ name: String, _ index: Int) {
      let range = SourceRange(file: "a.yaml", line: 1, column: 1)
      endings.record(
        Event(
          realTime: .zero, scenario: name,
          kind: .caseStarted(
            CaseDescription(
              file: "a.yaml", name: name, range: range, tags: [], seed: 1, index: index))))
    }
    func end(_ name: String, _ outcome: CaseResult.Outcome, isRetried: Bool = false) {
      var result = CaseResult(
        outcome: outcome, duration: .zero, virtualDuration: nil, standardOutput: "",
        standardError: "", directory: nil)
      result.isRetried = isRetried
      endings.record(Event(realTime: .zero, scenario: name, kind: .caseFinished(result)))
    }
    begin("flaky", 1)
    end("flaky", .failed, isRetried: true)
    begin("flaky", 1)
    end("flaky", .passed)
    begin("torn", 0)
    begin("bad", 2)
    end("bad", .failed)

    #expect(endings.failures.map(\.identifier) == ["torn", "bad"])
    var reported: [String] = []
    endings.forEach { reported.append("\($0) \($1) \($2)") }
    #expect(reported == ["torn errored 1", "flaky passed 1", "bad failed 1"])
    #expect(endings.isInterrupted)
  }
}
