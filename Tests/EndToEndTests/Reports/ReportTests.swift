import Glibc
import Testing

@Suite("Reports")
struct ReportTests {
  private static let text = """
    version: 2
    target: { command: "echo hi; echo no >&2" }
    scenarios:
      - { name: holds, expect: { stdout: "hi\\n" } }
      - { name: fails, expect: { stdout: "ho\\n" } }
      - { name: later, skip: not yet }
    """
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.write(Self.text, to: "three.yaml")
  }

  private func run(
    _ options: [String], environment: [String] = []
  ) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(["run", path] + options, prefix: ["env"] + environment)
  }

  private func report(_ name: String) -> String {
    TemporaryFolder.read("\(folder.path)/\(name)") ?? ""
  }

  @Test("The dialect follows the environment, unless the command line says")
  func dialects() throws {
    let report = ["--report", "junit=\(folder.path)/r.xml"]
    func document(_ options: [String], _ environment: [String] = []) throws -> String {
      let outcome = try run(report + options, environment: environment)
      outcome.expectExit(1)
      return self.report("r.xml")
    }

    #expect(try !document([]).contains(" line="))
    #expect(try document([], ["GITLAB_CI=true"]).contains("\" line=\"4\""))
    #expect(try !document(["--junit-dialect", "jenkins"], ["GITLAB_CI=true"]).contains(" line="))
    #expect(try document(["--junit-dialect", "ant"]).contains("<testsuites>"))
    #expect(
      try document([], ["BAZEL_TEST=1", "XML_OUTPUT_FILE=\(folder.path)/x"]).contains(
        "<testsuites>"))
  }

  @Test("Surefire's dialect writes a file for each scenario file, and needs a folder")
  func surefire() throws {
    let refused = try run(
      ["--report", "junit=\(folder.path)/r.xml", "--junit-dialect", "surefire"])
    refused.expectExit(2)
    #expect(refused.errorOutput.contains("--report junit=\(folder.path)/r.xml/"))

    let outcome = try run(
      ["--report", "junit=\(folder.path)/", "--junit-dialect", "surefire"])
    outcome.expectExit(1)
    let name = try #require(TemporaryFolder.names(folder.path).first { $0.hasPrefix("TEST-") })
    #expect(report(name).contains("<testsuite name="))
    #expect(name.hasSuffix(".three.xml"))
  }

  @Test("An unknown dialect and an unknown report are reported with what there is")
  func unknown() throws {
    let dialect = try run(["--junit-dialect", "maven"])
    dialect.expectExit(2)
    #expect(dialect.text.contains("auto, jenkins, ant, surefire, extended"), "\(dialect.text)")
    let format = try run(["--report", "xml=r"])
    format.expectExit(2)
    #expect(format.text.contains("\"xml\" is not a report"), "\(format.text)")
    try run(["--report", "junit"]).expectExit(2)
    try run(["--report", "junit=-"]).expectExit(2)
  }

  @Test("A report on standard output has it alone: the rest goes to standard error")
  func standardOutput() throws {
    let tap = try run(["--report", "tap=-"])
    tap.expectExit(1)
    #expect(tap.output.hasPrefix("TAP version 14\n1..3\nok 1 - "), "\(tap.output)")
    #expect(tap.output.contains("› later # SKIP not yet\n"))
    #expect(tap.errorOutput.contains("1 passed, 1 failed, 1 skipped"))

    let lines = try run(["--report", "jsonl"])
    #expect(lines.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"") })
    #expect(lines.output.contains("runFinished"))

    let both = try run(["--report", "jsonl", "--report", "tap=-"])
    both.expectExit(2)
    #expect(both.errorOutput.contains("two reports write to standard output"))
  }

  @Test("GitHub gets annotations, and a summary where it says")
  func gitHub() throws {
    folder.write("before\n", to: "summary.md")
    let outcome = try run(
      ["--report", "github"], environment: ["GITHUB_STEP_SUMMARY=\(folder.path)/summary.md"])

    outcome.expectExit(1)
    #expect(outcome.output.hasPrefix("::error file=\(path),line=5,"), "\(outcome.output)")
    #expect(report("summary.md").hasPrefix("before\n### scenario: 1 passed, 1 failed, 1 skipped"))
    #expect(try run(["--report", "github"]).output.hasPrefix("::error "))
  }

  @Test("An event stream becomes the reports that the run would have written")
  func convert() throws {
    let outcome = try run([
      "--report", "jsonl=\(folder.path)/e.jsonl", "--report", "junit=\(folder.path)/one.xml",
      "--report", "ctrf=\(folder.path)/one.json", "--report", "tap=\(folder.path)/one.tap",
    ])
    outcome.expectExit(1)
    let again = try BuiltRunner.run([
      "report", "convert", "\(folder.path)/e.jsonl", "--report", "junit=\(folder.path)/two.xml",
      "--junit-dialect", "jenkins",
      "--report", "ctrf=\(folder.path)/two.json", "--report", "tap=\(folder.path)/two.tap",
    ])
    again.expectExit(1)
    for name in ["xml", "json", "tap"] {
      #expect(!report("one.\(name)").isEmpty)
      #expect(report("one.\(name)") == report("two.\(name)"))
    }
    let shown = try BuiltRunner.run(["report", "show", "\(folder.path)/e.jsonl"])
    shown.expectExit(1)
    #expect(shown.output == outcome.output)
  }

  /// Converts the first events of a run of one case at a time: those before the first that holds `text`, and
  /// half of that one.
  private func convertStream(cutBefore text: String) throws -> BuiltRunner.Outcome {
    _ = try run(["-j1", "--report", "jsonl=\(folder.path)/e.jsonl"])
    let lines = report("e.jsonl").split(separator: "\n")
    let index = try #require(lines.firstIndex { $0.contains(text) })
    let half = lines[index].prefix(lines[index].count / 2)
    folder.write((lines[..<index] + [half]).joined(separator: "\n"), to: "cut.jsonl")
    return try BuiltRunner.run([
      "report", "convert", "\(folder.path)/cut.jsonl", "--report", "junit=\(folder.path)/c.xml",
    ])
  }

  @Test(
    "A stream that is cut off gives what it has, and is no success",
    arguments: [("\"name\":\"fails\"", 3), ("\"event\":\"runFinished\"", 1)])
  func cutStream(text: String, code: Int32) throws {
    let cut = try convertStream(cutBefore: text)

    #expect(cut.exitCode == code, "\(cut.text)")
    #expect(cut.errorOutput.contains("is cut off and was skipped"), "\(cut.text)")
    #expect(report("c.xml").contains("name=\"holds\""))
    #expect(report("c.xml").contains("name=\"fails\"") == (code == 1))
    #expect(report("c.xml").contains("the run did not finish"))
  }

  @Test("A stream that is none is refused, and so is a report of nothing")
  func strangeStream() throws {
    _ = try run(["--report", "jsonl=\(folder.path)/e.jsonl"])
    let whole = report("e.jsonl")
    folder.write("{\"event\":\"surprise\"}\n\(whole)", to: "bad.jsonl")
    let bad = try BuiltRunner.run(["report", "show", "\(folder.path)/bad.jsonl"])
    bad.expectExit(2)
    #expect(bad.errorOutput.contains("line 1 of"))
    try BuiltRunner.run(["report", "show", "\(folder.path)/none"]).expectExit(2)
    try BuiltRunner.run(["report", "convert", "\(folder.path)/e.jsonl"]).expectExit(2)
  }

  @Test("A runner that is killed leaves an event stream of whole lines")
  func killed() throws {
    let text = """
      version: 2
      target: { command: "echo ready; exec sleep 100" }
      clock: { flow: real }
      """
    let path = folder.write(text, to: "long.yaml")
    let stream = "\(folder.path)/e.jsonl"
    let running = try BuiltRunner.start(["run", path, "--report", "jsonl=\(stream)"])
    try running.await("begun a case") {
      (TemporaryFolder.read(stream) ?? "").contains("caseStarted")
    }
    kill(running.process, SIGKILL)
    _ = running.wait()

    #expect(report("e.jsonl").hasSuffix("}\n"))
    let shown = try BuiltRunner.run(["report", "show", stream])
    shown.expectExit(3)
    #expect(shown.output.contains("the scenario was interrupted before it finished"))
    #expect(shown.output.contains("the run did not finish: 0 of 1 case ended"))
  }

  @Test("A report that cannot be written is reported, and the others stand")
  func full() throws {
    let outcome = try run([
      "--report", "tap=\(folder.path)/t", "--report", "ctrf=\(folder.path)/three.yaml/c",
    ])
    outcome.expectExit(3)
    #expect(outcome.errorOutput.contains("error[E111]: the report \""))

    let summary = try run(
      ["--report", "github", "--report", "tap=\(folder.path)/t"],
      environment: ["GITHUB_STEP_SUMMARY=\(folder.path)"])
    summary.expectExit(1)
    #expect(summary.errorOutput.contains("error[E111]"), "\(summary.text)")
    #expect(report("t").hasPrefix("TAP version 14\n"))
  }
}
