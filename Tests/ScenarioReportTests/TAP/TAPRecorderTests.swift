import ScenarioEvents
import ScenarioReport
import Testing

@Suite("TAP says what the run was")
struct TAPRecorderTests {
  private func document(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: CaseListRecorder(.tap, sink: sink))
    return sink.text
  }

  @Test("A small run, word for word")
  func small() throws {
    var run = SampleRun(caseCount: 4)
    run.addCase("a # b\\c\nd", index: 0)
    run.addCase("later", outcome: .skipped, warnings: ["not\nyet"], index: 1)
    run.addFlakyCase("flaky", output: "", index: 2)
    run.addCase(
      "logs in", outcome: .failed, failures: [.wrongOutput], output: "bob \u{1B}[1m\"x\"\n",
      index: 3)
    run.end()

    let text = try document(run)

    #expect(
      text.hasPrefix(
        """
        TAP version 14
        1..4
        ok 1 - scenarios/login.yaml › a \\# b\\\\c d
        ok 2 - scenarios/login.yaml › later # SKIP not yet
        ok 3 - scenarios/login.yaml › flaky
          ---
          attempts: 2
          flaky: true
          earlier_attempts:
            - outcome: "failed"
              duration_ms: 31
              message: "stdout: expected to contain \\"welcome, ada\\""
          ...
        not ok 4 - scenarios/login.yaml › logs in
          ---
          message: "stdout: expected to contain \\"welcome, ada\\""
          type: "expect.stdout"
          severity: "fail"
          at:
            file: "scenarios/login.yaml"
            line: 14
          duration_ms: 31

        """), "\(text)")
    #expect(text.contains("  stdout: \"bob \\\"x\\\"\\n\"\n"))
    #expect(text.hasSuffix("  ...\n"))
  }

  @Test("What a case has captured and left stands in its block, whether it holds or not")
  func findings() throws {
    for outcome in [CaseResult.Outcome.passed, .failed] {
      var run = SampleRun()
      run.addCase(
        "n", outcome: outcome, failures: outcome == .failed ? [.wrongOutput] : [],
        attachments: ["/x/a \"b\".log"], captures: [("port", "1"), ("port", "8080")])
      run.end()

      let text = try document(run)

      #expect(
        text.contains(
          """
            captures:
              "port": "8080"
            attachments:
              - {kind: "file", path: "/x/a \\"b\\".log"}

          """), "\(text)")
    }
  }

  @Test("What ends a line for readers of YAML 1.1 alone is escaped")
  func lineSeparators() throws {
    var run = SampleRun()
    run.addCase(
      "a", outcome: .failed, failures: [.wrongOutput], output: "a\u{85}b\u{2028}c\u{2029}", index: 0
    )
    run.end()

    #expect(try document(run).contains("  stdout: \"a\\u0085b\\u2028c\\u2029\"\n"))
  }

  @Test("What was planned and did not begin is missing, and an interrupted run bails out")
  func interrupted() throws {
    var run = SampleRun(caseCount: 3)
    run.addCase("holds")
    run.end(interrupted: true)

    let text = try document(run)

    #expect(text.contains("1..3\nok 1 -"))
    #expect(text.hasSuffix("Bail out! the run was interrupted\n"))
  }

  @Test("Bad news that belongs to no case is a test that failed")
  func runFailure() throws {
    var run = SampleRun()
    run.addCase("holds")
    run.append(.failed(.notReady))
    run.end()

    let text = try document(run)

    #expect(text.contains("1..2\n"))
    #expect(text.contains("not ok 2 - the run\n  ---\n  message: \"the scenario took"))
  }

  @Test("Whatever a target prints, no line of the protocol is its own", arguments: 300..<330)
  func soup(seed: Int) throws {
    var soup = ByteSoup(seed: UInt64(seed))
    let text = try document(soup.run())
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)

    for line in lines.dropLast() {
      let isOwn = ["ok ", "not ok ", "  ", "TAP version 14", "1..", "Bail out!"].contains {
        line.hasPrefix($0)
      }
      #expect(isOwn, "\(line)")
    }
    #expect(lines.count { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") } == 8)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
  }
}
