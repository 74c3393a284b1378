import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("GitHub is told what failed")
struct GitHubRecorderTests {
  private func reported(_ run: SampleRun) throws -> (commands: String, summary: String) {
    let commands = CollectingSink()
    let summary = CollectingSink()
    try run.play(to: GitHubRecorder(commands: commands, summary: summary))
    return (commands.text, summary.text)
  }

  @Test("Each file has an annotation before any has two, at the line of the failure")
  func annotations() throws {
    var run = SampleRun(caseCount: 4)
    run.addCase("one, a:b", outcome: .failed, failures: [.wrongOutput], index: 0)
    run.addCase("two", outcome: .errored, failures: [.notReady], index: 1)
    var other = Failure.wrongOutput
    other.range = SourceRange(file: "b,c:d%.yaml", line: 2, column: 1)
    other.message = "100% ::error::\nx"
    run.addCase("three", file: "b,c:d%.yaml", outcome: .failed, failures: [other], index: 2)
    run.addCase("four", index: 3)
    run.end()

    let lines = try reported(run).commands.split(separator: "\n")

    #expect(lines.count == 3)
    #expect(
      lines[0].hasPrefix(
        "::error file=scenarios/login.yaml,line=14,col=15,title=one%2C a%3Ab::stdout: expected"))
    #expect(
      lines[1].hasPrefix(
        "::error file=b%2Cc%3Ad%25.yaml,line=2,col=1,title=three::100%25 ::error::%0Ax"))
    #expect(lines[2].contains("title=two::the scenario took longer"))
  }

  @Test("A flaky case is a warning, and a run without bad news says nothing but the counts")
  func flaky() throws {
    var run = SampleRun()
    run.addFlakyCase("sometimes", output: "")
    run.end()
    #expect(try reported(run).commands.hasPrefix("::warning file=scenarios/login.yaml,line=14"))
    #expect(try reported(run).summary.contains("| flaky | sometimes |"))

    var good = SampleRun()
    good.addCase("holds")
    good.end()
    #expect(try reported(good).commands == "")
    #expect(try reported(good).summary == "### scenario: 1 passed, 0 failed\n\n")
  }

  @Test("The summary is a table in which nothing of a text is markup")
  func summary() throws {
    var run = SampleRun()
    var failure = Failure.wrongOutput
    failure.message = "<b>*x* | `y`\n[z](w)"
    run.addCase("a|b", outcome: .failed, failures: [failure])
    run.end()

    let text = try reported(run).summary

    #expect(text.contains("| | Scenario | Place | Message |\n| --- | --- | --- | --- |\n"))
    #expect(
      text.contains(
        "| failed | a\\|b | <code>scenarios/login.yaml:14</code> "
          + "| &lt;b&gt;\\*x\\* \\| \\`y\\` \\[z\\](w)<br><code>scenario run"))
  }

  @Test("Whatever a target prints, each command is a line of its own", arguments: 500..<530)
  func soup(seed: Int) throws {
    var soup = ByteSoup(seed: UInt64(seed))
    let reported = try reported(soup.run())

    for line in reported.commands.split(separator: "\n") {
      #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning "), "\(line)")
    }
    #expect(!reported.commands.contains("\r"))
    for line in reported.summary.split(separator: "\n") {
      #expect(["|", "#", "*", "T"].contains(line.first), "\(line)")
    }
  }

  @Test("Many failures give a bounded number of annotations")
  func many() throws {
    var run = SampleRun(caseCount: 500)
    for number in 0..<500 {
      run.addCase("n\(number)", outcome: .failed, failures: [.wrongOutput], index: number)
    }
    run.end()
    let reported = try reported(run)

    #expect(reported.commands.split(separator: "\n").count == 51)
    #expect(reported.commands.contains("450 more are not shown"))
    #expect(reported.summary.contains("and 300 more"))
  }
}
