import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("Runs from JUnit reports of any program")
struct JUnitHistoryTests {
  private func run(_ xml: String) throws -> ReportedRun {
    try #require(try JUnitHistory.run(of: Array(xml.utf8), name: "r.xml"))
  }

  @Test(
    "How cases ended",
    arguments: [
      ("<testcase name='a' classname='c'/>", CaseResult.Outcome.passed, 0),
      ("<testcase name='a' classname='c'><failure message='no'>x</failure></testcase>", .failed, 0),
      ("<testcase name='a' classname='c'><error/></testcase>", .errored, 0),
      ("<testcase name='a' classname='c'><error/><failure/></testcase>", .failed, 0),
      ("<testcase name='a' classname='c'><skipped/></testcase>", .skipped, 0),
      ("<testcase name='a' classname='c' status='notrun'/>", .skipped, 0),
      ("<testcase name='a' classname='c' result='suppressed' status='run'/>", .skipped, 0),
      // Surefire, nextest, and our own
      ("<testcase name='a' classname='c'><flakyFailure message='x'/></testcase>", .passed, 1),
      (
        "<testcase name='a' classname='c'><failure/><rerunFailure/><rerunError/></testcase>",
        .failed, 2
      ),
      // Gradle's retries: the case once more
      (
        "<testcase name='a' classname='c'><failure/></testcase><testcase name='a' classname='c'/>",
        .passed, 1
      ),
      // What is written inside of outputs is none
      (
        "<testcase name='a' classname='c'><system-out><![CDATA[</testcase><failure/>]]></system-out></testcase>",
        .passed, 0
      ),
    ])
  func outcomes(cases: String, outcome: CaseResult.Outcome, attempts: Int) throws {
    let run = try run("<?xml version='1.0'?><testsuite name='s'>\(cases)</testsuite>")
    let found = try #require(run.cases.first)
    #expect(run.cases.count == 1)
    #expect(found.outcome == outcome && found.failedAttempts == attempts)
    #expect(found.place == "c" && found.name == "a")
  }

  @Test("The first line of what was wrong is kept, from the attribute or the text")
  func messages() throws {
    let run = try run(
      """
      <testsuites><testsuite name="s">
      <testcase name="a"><failure message="one &lt;b&gt;&#10;two"/></testcase>
      <testcase name="b"><failure>

        three
      four</failure></testcase>
      <testcase name="c"><error type="T"><![CDATA[five]]></error></testcase>
      </testsuite></testsuites>
      """)
    #expect(run.cases.map(\.message) == ["one <b>", "  three", "five"])
    // Without a class the suite says where a case belongs.
    #expect(run.cases.allSatisfy { $0.place == "s" })
  }

  @Test(
    "Beginning and commit, under the names that tools give them",
    arguments: [
      ("2026-01-02T03:04:05", "git.commit", WallInstant?(WallInstant(seconds: 1_767_323_045))),
      (
        "2026-01-02T03:04:05.250Z", "commit",
        WallInstant(seconds: 1_767_323_045, nanoseconds: 250_000_000)
      ),
      ("2026-01-02T04:04:05+01:00", "GITHUB_SHA", WallInstant(seconds: 1_767_323_045)),
      ("2026-01-02T04:04:05+0100", "vcs.revision", WallInstant(seconds: 1_767_323_045)),
      ("yesterday", "scenario.label.commit", nil),
    ])
  func header(timestamp: String, name: String, begin: WallInstant?) throws {
    let run = try run(
      """
      <testsuites><testsuite name="s" timestamp="\(timestamp)"><properties>
      <property name="\(name)" value="3f2a1b0"/><property name="scenario.label.branch" value="main"/></properties>
      <testcase name="a"><properties><property name="revision" value="other"/></properties></testcase>
      </testsuite></testsuites>
      """)
    #expect(run.begin == begin)
    #expect(run.labels == ["commit": "3f2a1b0", "branch": "main"])
  }

  @Test(
    "A damaged report is told with its line",
    arguments: [
      ("<testsuite>\n<testcase name='a'>\n", 3, "within <testcase>, which begins in line 2"),
      ("<testsuite>\n<testcase name='a'></testsuite>", 2, "does not close an open tag"),
      ("<testsuite>\n<testcase name=a/>", 2, "not in quotes"),
      ("<testsuite>\n\n<testcase name", 3, "has no value"),
      ("<testsuite><testcase name='a\n", 1, "ends within a tag"),
      ("<testsuite>\n<system-out><![CDATA[x\n", 2, "CDATA"),
      ("hello", 1, "no element"),
      ("<", 1, "does not begin a tag"),
    ])
  func damaged(xml: String, line: Int, word: String) {
    let problem = #expect(throws: HistoryProblem.self) {
      try JUnitHistory.run(of: Array(xml.utf8), name: "r.xml")
    }
    #expect(problem?.line == line, "\(String(describing: problem))")
    #expect(problem?.message.contains(word) == true, "\(String(describing: problem))")
  }

  @Test("Other documents are none, and a document type with declarations is passed over")
  func others() throws {
    #expect(try JUnitHistory.run(of: Array("<coverage/>".utf8), name: "c.xml") == nil)
    let run = try run(
      "<!DOCTYPE testsuite [<!ENTITY a \"<b>\"><!ENTITY x SYSTEM \"/etc/passwd\">]><testsuite><testcase name=\"&x;\"/></testsuite>"
    )
    #expect(run.cases.map(\.name) == ["&x;"])
  }

  @Test("Whatever a target prints, our own report is read back with every case")
  func soups() throws {
    for seed in 1..<60 {
      var soup = ByteSoup(seed: UInt64(seed))
      let sample = soup.run()
      let sink = CollectingSink()
      try sample.play(to: JUnitRecorder(sink: sink))
      let run = try run(sink.text)
      #expect(run.cases.count == 7, "seed \(seed): \(run.cases.map(\.name))")
    }
  }

  @Test("Bytes of any kind are a report, none, or a problem with a line, and never trap")
  func nonsense() throws {
    var soup = ByteSoup(seed: 7)
    let parts = [
      "<testsuite>", "</testsuite>", "<testcase name='a'", " time=\"1\"", ">", "/>", "<failure",
      "<![CDATA[",
      "]]>", "<!--", "-->", "<!DOCTYPE [", "<?", "&#x110000;", "&amp",
      "<property name='commit' value='", "'",
    ].map { Array($0.utf8) }
    for seed in 0..<3000 {
      var bytes: [UInt8] = []
      for step in 0..<(seed % 17) {
        bytes += parts[(seed / 17 + step * (seed % 7 + 1)) % parts.count] + soup.bytes()
      }
      do throws(HistoryProblem) {
        _ = try JUnitHistory.run(of: bytes, name: "r.xml")
      } catch {
        #expect((error.line ?? 1) >= 1)
      }
    }
  }

  @Test("Many ampersands are read in a time that grows with their number")
  func ampersands() throws {
    let name = String(repeating: "&", count: 200_000)
    let run = try run("<testsuite><testcase name=\"\(name)\"/></testsuite>")
    #expect(run.cases.first?.name == name)
  }

  @Test(
    "Our own reports of every dialect and the stream of the same run are known as one",
    arguments: JUnitDialect.allCases)
  func own(dialect: JUnitDialect) throws {
    var sample = SampleRun(caseCount: 3)
    let failure = Failure(category: .expectation, type: "expect.stdout", message: "no")
    sample.addCase("holds", index: 0)
    sample.addCase("fails", outcome: .failed, failures: [failure], index: 1)
    sample.addRetriedCase("tried", attempts: [[failure], []], outputs: ["", ""], index: 2)
    sample.end()
    let folder = try TemporaryFolder()
    let stream = "\(folder.path)/r.jsonl"
    try sample.play(to: JSONLinesRecorder(sink: try FileSink(path: stream)))
    let destination: JUnitDestination =
      dialect.needsFolder
      ? .folder(try ReportFolder(path: "\(folder.path)/junit"))
      : .sink(try FileSink(path: "\(folder.path)/junit/r.xml"))
    try sample.play(to: JUnitRecorder(destination: destination, dialect: dialect))
    let path = Command.run("find '\(folder.path)/junit' -type f").output
      .split(separator: "\n").map(String.init)[0]
    let document = try run(try #require(TextFile.read(path)))
    let runs = try EventHistory.runs(at: stream, version: "1.0.0")

    let own = try #require(runs.first)
    #expect(runs.count == 1)
    #expect(own.cases.map(\.outcome) == [.passed, .failed, .passed])
    #expect(own.cases.map(\.failedAttempts) == [0, 0, 1])
    #expect(own.cases.map(\.origin) == document.cases.map(\.origin))
    #expect(own.cases.map(\.name) == document.cases.map(\.name))
    #expect(own.cases.map(\.place) == document.cases.map(\.place))
    #expect(own.cases.map(\.outcome) == document.cases.map(\.outcome))
    // Ant's schema has no word for other attempts.
    if dialect != .ant { #expect(document.cases.map(\.failedAttempts) == [0, 0, 1]) }
    #expect(own.cases.allSatisfy { $0.origin != nil })
    #expect(document.planDigest == own.planDigest)
  }
}
