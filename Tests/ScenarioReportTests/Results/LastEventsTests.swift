import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("The last events of a world, in a failure")
struct LastEventsTests {
  private static let moments = [
    WorldMoment(kind: .step, elapsed: .zero, text: "step 1: run"),
    WorldMoment(
      kind: .start, elapsed: .zero, process: 1, program: "bash", text: "runs bash job.sh"),
    WorldMoment(
      kind: .clock, elapsed: .seconds(3600), process: 12, program: "python3",
      text: "time +1s: python3 in clock_nanosleep", count: 3600),
    WorldMoment(
      kind: .end, elapsed: .seconds(3600), process: 1, program: "bash", text: "exits with 3"),
  ]

  private func run(
    _ moments: [WorldMoment]?, outcome: CaseResult.Outcome = .failed, others: [Failure] = [],
    isVirtual: Bool = true
  ) -> SampleRun {
    var run = SampleRun()
    run.addCase("waits", outcome: nil)
    let identifier = run.events.last?.scenario
    func event(_ failure: Failure) -> Event {
      var event = Event(
        realTime: (run.events.last?.realTime ?? .zero) + .milliseconds(125), scenario: identifier,
        kind: .failed(failure))
      if isVirtual {
        event.elapsed = .seconds(3600)
        event.virtualTime = WallInstant(seconds: 1_893_456_000)
      }
      return event
    }
    for failure in others { run.append(event(failure)) }
    if outcome == .failed {
      var failure = Failure.wrongOutput
      failure.lastEvents = moments
      run.append(event(failure))
    }
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

  private func page(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: PageRecorder(sink: sink))
    return sink.text
  }

  @Test("A failure shows when it was and what happened before it, in columns")
  func shows() throws {
    let run = run(Self.moments)
    let expected = """
      failed after: 1h virtual (2030-01-01T00:00:00Z), 0.125s real
      last events:
        +0s                step 1: run
        +0s  [1] bash      runs bash job.sh
        +1h  [12] python3  time +1s: python3 in clock_nanosleep (×3600)
        +1h  [1] bash      exits with 3

      """

    let (terminal, junit) = (try terminal(run), try junit(run))
    #expect(terminal.contains(expected), "\(terminal)")
    #expect(junit.contains(expected), "\(junit)")
    let page = try page(run)
    #expect(page.contains("failed after: 1h virtual"))
    #expect(page.contains("[12] python3  time +1s: python3 in clock_nanosleep (×3600)"))
  }

  @Test("Nothing of it is told of a case that passed")
  func passed() throws {
    let run = run(Self.moments, outcome: .passed)

    for text in [try terminal(run), try junit(run), try page(run)] {
      #expect(!text.contains("last events:") && !text.contains("failed after: "))
    }
  }

  @Test("Where only steps began, and where the clock is real, less is reported")
  func less() throws {
    let text = try terminal(run(Array(Self.moments.prefix(1)), isVirtual: false))

    #expect(text.contains("failed after: 0.125s\n"), "\(text)")
    #expect(!text.contains("last events:"))
  }

  @Test("A failure before which nothing new had happened shows what the one before it does")
  func shared() throws {
    var first = Failure(category: .error, type: "Timeout", message: "too late")
    first.lastEvents = Self.moments
    let text = try terminal(run(nil, others: [first]))

    #expect(text.contains("exits with 3"), "\(text)")
    #expect(try terminal(run(nil)).contains("last events:") == false)
  }

  @Test("Times that somebody asked for are exact, what passed by chance is not")
  func times() {
    #expect(LastEvents.time(.milliseconds(1500)) == "+1.5s")
    #expect(LastEvents.time(Nanoseconds(1_500_250_000)) == "+1.50025s")
    #expect(LastEvents.time(Nanoseconds(125_397_768)) == "+125ms")
    #expect(LastEvents.time(.zero) == "+0s")
    // Beside one that passed by chance, all have its precision, lest they seem to go back.
    let lines = LastEvents.lines(
      [1_531_012_000, 1_531_012_345, 1_532_012_000].map {
        WorldMoment(kind: .clock, elapsed: Nanoseconds($0), text: "time")
      })
    #expect(
      lines.dropFirst().map { $0.split(separator: " ").first } == ["+1.531s", "+1.531s", "+1.532s"])
  }
}
