import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("Each dialect of JUnit XML says what its consumers read")
struct JUnitDialectTests {
  private static var sample: SampleRun {
    var run = SampleRun(caseCount: 6)
    run.addCase("logs in", outcome: .failed, failures: [.wrongOutput], output: "welcome, bob\n")
    run.addCase("boots", outcome: .errored, failures: [.notReady], errorOutput: "no")
    run.addCase("later", outcome: .skipped, index: 2)
    run.addFlakyCase("flaky", output: "ok\n", index: 3)
    run.addRetriedCase(
      "fails thrice", attempts: [[.wrongOutput], [.notReady], [.wrongOutput]],
      outputs: ["one", "two", "three"], index: 4)
    run.addCase("holds", file: "other/date.yaml", output: "hi", index: 5)
    run.end()
    return run
  }

  private func document(_ dialect: JUnitDialect, _ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: JUnitRecorder(sink: sink, dialect: dialect))
    return sink.text
  }

  @Test(
    "Documents are valid against their schemas, and against the one that all share",
    .enabled(if: XMLLint.isAvailable, "xmllint is missing: install libxml2-utils"),
    arguments: [JUnitDialect.jenkins, .ant, .surefire])
  func schemas(dialect: JUnitDialect) throws {
    let folder = try TemporaryFolder()
    let files = try ReportFolder(path: folder.path + "/reports")
    try Self.sample.play(to: JUnitRecorder(destination: .folder(files), dialect: dialect))
    let paths = ["scenarios.login", "other.date"].map { "\(folder.path)/reports/TEST-\($0).xml" }

    #expect(!dialect.schemas.isEmpty)
    for schema in dialect.schemas {
      let result = XMLLint.validate(all: paths, schema: schema)
      #expect(result.status == 0, "\(schema): \(result.output)")
    }
    #expect(XMLLint.count(of: "//testcase", in: paths[0]) == 5)
    #expect(XMLLint.count(of: "//testcase", in: paths[1]) == 1)
    #expect(Command.run("ls -A '\(folder.path)/reports' | wc -l").output == "2\n")
  }

  @Test(
    "The schemas of two dialects have nothing in common, so that neither could stand for the other",
    .enabled(if: XMLLint.isAvailable, "xmllint is missing: install libxml2-utils"))
  func twin() throws {
    let folder = try TemporaryFolder()
    var run = SampleRun()
    run.addCase("holds")
    run.end()
    for dialect in JUnitDialect.allCases {
      let sink = try FileSink(path: "\(folder.path)/\(dialect.rawValue).xml")
      try run.play(to: JUnitRecorder(sink: sink, dialect: dialect))
    }
    func isValid(_ dialect: JUnitDialect, _ schema: String) -> Bool {
      XMLLint.validate("\(folder.path)/\(dialect.rawValue).xml", schema: schema).status == 0
    }

    #expect(!isValid(.extended, "junit-10"))
    #expect(!isValid(.jenkins, "windyroad-JUnit"))
    #expect(!isValid(.jenkins, "surefire-test-report"))
    #expect(!isValid(.ant, "surefire-test-report"))
    #expect(!isValid(.surefire, "windyroad-JUnit"))
  }

  @Test("A case that passed at last tells of the attempts before")
  func flaky() throws {
    var run = SampleRun()
    run.addFlakyCase("flaky", output: "ok", index: 0)
    run.end()
    let text = try document(.jenkins, run)

    #expect(text.contains("tests=\"1\" failures=\"0\" errors=\"0\""))
    #expect(text.contains("<flakyFailure message=\"attempt 1: stdout: expected"))
    #expect(text.contains("<stackTrace>stdout: expected"))
    #expect(text.components(of: "<system-out>ok</system-out>") == 2)
    #expect(text.contains("classname=\"scenarios.login\" time=\"0.062\""))
    #expect(!text.contains("<failure") && !text.contains("rerun"))
  }

  @Test("A case that never passed has one failure, and its other attempts behind it")
  func rerun() throws {
    var run = SampleRun()
    run.addRetriedCase(
      "fails thrice", attempts: [[.notReady], [.wrongOutput], [.wrongOutput]],
      outputs: ["one", "two", "three"])
    run.end()
    let text = try document(.jenkins, run)

    #expect(text.contains("tests=\"1\" failures=\"1\" errors=\"0\""))
    #expect(text.components(of: "<failure ") == 1)
    #expect(text.contains("<rerunFailure message=\"attempt 1: the scenario took longer"))
    #expect(text.contains("<rerunFailure message=\"attempt 3: stdout: expected"))
    #expect(!text.contains("attempt 2:"))
    #expect(text.contains("      <system-out>two</system-out>"))
    #expect(!text.contains("flaky"))
    // What comes last of all is what the case itself has printed.
    #expect(text.components(of: "</rerunFailure>\n      <system-out>two</system-out>\n") == 1)
  }

  @Test("The extended dialect has places at the cases, and only it")
  func extended() throws {
    let place = "file=\"scenarios/login.yaml\" line=\"3\""
    let testCase = "<testcase name=\"logs in\" classname=\"scenarios.login\" time=\"0.031\""

    #expect(try document(.extended, Self.sample).contains("\(testCase) \(place)>"))
    #expect(try document(.jenkins, Self.sample).contains("\(testCase)>"))
  }

  @Test("Ant's dialect has outputs at the suite, under the names of the cases")
  func ant() throws {
    let text = try document(.ant, Self.sample)

    #expect(text.contains("<testsuites>"))
    #expect(text.contains("package=\"scenarios.login\" id=\"0\""))
    #expect(text.contains("<system-out>=== logs in ===\nwelcome, bob\n=== flaky ===\nok\n"))
    #expect(text.contains("<system-err>=== boots ===\nno\n</system-err>"))
    #expect(text.components(of: "<system-out>") == 2)
    #expect(!text.contains("rerunFailure") && !text.contains("flakyFailure"))
  }

  @Test(
    "The dialect follows the system that a run is part of",
    arguments: [
      (["CI": "true"], JUnitDialect.jenkins), ([:], .jenkins), (["GITLAB_CI": "true"], .extended),
      (["CIRCLECI": "true"], .extended), (["BUILDKITE": "true"], .extended),
      (["GITLAB_CI": ""], .jenkins), (["BAZEL_TEST": "1"], .jenkins),
      (["BAZEL_TEST": "1", "XML_OUTPUT_FILE": "x.xml"], .ant),
      (["TEST_TARGET": "//a:b", "XML_OUTPUT_FILE": "x.xml", "CIRCLECI": "true"], .ant),
      (["XML_OUTPUT_FILE": "x.xml"], .jenkins),
    ])
  func automatic(environment: [String: String], dialect: JUnitDialect) {
    #expect(JUnitDialect.automatic(environment: environment) == dialect)
  }

  @Test("Files in a folder never have the same name")
  func fileNames() {
    var names = JUnitFileNames()
    let long = String(repeating: "ä", count: 300)

    #expect(names.name(for: "a.b") == "TEST-a.b.xml")
    #expect(names.name(for: "a.b") == "TEST-a.b-2.xml")
    #expect(names.name(for: "A.b") == "TEST-A.b-3.xml")
    #expect(names.name(for: "x/'\n") == "TEST-x___.xml")
    let first = names.name(for: long)
    #expect(first.utf8.count <= 250)
    #expect(names.name(for: long) != first)
  }

  @Test("A file that cannot be written does not keep the others from being written")
  func brokenFolder() throws {
    let folder = try TemporaryFolder()
    let files = try ReportFolder(path: folder.path)
    #expect(Command.run("mkdir '\(folder.path)/TEST-scenarios.login.xml'").status == 0)
    let recorder = JUnitRecorder(destination: .folder(files), dialect: .surefire)
    for event in Self.sample.events { recorder.record(event) }

    #expect(throws: ReportError.self) { try recorder.finish() }
    #expect(folder.text(of: "TEST-other.date.xml")?.contains("name=\"holds\"") == true)
  }

  @Test("A folder that cannot be made is reported at once")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("", to: "\(folder.path)/file")

    #expect(throws: ReportError.self) { _ = try ReportFolder(path: "\(folder.path)/file/reports") }
    #expect(ReportFolder.isMeant(by: "x/"))
    #expect(ReportFolder.isMeant(by: folder.path))
    #expect(!ReportFolder.isMeant(by: "\(folder.path)/file"))
  }

  @Test("Ten thousand files take no longer than they should")
  func manyFiles() throws {
    var run = SampleRun(caseCount: 10_000)
    for number in 0..<10_000 { run.addCase("n", file: "f/\(number).yaml", index: number) }
    run.end()
    let text = try document(.jenkins, run)

    #expect(text.components(of: "<testsuite ") == 10_000)
  }
}
