import ScenarioEvents
import ScenarioReport
import Testing

@Suite("Reports tell what chaos did")
struct ChaosReportTests {
  private func terminal(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: TerminalRecorder(sink: sink, usesColour: false))
    return sink.text
  }

  private func junit(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: JUnitRecorder(sink: sink))
    return sink.text
  }

  private func fault(_ entry: String, _ call: String, _ program: String?) -> FaultDescription {
    var fault = FaultDescription(
      entry: entry, occurrence: 1, action: "EIO", systemCall: call, subject: nil, result: -1,
      error: "EIO", processOrdinal: 1, threadOrdinal: 1)
    fault.program = program
    return fault
  }

  private func run(
    _ outcome: CaseResult.Outcome, _ faults: [FaultDescription], fired: Int = 0,
    limits: [LimitFault]? = nil
  ) -> SampleRun {
    var run = SampleRun()
    run.addCase(
      "logs in", outcome: outcome, failures: outcome == .failed ? [.wrongOutput] : [])
    let end = run.removeLast()
    for fault in faults { run.append(.faultInjected(fault), scenario: end.scenario) }
    let entries = ["journal dies", "quiet"].map { name in
      ChaosAccount.Entry(
        name: name, seen: 9, matched: 9, fired: name == "quiet" ? 0 : fired, processes: [])
    }
    run.append(
      .chaosAccount(ChaosAccount(seed: 1, entries: entries, limits: limits)),
      scenario: end.scenario)
    run.append(end.kind, scenario: end.scenario)
    run.end()
    return run
  }

  @Test("A case that failed shows which entries fired, and where; one that held does not")
  func firings() throws {
    let faults = [
      fault("journal dies", "fsync", "sqlite3"), fault("journal dies", "fsync", "sqlite3"),
      fault("journal dies", "fdatasync", nil),
    ]
    let line = "\nchaos: journal dies fired 3 times (fsync in sqlite3, fdatasync)\n"

    #expect(try terminal(run(.failed, faults, fired: 3)).contains(line))
    #expect(try !terminal(run(.passed, faults, fired: 3)).contains("chaos:"))
    #expect(try !terminal(run(.failed, [])).contains("chaos:"))
    #expect(try junit(run(.failed, faults, fired: 3)).contains(line))
  }

  @Test("JUnit tells of each case in the properties of its suite, whether it held or not")
  func properties() throws {
    let faults = [fault("journal dies", "fsync", "sqlite3")]
    for outcome in [CaseResult.Outcome.passed, .failed] {
      let text = try junit(run(outcome, faults, fired: 1))
      #expect(
        text.contains(
          "<property name=\"scenario.chaos: logs in\""
            + " value=\"journal dies fired once (fsync in sqlite3)\"/>"))
      #expect(!text.contains("scenario.limits"))
      #expect(!text.contains("quiet"))
    }
    #expect(try !junit(run(.passed, [])).contains("scenario.chaos"))
  }

  @Test("Of many places the first are reported")
  func places() throws {
    let faults = (1...9).map { fault("journal dies", "fsync", "worker\($0)") }
    #expect(
      try terminal(run(.failed, faults, fired: 9)).contains(
        "chaos: journal dies fired 9 times (fsync in worker1, fsync in worker2,"
          + " fsync in worker3, …)\n"))
  }

  @Test("Limits that were met stand beside them")
  func limits() throws {
    let strikes = [
      LimitFault(
        resource: "memory", limit: 64 << 20, systemCall: "mmap", program: "python3", count: 3),
      LimitFault(resource: "files", limit: 20, systemCall: "openat", program: "cat"),
    ]
    let memory = "limit memory 64MiB reached 3 times, first by mmap in python3"
    let files = "limit files 20 reached once, by openat in cat"

    let run = run(.failed, [], limits: strikes)
    #expect(try terminal(run).contains("\n\(memory)\n\(files)\n"))
    #expect(
      try junit(run).contains(
        "<property name=\"scenario.limits: logs in\" value=\"\(memory); \(files)\"/>"))
    #expect(strikes[1].text == files)
  }
}
