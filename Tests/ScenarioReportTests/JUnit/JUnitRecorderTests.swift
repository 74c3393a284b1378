import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("JUnit XML says what the run was")
struct JUnitRecorderTests {
  private func document(_ run: SampleRun, warn: @escaping (String) -> Void = { _ in }) throws
    -> String
  {
    let sink = CollectingSink()
    try run.play(to: JUnitRecorder(sink: sink, warn: warn))
    #expect(sink.isFinished)
    return sink.text
  }

  @Test("Cases stand in the plan's order, in whatever order they ran")
  func planOrder() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase("second", index: 1)
    run.addCase("first", index: 0)
    run.end()

    let text = try document(run)
    let names = text.split(separator: "\n").compactMap {
      $0.split(separator: "testcase name=\"").last
    }
    let order = names.compactMap { $0.split(separator: "\"").first }.filter {
      ["first", "second"].contains($0)
    }
    #expect(order == ["first", "second"])
  }

  @Test("A small run, word for word")
  func small() throws {
    var run = SampleRun(caseCount: 3)
    run.addCase("logs in", outcome: .failed, failures: [.wrongOutput], output: "welcome, bob\n")
    run.addCase("later", outcome: .skipped)
    run.addCase("a trial ends", file: "./tests/e2e/date.yaml")
    run.end()

    #expect(
      try document(run) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="scenario" tests="3" failures="1" errors="0" time="0.093">
          <testsuite name="scenarios/login.yaml" id="0" file="scenarios/login.yaml" \
        timestamp="2026-01-02T03:04:05" hostname="ci-1" tests="2" failures="1" errors="0" \
        skipped="1" time="0.062">
            <properties>
              <property name="scenario.seed" value="42"/>
              <property name="scenario.started" value="2026-01-02T03:04:05Z"/>
              <property name="scenario.version" value="1.0.0"/>
              <property name="scenario.plan.sha256" value="ab12"/>
            </properties>
            <testcase name="logs in" classname="scenarios.login" time="0.031">
              <failure message="stdout: expected to contain &quot;welcome, ada&quot; \
        (scenarios/login.yaml:14)" type="expect.stdout">stdout: expected to contain "welcome, ada"
          --&gt; scenarios/login.yaml:14:15
        actual: "welcome, bob"
        --- expected
        +++ actual
        help: correct the greeting
        failed after: 0.000s
            at scenarios.Scenario.login(login.yaml:14)
        reproduce: scenario run scenarios/login.yaml:3 --seed 42
        failed at: scenarios/login.yaml:14</failure>
              <system-out>welcome, bob
        </system-out>
            </testcase>
            <testcase name="later" classname="scenarios.login" time="0.031">
              <skipped message="not run"/>
            </testcase>
          </testsuite>
          <testsuite name="./tests/e2e/date.yaml" id="1" file="./tests/e2e/date.yaml" \
        timestamp="2026-01-02T03:04:05" hostname="ci-1" tests="1" failures="0" errors="0" \
        skipped="0" time="0.031">
            <properties>
              <property name="scenario.seed" value="42"/>
              <property name="scenario.started" value="2026-01-02T03:04:05Z"/>
              <property name="scenario.version" value="1.0.0"/>
              <property name="scenario.plan.sha256" value="ab12"/>
            </properties>
            <testcase name="a trial ends" classname="tests.e2e.date" time="0.031">
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("All failures of a case stand in one element, expectations before errors")
  func oneElement() throws {
    var run = SampleRun()
    run.addCase("both", outcome: .failed, failures: [.notReady, .wrongOutput, .notReady])
    run.end()

    let text = try document(run)

    #expect(text.components(of: "<failure") == 1)
    #expect(text.components(of: "<error") == 0)
    #expect(text.contains("type=\"expect.stdout\">stdout: expected"))
    #expect(text.contains("also failed (2 more): the scenario took longer than 10s"))
    #expect(text.components(of: "also failed: ") == 1)
  }

  @Test("A case that began and did not end is interrupted")
  func interrupted() throws {
    var run = SampleRun()
    run.addCase("goes on", outcome: nil)

    let text = try document(run)

    #expect(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(text.contains("type=\"Interrupted\""))
  }

  @Test("Bad news that belongs to no case is a case of its own")
  func runFailure() throws {
    var run = SampleRun()
    run.addCase("holds")
    run.append(.failed(.notReady))
    run.end()

    let text = try document(run)

    #expect(text.contains("tests=\"2\" failures=\"0\" errors=\"1\""))
    #expect(text.contains("<testcase name=\"the run\" classname=\"scenario.Run\""))
  }

  @Test("Names are unique within a class")
  func uniqueNames() throws {
    var run = SampleRun(caseCount: 3)
    run.addCase("same", file: "a/x.yaml")
    run.addCase("same", file: "a/x.yml")
    run.addCase("same", file: "a/y.yaml")
    run.end()

    let text = try document(run)

    #expect(text.components(of: "name=\"same\" classname=\"a.x\"") == 1)
    #expect(text.components(of: "name=\"same #2\" classname=\"a.x\"") == 1)
    #expect(text.components(of: "name=\"same\" classname=\"a.y\"") == 1)
  }

  @Test(
    "A type is never a word that a consumer casts to",
    arguments: [
      ("yaml", "scenario.yaml"), ("", "scenario.failure"), ("expect.stdout", "expect.stdout"),
      ("Timeout", "Timeout"),
    ])
  func types(type: String, expected: String) {
    #expect(JUnitNames.type(type) == expected)
  }

  @Test(
    "The class name is the path without its extension",
    arguments: [
      ("a/b/c.yaml", "a.b.c"), ("./c.yml", "c"), ("/abs/c.yaml", "abs.c"), ("../c", "c"),
      ("", "scenario"), ("a/.hidden", "a..hidden"),
    ])
  func classNames(file: String, expected: String) {
    #expect(JUnitNames.className(file: file) == expected)
  }

  @Test("An output is cut to 1 MiB, and the note says where the whole is")
  func cap() throws {
    var run = SampleRun()
    let output = String(repeating: "x", count: 5_000_000)
    run.addCase("talks", output: output, directory: "/tmp/case")
    run.end()

    let text = try document(run)

    #expect(text.utf8.count < 1_100_000)
    #expect(text.contains("x\n…[3951424 bytes omitted, full text in /tmp/case]…\nx"))
  }

  @Test("A report that would be too large keeps less of each output, and says so")
  func budget() throws {
    var warnings: [String] = []
    var run = SampleRun(caseCount: 20)
    // Five bytes each in XML: the limit must hold for the file, not only for the text in it.
    let output = String(repeating: "&", count: 1_048_576)
    for number in 0..<20 { run.addCase("case \(number)", output: output, errorOutput: output) }
    run.end()

    let text = try document(run) { warnings.append($0) }

    #expect(text.utf8.count <= 30_000_000)
    #expect(text.utf8.count > 7_000_000)
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("keeps only") ?? false)
  }

  @Test("A small report gives no warning")
  func noWarning() throws {
    var run = SampleRun()
    run.addCase("holds", output: "hi")
    run.end()

    _ = try document(run) { Issue.record("unexpected warning: \($0)") }
  }
}

extension String {
  /// How often `part` stands in the text.
  func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
