import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("The terminal tells a person how a run goes")
struct TerminalRecorderTests {
  private static let source = """
    name: login
    steps:
      - run: []
    """ + String(repeating: "\n", count: 11) + "    stdout: { contains: \"welcome, ada\" }\n"

  private func text(_ run: SampleRun, usesColour: Bool = false) throws -> String {
    let sink = CollectingSink()
    try run.play(
      to: TerminalRecorder(sink: sink, usesColour: usesColour) { path in
        path == "scenarios/login.yaml" ? Self.source : nil
      })
    #expect(sink.isFinished)
    return sink.text
  }

  @Test("A run that holds is one line per case and the counts")
  func passed() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase("logs in")
    run.addCase("a trial ends", file: "scenarios/date.yaml", virtual: .seconds(1_209_600))
    run.end()

    let text = try text(run)

    #expect(
      text == """
        PASS  [   0.031s] scenarios/login.yaml › logs in
        PASS  [   0.031s real, 14d virtual] scenarios/date.yaml › a trial ends
        2 passed, 0 failed

        """)
  }

  @Test("A failure is shown in full at the end, with the command that reproduces it")
  func failed() throws {
    var run = SampleRun()
    run.addCase(
      "logs in", outcome: .failed, failures: [.wrongOutput], output: "welcome, bob\n")
    run.end()

    let text = try text(run)

    #expect(
      text == """
        FAIL  [   0.031s] scenarios/login.yaml › logs in

        FAIL  scenarios/login.yaml › logs in
        scenarios/login.yaml:14:15: error: stdout: expected to contain "welcome, ada"
           |
        14 |     stdout: { contains: "welcome, ada" }
           |               ^^^^^^^ actual: "welcome, bob"
        --- expected
        +++ actual
        help: correct the greeting
        failed after: 0.000s
        stdout:
          welcome, bob
        reproduce: scenario run scenarios/login.yaml:3 --seed 42

        0 passed, 1 failed

        """)
  }

  @Test("Each outcome has its word and its count")
  func words() throws {
    var run = SampleRun(caseCount: 3)
    run.addCase("stuck", outcome: .errored, failures: [.notReady])
    run.addCase("later", outcome: .skipped)
    run.addCase("unfinished", outcome: nil)
    run.end(interrupted: true)

    let text = try text(run)

    #expect(text.contains("TIMEOUT [   0.031s] scenarios/login.yaml › stuck\n"))
    #expect(text.contains("SKIP  [   0.031s] scenarios/login.yaml › later\n"))
    #expect(text.contains("error: the scenario was interrupted before it finished\n"))
    #expect(
      text.hasSuffix("the run was interrupted\n0 passed, 0 failed, 2 errored, 1 skipped\n"))
  }

  @Test("Cases that end with the same error and nothing else are listed below the first of them")
  func sameErrors() throws {
    var run = SampleRun(caseCount: 5)
    run.addCase("one", outcome: .errored, failures: [.notReady])
    run.addCase("two", outcome: .errored, failures: [.notReady])
    run.addCase("three", outcome: .errored, failures: [.notReady], output: "port in use\n")
    run.addCase("four", outcome: .failed, failures: [.wrongOutput])
    run.addCase("five", outcome: .errored, failures: [.notReady])
    run.end()

    let text = try text(run)

    #expect(
      text.contains(
        """
        reproduce: scenario run scenarios/login.yaml:3 --seed 42
        the same error in 2 other cases:
          scenarios/login.yaml › two
          scenarios/login.yaml › five

        """), "\(text)")
    #expect(text.contains("\nERROR scenarios/login.yaml › three\n"), "\(text)")
    #expect(text.contains("\nFAIL  scenarios/login.yaml › four\n"), "\(text)")
    #expect(!text.contains("\nERROR scenarios/login.yaml › two\n"), "\(text)")
    #expect(text.hasSuffix("0 passed, 1 failed, 4 errored\n"), "\(text)")
  }

  @Test("What failed is never joined, as it says what came in each case")
  func sameFailures() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase("one", outcome: .failed, failures: [.wrongOutput])
    run.addCase("two", outcome: .failed, failures: [.wrongOutput])
    run.end()

    let text = try text(run)

    #expect(text.contains("\nFAIL  scenarios/login.yaml › two\n"), "\(text)")
    #expect(!text.contains("the same error"), "\(text)")
  }

  @Test("Long output is shown by its last lines")
  func tail() throws {
    var run = SampleRun()
    let output = (1...300).map { "line \($0)\n" }.joined()
    run.addCase("talks", outcome: .failed, failures: [.wrongOutput], output: output)
    run.end()

    let text = try text(run)

    #expect(text.contains("stdout, the last 20 lines:\n  line 281\n"))
    #expect(!text.contains("line 280\n"))
    #expect(text.contains("  line 300\n"))
  }

  @Test("Lines that end with CR LF are lines as all others")
  func carriageReturns() throws {
    var run = SampleRun()
    run.addCase(
      "talks", outcome: .failed, failures: [.wrongOutput],
      output: "HTTP/1.1 200 OK\r\nx-a: 1\r\n\r\nbody\r")
    run.end()

    let text = try text(run)

    #expect(text.contains("stdout:\n  HTTP/1.1 200 OK\n  x-a: 1\n  \n  body\n"), "\(text)")
  }

  @Test("Nothing that a target, a file or a name says reaches the terminal as a control sequence")
  func untrusted() throws {
    var run = SampleRun()
    let evil = "\u{1B}]0;owned\u{07}"
    var failure = Failure.wrongOutput
    failure.message = evil
    failure.actual = evil
    failure.details = [evil]
    failure.help = evil
    failure.range?.file = evil
    run.addCase(
      evil, file: evil, outcome: .failed, failures: [failure], warnings: [evil], output: evil,
      errorOutput: evil, directory: evil)
    run.end()

    let text = try text(run)

    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(text.contains("\\x{1B}]0;owned\\x{07}"))
  }

  @Test("The path in the command is quoted where a shell needs it")
  func quoting() throws {
    var run = SampleRun()
    run.addCase("a", file: "my scenarios/it's.yaml", outcome: .failed, failures: [.wrongOutput])
    run.end()

    #expect(
      try text(run).contains("reproduce: scenario run 'my scenarios/it'\\''s.yaml:3' --seed 42"))
  }

  @Test("Colours are there when asked for, and only then")
  func colours() throws {
    var run = SampleRun()
    run.addCase("logs in")
    run.end()

    #expect(try text(run, usesColour: true).hasPrefix("\u{1B}[32mPASS \u{1B}[0m"))
    #expect(try !text(run).contains("\u{1B}"))
  }

  @Test("A terminal that takes no more does not stop the run, and is reported at the end")
  func brokenSink() {
    var run = SampleRun(caseCount: 2)
    run.addCase("one")
    run.addCase("two")
    run.end()
    let sink = FailingSink(after: 1)

    let error = #expect(throws: ReportError.self) {
      try run.play(to: TerminalRecorder(sink: sink, usesColour: false))
    }

    #expect(error == sink.error)
    #expect(sink.attempts == 2)
  }
}
