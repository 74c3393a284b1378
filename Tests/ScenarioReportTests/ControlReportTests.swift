import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("Reports tell what was under control")
struct ControlReportTests {
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

  private func run(_ outcome: CaseResult.Outcome, account: TimeAccount) -> SampleRun {
    var run = SampleRun()
    let failures: [Failure] = outcome == .failed ? [.wrongOutput] : []
    run.addCase("logs in", outcome: outcome, failures: failures)
    // The account comes before the case's end.
    let end = run.removeLast()
    run.append(.timeAccount(account), scenario: end.scenario)
    run.append(end.kind, scenario: end.scenario)
    run.end()
    return run
  }

  @Test("A case that failed shows the account of its time; one that held does not")
  func account() throws {
    let account = TimeAccount(waits: 2, moves: 2, moved: .seconds(60))
    let line = "\ntime: 2 waits in virtual time, 0 in real time, the clock moved by 1m in 2 steps\n"

    #expect(try terminal(run(.failed, account: account)).contains(line))
    #expect(try !terminal(run(.passed, account: account)).contains("time:"))
    #expect(try !terminal(run(.failed, account: TimeAccount())).contains("time:"))
  }

  @Test("The run tells how many addresses were reached for real, and JUnit tells of each case")
  func reached() throws {
    func run(_ accounts: [NetworkAccount]) -> SampleRun {
      var run = SampleRun()
      for (index, account) in accounts.enumerated() {
        run.addCase("case \(index)")
        let end = run.removeLast()
        run.append(.networkAccount(account), scenario: end.scenario)
        run.append(end.kind, scenario: end.scenario)
      }
      run.end()
      return run
    }
    let offline = NetworkAccount(connections: 2)
    let live = NetworkAccount(reached: ["192.0.2.1:80"], unlisted: 1)

    #expect(
      try terminal(run([offline])).contains(
        "\nnetwork: 2 connections to the mock server, 0 addresses reached for real\n"))
    #expect(
      try terminal(run([offline, live, live])).contains(
        "2 connections to the mock server, 3 addresses reached for real: 192.0.2.1:80, …\n"))
    #expect(try !terminal(run([NetworkAccount()])).contains("network:"))
    let text = try junit(run([offline, live]))
    #expect(text.contains("<property name=\"scenario.network.reached\" value=\"2\"/>"))
    #expect(text.contains("<property name=\"scenario.network.reached: case 1\""))
    #expect(!text.contains("reached: case 0"))
  }

  @Test("A warning stands in the JUnit report before what the target said")
  func warnings() throws {
    var warned = SampleRun()
    warned.addCase("logs in", warnings: ["leaks <stay>"], errorOutput: "hello\n")
    warned.end()
    var plain = SampleRun()
    plain.addCase("logs in", errorOutput: "hello\n")
    plain.end()

    #expect(try junit(warned).contains("warning: leaks &lt;stay&gt;\nhello\n"))
    #expect(try !junit(plain).contains("warning"))
  }
}
