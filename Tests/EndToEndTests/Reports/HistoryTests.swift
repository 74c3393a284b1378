import Glibc
import Testing

@Suite("The history of kept reports")
struct HistoryTests {
  private let project: ProjectFolder

  init() throws {
    project = try ProjectFolder()
    try project.write("0\n", to: "count")
  }

  /// A program that counts its starts in a file of the project, and fails at those that leave `rest` behind a
  /// division by two; 2 is left by none.
  private func scenario(failsAt rest: Int) -> String {
    """
    version: 2
    target:
      command: 'n=$(($(cat "$COUNT") + 1)); echo $n > "$COUNT"; [ $((n % 2)) -ne \(rest) ]'
      env: { COUNT: '\(project.path)/count' }
    scenarios:
      - { name: counts, expect: { exit: 0 } }
      - { name: holds, target: { command: "true" }, expect: { exit: 0 } }

    """
  }

  /// Runs five times, with a report of each.
  private func runFive(
    failsAt rest: Int, format: String = "jsonl",
    _ options: [String] = ["--label", "commit=3f2a1b0"],
    variables: [String] = []
  ) throws {
    try project.write(scenario(failsAt: rest), to: "s.yaml")
    for number in 1...5 {
      let outcome = try project.scenario(
        ["run", "s.yaml", "--report", "\(format)=kept/run-\(number).\(format)"] + options,
        variables: variables)
      #expect(outcome.exitCode == (number % 2 == rest ? 1 : 0), "\(outcome.text)")
    }
  }

  private func history(_ arguments: [String]) throws -> BuiltRunner.Outcome {
    try project.scenario(["history"] + arguments)
  }

  @Test(
    "A program that fails at every second start is flaky in two of five runs, and its twin is not")
  func flaky() throws {
    try runFive(failsAt: 0)
    let outcome = try history(["kept", "--fail-on", "flaky", "--report", "html=h.html"])
    outcome.expectExit(1)
    #expect(outcome.output.hasPrefix("5 runs, 2 cases, 1 flaky\n"), "\(outcome.text)")
    #expect(
      outcome.output.contains("\n   40%      2     5  .F.F.      s.yaml › counts\n"),
      "\(outcome.text)")
    #expect(outcome.output.contains("3f2a1b0"), "\(outcome.text)")
    let page = try #require(project.read("h.html"))
    #expect(page.contains(">40%</td>") && page.contains("Flaky (1)"))

    // The twin: nothing fails.
    try project.write("0\n", to: "count")
    try runFive(failsAt: 2)
    let twin = try history(["kept", "--fail-on", "flaky", "--fail-on", "failing"])
    twin.expectExit(0)
    #expect(twin.output.hasPrefix("5 runs, 2 cases\n"), "\(twin.text)")
    #expect(!twin.output.contains("flaky"), "\(twin.text)")
  }

  @Test("JUnit reports say the same, the commit by a variable of the CI system")
  func junit() throws {
    try runFive(
      failsAt: 0, format: "junit", [],
      variables: ["GITHUB_SHA=0123456789abcdef0123456789abcdef01234567"])
    for number in 1...5 {
      try project.write(
        try #require(project.read("kept/run-\(number).junit")), to: "junit/run-\(number).xml")
    }
    let outcome = try history(["junit/*.xml"])
    #expect(
      outcome.output.contains("40%      2     5  .F.F.      s.yaml › counts\n"), "\(outcome.text)")
    #expect(outcome.output.contains("  0123456789ab  "), "\(outcome.text)")
    // Of different commits, nothing but a retry is flaky: the last run has mended what the fourth broke.
    for number in 1...5 {
      let text = try #require(project.read("junit/run-\(number).xml"))
      try project.write(
        text.replacing("0123456789abcdef0123456789abcdef01234567", with: "\(number)000000"),
        to: "junit/run-\(number).xml")
    }
    let mended = try history(["junit"])
    #expect(mended.output.hasPrefix("5 runs, 2 cases, 1 fixed\n"), "\(mended.text)")
    let broken = try history(["junit/run-[1-4].xml", "--fail-on", "new"])
    broken.expectExit(1)
    #expect(broken.output.contains("4000000  "), "\(broken.text)")
    #expect(broken.output.contains("new failures (1)"), "\(broken.text)")
  }

  @Test("A run that wrote both reports counts once, and a retry that makes good is flaky")
  func both() throws {
    try project.write(scenario(failsAt: 1), to: "s.yaml")
    let run = try project.scenario([
      "run", "s.yaml", "--retries", "1", "--report", "jsonl=kept/a.jsonl", "--report",
      "junit=kept/a.xml",
    ])
    run.expectExit(0)
    let outcome = try history(["kept", "--format", "json"])
    outcome.expectExit(0)
    #expect(
      outcome.output.contains("\"flakyRate\": 1.0") || outcome.output.contains("\"flakyRate\": 1,"),
      "\(outcome.text)")
    #expect(outcome.output.components(of: "\"report\": ") == 1, "\(outcome.text)")
  }

  @Test(
    "Runs stand as they say, as people count, or as they are named; folders make one where that is wanted"
  )
  func order() throws {
    func write(_ name: String, _ outcome: String, timestamp: String = "") throws {
      let time = timestamp.isEmpty ? "" : " timestamp=\"\(timestamp)\""
      try project.write(
        "<testsuite\(time)><testcase classname=\"c\" name=\"\(name.contains("b.xml") ? "b" : "a")\">\(outcome)</testcase></testsuite>",
        to: name)
    }
    func dots(_ arguments: [String]) throws -> String {
      let printed = try history(arguments + ["--format", "json"])
      printed.expectExit(0)
      let words = printed.output.split(separator: "\n").filter { $0.contains("\"outcome\": ") }
      return words.map { $0.contains("passed") ? "." : "F" }.joined()
    }
    try write("plain/run-2.xml", "")
    try write("plain/run-10.xml", "<failure/>")
    #expect(try dots(["plain"]) == ".F")
    #expect(try dots(["plain/run-*.xml"]) == ".F")
    #expect(try dots(["plain/run-10.xml", "plain/run-2.xml"]) == "F.")
    // What is named twice counts once.
    #expect(try dots(["plain", "./plain/run-10.xml", "plain/run-*.xml"]) == ".F")
    try write("plain/run-2.xml", "", timestamp: "2026-01-02T00:00:00")
    try write("plain/run-10.xml", "<failure/>", timestamp: "2026-01-01T00:00:00+00:00")
    #expect(try dots(["plain"]) == "F.")
    #expect(try dots(["plain", "--sort-by", "given"]) == ".F")
    #expect(try dots(["plain", "--last", "1"]) == ".")
    // Without a commit nothing is flaky, unless the caller knows that nothing has changed.
    try history(["plain", "--fail-on", "flaky"]).expectExit(0)
    try history(["plain", "--fail-on", "flaky", "--one-version"]).expectExit(1)

    for folder in ["one", "two"] {
      try write("suites/\(folder)/a.xml", "")
      try write("suites/\(folder)/b.xml", "")
    }
    #expect(try history(["suites"]).output.hasPrefix("4 runs, 2 cases\n"))
    let grouped = try history(["suites", "--run-per", "folder"])
    #expect(grouped.output.hasPrefix("2 runs, 2 cases\n"), "\(grouped.text)")
    #expect(grouped.output.contains("suites/two"), "\(grouped.text)")
    let short = try history(["suites", "--top", "1"])
    #expect(short.output.contains("runs (1 of 4)"), "\(short.text)")
  }

  @Test("A stock validator takes what is printed for programs, and refuses what is not")
  func schema() throws {
    let python = "\(BuiltRunner.root)/.build/python/bin/python"
    try #require(access(python, X_OK) == 0, "run Tests/install-dependencies.sh test")
    func report(_ outcomes: [String], _ number: Int) throws {
      let cases = outcomes.enumerated().map { index, outcome in
        "<testcase classname=\"c\" name=\"\(index)\" time=\"0.\(number)\">\(outcome)</testcase>"
      }
      try project.write(
        "<testsuite timestamp=\"2026-01-01T00:00:\(number + 10)\">"
          + "<properties><property name=\"commit\" value=\"\((number + 3) / 4)\"/></properties>"
          + cases.joined() + "</testsuite>", to: "many/\(number).xml")
    }
    for number in 1...12 {
      try report(
        [
          "", number > 8 ? "<failure message=\"m\"/>" : "", "<error/>", "<skipped/>",
          number % 2 == 0 ? "<failure/>" : "", number == 11 ? "<failure/>" : "",
          number == 5 ? "<flakyFailure/>" : "",
        ], number)
    }
    try runFive(failsAt: 0)
    let printed = try history(["many", "kept", "--format", "json"])
    try #require(printed.exitCode == 0, "\(printed.text)")
    for state in ["new-failure", "flaky", "failing", "passing", "skipped"] {
      #expect(printed.output.contains("\"state\": \"\(state)\""), "\(state)")
    }
    let wrong = printed.output.replacing("\"outcome\": \"failed\"", with: "\"outcome\": \"bad\"")
    try project.write("[\(printed.output), \(wrong)]", to: "documents.json")
    let verdicts = try BuiltRunner.command([
      python, "\(BuiltRunner.root)/Tests/Schema/validate.py",
      "\(BuiltRunner.root)/schemas/history.schema.json", "--cases",
      "\(project.path)/documents.json",
    ])
    let lines = verdicts.output.split(separator: "\n")
    #expect(lines.count == 2, "\(verdicts.text)")
    #expect(lines.first?.hasSuffix(", null]") == true, "\(verdicts.text)")
    #expect(lines.last?.hasSuffix(", null]") == false, "\(verdicts.text)")
  }

  @Test("What cannot be read is told by file and line, and passed over where that is wanted")
  func damaged() throws {
    try runFive(failsAt: 2)
    let text = try #require(project.read("kept/run-3.jsonl"))
    var lines = text.split(separator: "\n").map(String.init)
    lines[1] = "{ torn"
    try project.write(lines.joined(separator: "\n") + "\n", to: "kept/run-3.jsonl")
    try project.write("<testsuite>\n<testcase name='a'>\n", to: "kept/x.xml")
    try project.write("<coverage/>\n", to: "kept/coverage.xml")
    let outcome = try history(["kept"])
    outcome.expectExit(2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorOutput.contains("kept/run-3.jsonl:2:1"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("kept/x.xml:3:1"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("--skip-damaged"), "\(outcome.text)")
    let rest = try history(["kept", "--skip-damaged"])
    rest.expectExit(0)
    #expect(rest.output.hasPrefix("4 runs, 2 cases\n"), "\(rest.text)")
    #expect(rest.errorOutput.contains("skipped 2 files that cannot be read"), "\(rest.text)")
    #expect(rest.errorOutput.contains("1 XML file is not a JUnit report"), "\(rest.text)")
  }

  @Test(
    "What names nothing, or nothing that is a report, is refused",
    arguments: [
      (["empty"], "no reports in \"empty\""), (["none.jsonl"], "cannot read \"none.jsonl\""),
      (["none/*.xml"], "no file matches"),
      (["count"], "neither an event stream nor a JUnit report"),
      (["other.xml"], "is not a JUnit report"),
      (["s.yaml", "--report", "junit=x"], "write --report html=FILE"),
      (["s.yaml", "--fail-on", "old"], "not one of new, failing, flaky"),
      (["other.xml", "--report", "html=other.xml"], "read and overwritten"),
      ([], "Missing expected argument"),
    ])
  func refused(arguments: [String], message: String) throws {
    try project.write("x", to: "empty/notes.txt")
    try project.write("<html></html>", to: "other.xml")
    let outcome = try history(arguments)
    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains(message), "\(outcome.text)")
  }

  @Test(
    "Labels that are none are refused",
    arguments: ["commit", "=a", "commit=", "a b=c", "a=\n"])
  func labels(label: String) throws {
    try project.write(scenario(failsAt: 2), to: "s.yaml")
    let outcome = try project.scenario(["run", "s.yaml", "--label", label])
    outcome.expectExit(2)
  }

  @Test("Ten thousand reports")
  func many() throws {
    for number in 0..<10_000 {
      let isBad = number % 1000 == 999
      try project.write(
        "<testsuite timestamp=\"2026-01-01T00:00:00\"><properties><property name=\"commit\" value=\"abcdef0\"/></properties>"
          + "<testcase classname=\"c\" name=\"a\" time=\"0.01\">\(isBad ? "<failure/>" : "")</testcase></testsuite>",
        to: "many/\(number).xml")
    }
    let outcome = try history(["many"])
    #expect(outcome.output.hasPrefix("10000 runs, 1 case, 1 flaky\n"), "\(outcome.text)")
    #expect(outcome.output.contains("0.1%     10  10000"), "\(outcome.text)")
    #expect(outcome.output.contains("many/9999.xml"), "\(outcome.text)")
  }
}

extension String {
  /// The number of times that a text occurs.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
