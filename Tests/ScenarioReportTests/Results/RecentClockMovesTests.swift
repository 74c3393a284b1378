import ScenarioEvents
import ScenarioModel
import Testing

@testable import ScenarioReport

@Suite("The last moves of a clock")
struct RecentClockMovesTests {
  private func run(moves: Int, outcome: CaseResult.Outcome) -> SampleRun {
    var run = SampleRun()
    run.addCase("waits", outcome: nil)
    let identifier = run.events.last?.scenario
    for count in 0..<moves {
      run.append(
        .clockMoved(by: .seconds(1 << Int64(count)), reason: "python3 in clock_nanosleep"),
        scenario: identifier)
    }
    if outcome == .failed { run.append(.failed(.wrongOutput), scenario: identifier) }
    run.append(
      .caseFinished(
        CaseResult(
          outcome: outcome, duration: .milliseconds(1), virtualDuration: .seconds(7),
          standardOutput: "", standardError: "", directory: nil)), scenario: identifier)
    run.end()
    return run
  }

  private func terminal(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: TerminalRecorder(sink: sink, usesColour: false))
    return sink.text
  }

  private func junit(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: JUnitRecorder(sink: sink, warn: { _ in }))
    return sink.text
  }

  @Test("A failure shows how time passed, on the terminal and in JUnit XML")
  func shows() throws {
    let run = run(moves: 3, outcome: .failed)
    let expected = """
      time passed:
        +1s  python3 in clock_nanosleep
        +2s  python3 in clock_nanosleep
        +4s  python3 in clock_nanosleep

      """

    #expect(try terminal(run).contains(expected))
    #expect(try junit(run).contains(expected))
  }

  @Test("Of many moves the last ten are shown")
  func bounded() throws {
    let text = try terminal(run(moves: 12, outcome: .failed))

    #expect(text.contains("time passed, the last 10 moves:\n  +4s "))
    #expect(text.contains("  +34m8s"))
    #expect(!text.contains("  +2s "))
  }

  @Test("A case that passed, and one whose clock stood, show nothing of it")
  func quiet() throws {
    let passed = run(moves: 3, outcome: .passed)
    #expect(try !terminal(passed).contains("time passed"))
    #expect(try !junit(passed).contains("time passed"))
    #expect(try !terminal(run(moves: 0, outcome: .failed)).contains("time passed"))
  }
}
