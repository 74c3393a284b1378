import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("The exit code tells which kind of bad news it is")
struct ExitCodeTests {
  @Test("A run in which everything holds is 0")
  func passed() {
    var run = SampleRun()
    run.addCase("holds")
    run.end()

    #expect(run.counter.exitCode == .passed)
    #expect(run.counter.summary == "1 passed, 0 failed")
  }

  @Test("A false expectation is 1, also beside errors")
  func failed() {
    var run = SampleRun(caseCount: 3)
    run.addCase("holds")
    run.addCase("is wrong", outcome: .failed, failures: [.wrongOutput])
    run.addCase("is stuck", outcome: .errored, failures: [.notReady])
    run.end()

    #expect(run.counter.exitCode == .failed)
    #expect(run.counter.summary == "1 passed, 1 failed, 1 errored")
  }

  @Test("A case with both kinds of bad news counts as failed, whatever its result says")
  func both() {
    var run = SampleRun()
    run.addCase("both", outcome: .errored, failures: [.notReady, .wrongOutput])
    run.end()

    #expect(run.counter.exitCode == .failed)
    #expect(run.counter.count(.errored) == 0)
  }

  @Test(
    "Where nothing can be judged, a false expectation decides nothing, and is reported behind the reason",
    arguments: [Failure.unknownCrash, Failure.outOfReach, Failure.exhausted])
  func unjudged(type: String) throws {
    var reason = Failure.notReady
    reason.type = type
    reason.lastEvents = [WorldMoment(kind: .escape, elapsed: .zero, text: "the first event")]
    var expectation = Failure.wrongOutput
    expectation.lastEvents = [WorldMoment(kind: .end, elapsed: .zero, text: "a later event")]
    var run = SampleRun()
    run.addCase("both", outcome: .errored, failures: [reason, expectation])
    run.end()
    let sink = CollectingSink()
    try run.play(to: TerminalRecorder(sink: sink, usesColour: false))

    #expect(run.counter.exitCode == .undecided)
    #expect(run.counter.count(.failed) == 0)
    let parts = sink.text.split(separator: reason.message)
    #expect(parts.count > 1 && !parts[0].contains(expectation.message), "\(sink.text)")
    #expect(sink.text.contains(expectation.message))
    #expect(sink.text.contains("the first event") && !sink.text.contains("a later event"))
  }

  @Test("Errors alone are 3")
  func undecided() {
    var run = SampleRun()
    run.addCase("is stuck", outcome: .errored, failures: [.notReady])
    run.end()

    #expect(run.counter.exitCode == .undecided)
  }

  @Test("A failure that belongs to no case is not forgotten")
  func runFailure() {
    var run = SampleRun()
    run.addCase("holds")
    run.append(.failed(.notReady))
    run.end()

    #expect(run.counter.exitCode == .undecided)
  }

  @Test("A case that began and did not end is undecided")
  func unfinished() {
    var run = SampleRun()
    run.addCase("goes on", outcome: nil)

    #expect(run.counter.exitCode == .undecided)
    #expect(run.counter.summary == "0 passed, 0 failed, 1 errored")
  }

  @Test("A case that was planned and never began is undecided")
  func missing() {
    var run = SampleRun(caseCount: 2)
    run.addCase("holds")
    run.end()

    #expect(run.counter.exitCode == .undecided)
  }

  @Test("A result of passed does not hide a failure")
  func contradiction() {
    var run = SampleRun()
    run.addCase("is wrong", outcome: .passed, failures: [.wrongOutput])
    run.end()

    #expect(run.counter.exitCode == .failed)
  }

  @Test("Nothing selected is 4")
  func nothing() {
    var run = SampleRun(caseCount: 0)
    run.end()

    #expect(run.counter.exitCode == .nothingSelected)
  }

  @Test("The numbers are the documented ones")
  func numbers() {
    #expect(
      ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 70, 124, 129, 130, 131, 143])
  }
}
