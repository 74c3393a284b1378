import Glibc
import Testing

@Suite("Saved plans, shards and their merge")
struct ShardTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.write(Self.text, to: "cases.yaml")
  }

  private static let text = """
    version: 2
    target: { command: [cat, in.txt], files: { in.txt: { file: in.fixture } }, env: { pass: [HUSH] } }
    scenarios:
      - { name: one, expect: { stdout: "in" } }
      - { name: two, expect: { stdout: "in" } }
      - { name: three, expect: { stdout: "in" } }
      - { name: four, expect: { stdout: "in" } }
      - { name: five, skip: "later", expect: { stdout: "in" } }
    """

  private func scenario(
    _ arguments: [String], _ variables: [String] = [], fixture: String? = "in"
  ) throws -> BuiltRunner.Outcome {
    if let fixture { folder.write(fixture, to: "in.fixture") }
    let plain = ["env", "-C", folder.path, "HUSH=secret-value"]
    return try BuiltRunner.run(arguments, prefix: plain + variables)
  }

  // MARK: - Plans

  @Test("A saved plan is run, and refused once a file has changed that it was made from")
  func stale() throws {
    try scenario(["plan", "cases.yaml", "-o", "p.json"]).expectExit(0)
    let good = try scenario(["run", "--plan", "p.json", "--report", "junit=r.xml"])
    good.expectExit(0)
    #expect(good.output.contains("4 passed, 0 failed, 1 skipped"))
    let digest = try scenario(["plan", "cases.yaml"]).output.split(separator: "\n").last ?? ""
    let report = TemporaryFolder.read("\(folder.path)/r.xml") ?? ""
    #expect(digest.hasPrefix("plan ") && report.contains(digest.dropFirst("plan ".count)))

    let copied = try scenario(["run", "--plan", "p.json"], fixture: "out")
    copied.expectExit(2)
    #expect(copied.errorOutput.contains("\"in.fixture\" has changed"), "\(copied.text)")
    folder.write(Self.text + "\n# more\n", to: "cases.yaml")
    let changed = try scenario(["run", "--plan", "p.json"])
    changed.expectExit(2)
    #expect(changed.errorOutput.contains("stale: \"cases.yaml\" has changed"))
    #expect(changed.errorOutput.contains("make a new plan"))
    folder.write(Self.text, to: "cases.yaml")
    try scenario(["run", "--plan", "p.json"]).expectExit(0)
    unlink("\(folder.path)/in.fixture")
    let gone = try scenario(["run", "--plan", "p.json"], fixture: nil)
    #expect(gone.exitCode == 2 && gone.errorOutput.contains("\"in.fixture\" was removed"))
  }

  @Test("A recording that appears makes a plan stale")
  func recording() throws {
    folder.write(
      "version: 2\ntarget: { command: [echo] }\nnetwork: { mode: offline }\nexpect: { exit: 0 }\n",
      to: "net.yaml")
    try scenario(["plan", "net.yaml", "-o", "p.json"]).expectExit(0)
    try scenario(["run", "--plan", "p.json"]).expectExit(0)
    let plan = TemporaryFolder.read("\(folder.path)/p.json") ?? ""
    let place = try #require(plan.firstMatch(of: /"path" : "(__recordings__[^"]*)"/)?.1)
    mkdir("\(folder.path)/__recordings__", 0o755)
    defer {
      unlink("\(folder.path)/\(place)")
      rmdir("\(folder.path)/__recordings__")
    }
    folder.write("version: 2\nresponses: []\n", to: String(place))
    let stale = try scenario(["run", "--plan", "p.json"])
    stale.expectExit(2)
    #expect(stale.errorOutput.contains("\(place)\" was added"), "\(stale.text)")
  }

  @Test("The digest is the same wherever the folder lies, and no value of the environment is in it")
  func samePlan() throws {
    let other = try TemporaryFolder()
    other.write(Self.text, to: "cases.yaml")
    other.write("in", to: "in.fixture")
    let here = try scenario(["plan", "cases.yaml", "--format", "json"])
    let absolute = try scenario(["plan", file, "--format", "json"], ["LC_ALL=tr_TR.UTF-8"])
    let there = try BuiltRunner.run(
      ["plan", "./cases.yaml", "--format", "json"],
      prefix: ["env", "-i", "-C", other.path, "PATH=/usr/bin:/bin"])
    #expect(here.exitCode == 0 && here.output == there.output && here.output == absolute.output)
    #expect(!here.output.contains("secret-value") && !here.output.contains(folder.path))
    let filtered = try scenario(["plan", "cases.yaml", "--format", "json", "-k", "one"])
    #expect(filtered.output != here.output)
  }

  @Test("A plan is for its user alone, whatever it holds")
  func mode() throws {
    try scenario(["plan", "cases.yaml", "-o", "p.json"]).expectExit(0)
    var status = stat()
    try #require(stat("\(folder.path)/p.json", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("A file that a request may name belongs to the plan, and its change to the case")
  func computedNames() throws {
    folder.write(
      """
      version: 2
      target: { command: [curl, -s, "http://a.test/a"] }
      responses:
        - GET http://a.test/{id}: { file: "bodies/${{ request.path.id }}.json" }
      """, to: "computed.yaml")
    mkdir("\(folder.path)/bodies", 0o755)
    folder.write("1", to: "bodies/a.json")
    folder.write("1", to: "bodies/a.txt")
    try scenario(["plan", "computed.yaml", "-o", "p.json"]).expectExit(0)
    folder.write("2", to: "bodies/a.txt")
    try scenario(["run", "--plan", "p.json"]).expectExit(0)
    folder.write("2", to: "bodies/a.json")
    let stale = try scenario(["run", "--plan", "p.json"])
    stale.expectExit(2)
    #expect(stale.errorOutput.contains("\"bodies/a.json\" has changed"), "\(stale.text)")
  }

  @Test(
    "What a run or a plan writes is no input of the next one, even if a request may name it",
    arguments: ["${{ request.path.id }}", "${{ request.path.id }}.json"])
  func ownFiles(name: String) throws {
    let project = try ProjectFolder()
    let ending = name.hasSuffix(".json") ? ".json" : ""
    try project.write(
      """
      version: 2
      target: { command: [curl, -s, "http://a.test/a"] }
      responses:
        - GET http://a.test/{id}: { file: "\(name)" }
      """, to: "s/computed.yaml")
    try project.write("1", to: "s/a\(ending)")
    for output in ["s/p.json", "\(project.path)/s/p.json"] {
      for report in ["s/out.json", "out.json"] {
        try project.scenario(["run", "s/computed.yaml", "--report", "jsonl=\(report)"]).expectExit(
          0)
      }
      try project.scenario(["plan", "s/computed.yaml", "-o", output]).expectExit(0)
    }
    for _ in 0..<2 { try project.scenario(["run", "--plan", "s/p.json"]).expectExit(0) }
    try project.write("2", to: "s/a\(ending)")
    try project.scenario(["run", "--plan", "s/p.json"]).expectExit(ending.isEmpty ? 0 : 2)
  }

  @Test("A plan is not saved over a file that it is made from")
  func savedOverInput() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      target: { command: [cat], stdin: { $file: data.txt } }
      responses:
        - GET http://a.test/{id}: { file: "${{ request.path.id }}.txt" }
      network: { unused: ignore }
      """, to: "input.yaml")
    try project.write("in", to: "data.txt")

    let refused = try project.scenario(["plan", "input.yaml", "-o", "data.txt"])

    refused.expectExit(2)
    #expect(refused.text.contains("\"data.txt\" would be read and overwritten"), "\(refused.text)")
  }

  @Test("Nothing beside the plan may be asked for, and what is no plan is refused")
  func refused() throws {
    try scenario(["plan", "cases.yaml", "-o", "p.json"]).expectExit(0)
    let more = try scenario(["run", "cases.yaml", "--plan", "p.json"])
    #expect(more.exitCode == 2 && more.errorOutput.contains("exactly"))
    let plan = TemporaryFolder.read("\(folder.path)/p.json") ?? ""
    folder.write(plan.replacing("\"seed\" : 0", with: "\"seed\" : 1"), to: "changed.json")
    folder.write(String(plan.prefix(900)), to: "torn.json")
    folder.write(plan.replacing("\"version\" : 1", with: "\"version\" : 2"), to: "newer.json")
    let expected = [
      "changed.json": "digest does not match", "torn.json": "damaged", "newer.json": "version 2",
      "cases.yaml": "damaged", "none.json": "No such file", "/dev/null": "not a regular file",
      ".": "not a regular file",
    ]
    for (name, text) in expected {
      let outcome = try scenario(["run", "--plan", name])
      #expect(outcome.exitCode == 2 && outcome.errorOutput.contains(text), "\(outcome.text)")
      #expect(outcome.errorOutput.contains("help: "))
    }
  }

  @Test("--detailed-exitcode tells a plan that differs from one that does not")
  func detailed() throws {
    try scenario(["plan", "cases.yaml", "-o", "p.json"]).expectExit(0)
    let compare = ["--against", "p.json", "--detailed-exitcode"]
    let same = try scenario(["plan", "cases.yaml"] + compare)
    #expect(same.exitCode == 0 && same.output == "no differences\n", "\(same.text)")
    folder.write(Self.text.replacing("name: one", with: "name: uno"), to: "cases.yaml")
    let other = try scenario(["plan", "cases.yaml"] + compare)
    other.expectExit(6)
    #expect(other.output.hasPrefix("+ cases.yaml::uno\n- cases.yaml::one\n"), "\(other.text)")
    try scenario(["plan", "cases.yaml", "--against", "p.json"]).expectExit(0)
    try scenario(["plan", "cases.yaml", "--detailed-exitcode"]).expectExit(2)
    try scenario(["plan", "none.yaml"] + compare).expectExit(2)
  }

  // MARK: - Shards

  private func runShards(
    _ count: Int, _ more: [String] = [], leavingOut missing: Int? = nil
  ) throws -> [String] {
    try (1...count).filter { $0 != missing }.map { index in
      let arguments = ["--shard", "\(index)/\(count)", "--report", "blob=b\(index).jsonl"]
      let paths = more.contains("--plan") ? [] : ["cases.yaml"]
      let outcome = try scenario(["run"] + paths + arguments + more)
      outcome.expectExit(0)
      return "b\(index).jsonl"
    }
  }

  @Test("Shards run everything once, and merge into the report of one run")
  func shards() throws {
    let blobs = try runShards(3)
    let merged = try scenario(
      ["report", "merge"] + blobs + ["--report", "junit=m.xml", "--report", "jsonl=m.jsonl"])
    merged.expectExit(0)
    #expect(merged.output.contains("4 passed, 0 failed, 1 skipped"))
    let report = TemporaryFolder.read("\(folder.path)/m.xml") ?? ""
    #expect(report.split(separator: "<testcase ").count == 6)
    let again = try scenario(
      ["report", "merge"] + blobs.reversed() + ["--report", "junit=n.xml"])
    #expect(again.output == merged.output)
    #expect(TemporaryFolder.read("\(folder.path)/n.xml") == report)

    let two = try scenario(["report", "merge", "b1.jsonl", "b2.jsonl", "--report", "junit=n.xml"])
    two.expectExit(3)
    #expect(two.output.contains("shard 3/3: no report"), "\(two.text)")
    #expect(
      (TemporaryFolder.read("\(folder.path)/n.xml") ?? "").contains("shard 3/3 did not report"))
    let double = try scenario(["report", "merge", "b1.jsonl", "b1.jsonl"])
    double.expectExit(2)
    folder.write(TemporaryFolder.read("\(folder.path)/b1.jsonl") ?? "", to: "c1.jsonl")
    let copied = try scenario(["report", "merge", "c1.jsonl"] + blobs)
    #expect(copied.exitCode == 2 && copied.errorOutput.contains("reported twice"))
  }

  @Test("More shards than cases: an empty one is a success with an empty report")
  func empty() throws {
    let blobs = try runShards(7, ["--report", "junit=e.xml"])
    let report = TemporaryFolder.read("\(folder.path)/e.xml") ?? ""
    #expect(report.contains("tests=\"0\"") && report.contains("</testsuites>"))
    try scenario(["report", "merge"] + blobs).expectExit(0)
    // What was never there is not a success.
    let nothing = try scenario(["run", "cases.yaml", "-k", "nothing", "--shard", "1/2"])
    nothing.expectExit(4)
  }

  @Test("The shards of a saved plan are who it says, and other numbers are refused")
  func savedShards() throws {
    let seconds = ["one": 30, "two": 10, "three": 10, "four": 10]
    let timings = seconds.map { name, time in
      "<testcase classname=\"cases\" name=\"\(name)\" time=\"\(time)\"/>"
    }
    folder.write("<testsuite>\(timings.joined())</testsuite>", to: "t.xml")
    let plan = try scenario(
      ["plan", "cases.yaml", "--shards", "2", "--timings", "*.xml", "-o", "p.json"])
    plan.expectExit(0)
    unlink("\(folder.path)/t.xml")
    let first = try scenario(["run", "--plan", "p.json", "--shard", "1/2"])
    #expect(first.output.contains("1 passed, 0 failed, 1 skipped"), "\(first.text)")
    #expect(first.errorOutput.contains("shard 1/2 (--shard) by time: 2 of 5 cases"))
    let second = try scenario(["run", "--plan", "p.json"], ["SCENARIO_SHARD=2/2"])
    #expect(second.output.contains("3 passed, 0 failed"), "\(second.text)")
    let third = try scenario(["run", "--plan", "p.json", "--shard", "1/3"])
    #expect(third.exitCode == 2 && third.errorOutput.contains("for 2 shards"))
    let all = try scenario(["run", "--plan", "p.json"])
    #expect(all.output.contains("4 passed, 0 failed, 1 skipped"))
  }

  @Test("Shards of different plans are not merged")
  func differentPlans() throws {
    _ = try runShards(2)
    folder.write(Self.text + "\n# more\n", to: "cases.yaml")
    _ = try scenario(["run", "cases.yaml", "--shard", "2/2", "--report", "blob=b2.jsonl"])
    let outcome = try scenario([
      "report", "merge", "b1.jsonl", "b2.jsonl", "--report", "junit=m.xml",
    ])
    #expect(
      outcome.exitCode == 2 && outcome.errorOutput.contains("ran the plan"), "\(outcome.text)")
    #expect(TemporaryFolder.read("\(folder.path)/m.xml") == nil)
  }

  @Test("auto reads the engine's variables, says which, and refuses half of them")
  func automatic() throws {
    let arguments = ["run", "cases.yaml", "--shard", "auto"]
    let circle = try scenario(arguments, ["CIRCLE_NODE_INDEX=1", "CIRCLE_NODE_TOTAL=2"])
    circle.expectExit(0)
    #expect(circle.errorOutput.hasPrefix("shard 2/2 (CircleCI: CIRCLE_NODE_INDEX=1, "))
    let half = try scenario(arguments, ["CIRCLE_NODE_INDEX=1"])
    #expect(half.exitCode == 2 && half.errorOutput.contains("CIRCLE_NODE_TOTAL"), "\(half.text)")
    let said = try scenario(
      ["run", "cases.yaml", "--shard", "1/4"], ["CIRCLE_NODE_INDEX=1", "CIRCLE_NODE_TOTAL=2"])
    #expect(said.errorOutput.hasPrefix("shard 1/4 (--shard)"))
    let none = try scenario(arguments)
    #expect(none.exitCode == 0 && none.output.contains("4 passed"))
    #expect(none.errorOutput.contains("all cases run here"))
    let quiet = try scenario(
      ["run", "cases.yaml"], ["CIRCLE_NODE_INDEX=1", "CIRCLE_NODE_TOTAL=2"])
    #expect(quiet.output.contains("4 passed") && quiet.errorOutput.isEmpty)
  }

  @Test("Lists pick and leave out cases, by identifier, file or class")
  func lists() throws {
    folder.write("# mine\n\n  cases.yaml::two  \r\ncases.yaml::four\n", to: "list")
    let two = try scenario(["run", "cases.yaml", "--test-list", "list"])
    #expect(two.output.contains("2 passed, 0 failed\n") && two.exitCode == 0, "\(two.text)")
    let rest = try scenario(["run", "cases.yaml", "--exclude-list", "list"])
    #expect(rest.output.contains("2 passed, 0 failed, 1 skipped"))
    for name in ["cases.yaml", "./cases.yaml", "cases", "cases.java", "cases.class"] {
      folder.write(name + "\n", to: "list")
      let all = try scenario(["run", "cases.yaml", "--test-list", "list"])
      #expect(all.output.contains("4 passed, 0 failed, 1 skipped"), "\(name): \(all.text)")
    }
    folder.write("cases.yaml::tow\n", to: "list")
    let unknown = try scenario(["run", "cases.yaml", "--test-list", "list"])
    #expect(unknown.exitCode == 2 && unknown.errorOutput.contains("cases.yaml::tow"))
    // A node to which an engine has given nothing has nothing to do.
    let nothing = try scenario(["run", "cases.yaml", "--test-list", "-"])
    #expect(nothing.exitCode == 0 && nothing.output.contains("0 passed"))
    folder.write("cases.yaml\n", to: "list")
    try scenario(["run", "cases.yaml", "--exclude-list", "list"]).expectExit(4)
  }

  // MARK: - Bazel

  @Test("Under Bazel the files of its protocol are touched, written and removed")
  func bazel() throws {
    func path(_ name: String) -> String { "\(folder.path)/\(name)" }
    let variables = [
      "BAZEL_TEST=1", "TEST_SHARD_INDEX=0", "TEST_TOTAL_SHARDS=2",
      "TEST_SHARD_STATUS_FILE=\(path("status"))", "XML_OUTPUT_FILE=\(path("test.xml"))",
      "TEST_TMPDIR=\(folder.path)", "TEST_UNDECLARED_OUTPUTS_DIR=\(folder.path)",
      "TEST_PREMATURE_EXIT_FILE=\(path("premature"))",
      "TEST_INFRASTRUCTURE_FAILURE_FILE=\(path("infrastructure"))",
      "TEST_WARNINGS_OUTPUT_FILE=\(path("warnings"))",
    ]
    let good = try scenario(["run", "cases.yaml", "--shard", "auto"], variables)
    good.expectExit(0)
    #expect(good.errorOutput.hasPrefix("shard 1/2 (Bazel: "))
    #expect(TemporaryFolder.read(path("status")) == "")
    #expect((TemporaryFolder.read(path("test.xml")) ?? "").contains("tests=\"3\""))
    #expect(TemporaryFolder.read(path("premature")) == nil)
    #expect(TemporaryFolder.read(path("infrastructure")) == nil)
    let other = try scenario(
      ["run", "cases.yaml", "--shard", "auto"],
      variables.map { $0 == "TEST_SHARD_INDEX=0" ? "TEST_SHARD_INDEX=1" : $0 })
    other.expectExit(0)
    let merged = try scenario(
      ["report", "merge", "scenario-1-of-2.jsonl", "scenario-2-of-2.jsonl"])
    #expect(merged.exitCode == 0 && merged.output.contains("4 passed"), "\(merged.text)")

    let filtered = try scenario(
      ["run", "cases.yaml"], variables + ["TESTBRIDGE_TEST_ONLY=one|two"])
    #expect(filtered.output.contains("2 passed, 0 failed\n"), "\(filtered.text)")
    let nothing = try scenario(["run", "cases.yaml"], variables + ["TESTBRIDGE_TEST_ONLY=zzz"])
    nothing.expectExit(0)
    folder.write(
      "version: 2\ntarget: { command: [/nonexistent/program] }\nexpect: { exit: 0 }\n",
      to: "none.yaml")
    let undecided = try scenario(["run", "none.yaml"], variables)
    undecided.expectExit(3)
    #expect(
      (TemporaryFolder.read(path("infrastructure")) ?? "").hasPrefix("scenario\n"))
    for name in ["status", "infrastructure"] { unlink(path(name)) }
    let outside = try scenario(["run", "cases.yaml"], Array(variables.dropFirst()))
    #expect(outside.exitCode == 0 && TemporaryFolder.read(path("status")) == nil)
  }
}
