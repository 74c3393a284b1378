import Glibc
import Testing

@Suite("Options, as the book writes them")
struct OptionTests {
  private static let three = """
    version: 2
    target: { command: [echo, hi] }
    scenarios:
      - { name: one, expect: { stdout: no } }
      - { name: two, expect: { stdout: no } }
      - { name: three, expect: { stdout: hi } }

    """

  /// The folders that a run has told of; they are removed.
  private func folders(_ text: String) throws -> Int {
    let told = text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.first == "directory:" ? words.last.map(String.init) : nil
    }
    for folder in told { #expect(access(folder, F_OK) == 0, "\(folder)") }
    // They stand in a folder of the run.
    for parts in told.map({ $0.split(separator: "/") }) where parts.count > 2 {
      _ = try BuiltRunner.command(["rm", "-rf", "/" + parts.dropLast().joined(separator: "/")])
    }
    return told.count
  }

  @Test("A value that may be left out may stand behind a blank or =")
  func optionalValues() throws {
    let project = try ProjectFolder()
    try project.write(Self.three, to: "checks/a.yaml")
    for (arguments, count) in [
      (["checks", "--keep-workdir", "failed"], 2), (["--keep-workdir", "checks"], 2),
      (["checks", "--keep-workdir=all"], 3), (["checks", "--keep-workdir", "all"], 3),
      (["--keep-workdir", "none", "checks"], 0), (["checks"], 0),
    ] {
      let outcome = try project.scenario(["run"] + arguments)
      #expect(outcome.exitCode == 1, "\(arguments): \(outcome.text)")
      #expect(try folders(outcome.output) == count, "\(arguments): \(outcome.text)")
    }
    let typo = try project.scenario(["run", "checks", "--keep-workdir", "faild"])
    typo.expectExit(2)
    #expect(typo.errorOutput.contains("\"faild\" is not one of none, failed, all"), "\(typo.text)")
    // A folder of that name changes nothing.
    try project.write(Self.three, to: "2/a.yaml")
    for (arguments, text) in [
      (["--fail-fast", "2"], "0 passed, 2 failed, 1 not run"), (["--fail-fast=3"], "1 passed"),
      (["--fail-fast"], "0 passed, 1 failed, 2 not run"),
    ] {
      let outcome = try project.scenario(["run", "checks", "-j", "1"] + arguments)
      #expect(outcome.output.contains(text), "\(arguments): \(outcome.text)")
    }
  }

  @Test("--changed takes a reference behind a blank, and no path")
  func changed() throws {
    let project = try ProjectFolder()
    try project.write(Self.three, to: "checks/a.yaml")
    try project.git(["init", "-q"])
    try project.git(["add", "-A"])
    try project.git(["commit", "-qm", "one"])
    try project.git(["tag", "first"])
    try project.write(Self.three + "\n", to: "checks/a.yaml")
    try project.git(["commit", "-qam", "two"])

    let since = try project.scenario(["list", "checks", "--changed", "first"])
    #expect(since.exitCode == 0 && since.output.contains("one"), "\(since.text)")
    for arguments in [["--changed", "checks"], ["--changed", "checks/a.yaml:4"]] {
      try project.scenario(["list"] + arguments).expectExit(4)
    }
    let unknown = try project.scenario(["list", "checks", "--changed", "nowhere"])
    #expect(unknown.exitCode == 2 && unknown.errorOutput.contains("nowhere"), "\(unknown.text)")
  }

  @Test("An option that is only a letter is one in the settings and in variables, too")
  func letter() throws {
    let project = try ProjectFolder(configuration: "version: 2\nx: true\n")
    try project.write(Self.three, to: "checks/a.yaml")
    let run = ["run", "checks", "-j", "1"]
    let file = try project.scenario(run)
    #expect(file.output.contains("0 passed, 1 failed, 2 not run"), "\(file.text)")
    // The command line decides on what says the same in another way.
    let more = try project.scenario(run + ["--fail-fast", "2"])
    #expect(more.output.contains("0 passed, 2 failed, 1 not run"), "\(more.text)")
    try project.write("version: 2\n", to: "scenario.yml")
    #expect(try project.scenario(run).output.contains("1 passed, 2 failed"))
    let variable = try project.scenario(run, variables: ["SCENARIO_X=1"])
    #expect(variable.output.contains("0 passed, 1 failed, 2 not run"), "\(variable.text)")
    let near = try project.scenario(run, variables: ["SCENARIO_K=one", "SCENARIO_J=2"])
    #expect(near.errorOutput.contains("did you mean SCENARIO_FILTER?"), "\(near.text)")
    #expect(near.errorOutput.contains("did you mean SCENARIO_JOBS?"), "\(near.text)")
  }

  @Test("The command line wins where a variable says the opposite")
  func opposite() throws {
    let project = try ProjectFolder()
    try project.write(Self.three, to: "checks/a.yaml")
    let loud = try project.scenario(["run", "checks", "-v"], variables: ["SCENARIO_QUIET=1"])
    #expect(loud.exitCode == 1 && loud.output.contains("PASS"), "\(loud.text)")
    let quiet = try project.scenario(["run", "checks"], variables: ["SCENARIO_QUIET=1"])
    #expect(quiet.exitCode == 1 && !quiet.output.contains("PASS"), "\(quiet.text)")
    try project.scenario(["run", "checks", "-v", "-q"]).expectExit(2)
  }

  @Test("The project's scenarios are found from each of its folders")
  func subfolder() throws {
    let project = try ProjectFolder()
    try project.write(Self.three, to: "scenarios/a.yaml")
    try project.write("", to: "sub/deep/file")
    let outcome = try project.scenario(["run", "-k", "three"], below: "sub/deep")
    #expect(outcome.exitCode == 0 && outcome.output.contains("1 passed"), "\(outcome.text)")
    #expect(outcome.output.contains("../../scenarios/a.yaml"), "\(outcome.text)")
    let stray = try ProjectFolder(configuration: nil)
    try stray.write(Self.three, to: "scenarios/a.yaml")
    try stray.write("", to: "sub/file")
    try stray.scenario(["run"], below: "sub").expectExit(2)
  }

  @Test("A plan of another version is refused, also where the format is the same")
  func planVersion() throws {
    let project = try ProjectFolder()
    try project.write(Self.three, to: "a.yaml")
    try project.scenario(["plan", "a.yaml", "-k", "three", "-o", "p.json"]).expectExit(0)
    try project.scenario(["run", "--plan", "p.json"]).expectExit(0)
    let plan = try #require(project.read("p.json"))
    let start = try #require(plan.firstRange(of: "\"runner\" :")).upperBound
    let end = try #require(plan[start...].firstIndex(of: ","))
    try project.write(plan.replacingCharacters(start..<end, with: " \"0.0.7\""), to: "old.json")

    let old = try project.scenario(["run", "--plan", "old.json"])
    old.expectExit(2)
    #expect(old.errorOutput.contains("scenario 0.0.7 wrote it"), "\(old.text)")
  }

  @Test("What a scenario leaves behind stands in every report, also where it only warns")
  func leak() throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\ntarget: { command: 'sleep 100 & exit 0' }\n", to: "leak.yaml")
    let reports = ["junit=r.xml", "tap=r.tap", "ctrf=r.json"].flatMap { ["--report", $0] }
    let warned = try project.scenario(["run", "leak.yaml", "--report", "github"] + reports)
    warned.expectExit(0)
    #expect(warned.output.contains("::warning"), "\(warned.text)")
    for name in ["r.xml", "r.tap", "r.json"] {
      #expect(project.read(name)?.contains("outlives the target: sleep") ?? false, "\(name)")
    }
    let ignored = try project.scenario(["run", "leak.yaml", "--leak", "ignore"] + reports)
    ignored.expectExit(0)
    for name in ["r.xml", "r.tap", "r.json"] {
      #expect(!(project.read(name)?.contains("outlives") ?? true), "\(name)")
    }
  }

  @Test("The command that reproduces has the options that made the scenario fail")
  func reproduction() throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\ntarget: { command: 'sleep 100 & exit 0' }\n", to: "leak.yaml")
    let strict = try project.scenario(
      ["run", "leak.yaml", "--leak", "fail", "--timeout", "20s", "--report", "jsonl=e.jsonl"])
    strict.expectExit(1)
    let command = "scenario run leak.yaml:1 --timeout 20s --leak fail --seed 0"
    #expect(strict.output.contains(command), "\(strict.text)")
    let shown = try project.scenario(["report", "show", "e.jsonl"])
    #expect(shown.output.contains(command), "\(shown.text)")
    let words = command.split(separator: " ").dropFirst().map(String.init)
    try project.scenario(words).expectExit(1)
    try project.scenario(Array(words.prefix(2))).expectExit(0)
  }

  @Test(
    "A run that fails only because something is flaky says so, and where the attempt's folder is")
  func flaky() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      target:
        command: [sh, -c, 'test -e "$MARK" && exit 0; touch "$MARK"; exit 1']
        env: { MARK: "\(project.path)/mark" }

      """, to: "f.yaml")
    let run = ["run", "f.yaml", "--retries", "1", "--fail-on-flaky", "--keep-workdir"]
    let first = try project.scenario(run)
    first.expectExit(1)
    #expect(
      first.output.contains("1 scenario passed only after a retry (--fail-on-flaky)"),
      "\(first.text)")
    #expect(try folders(first.output) > 0, "\(first.text)")
    let second = try project.scenario(run)
    #expect(
      second.exitCode == 0 && !second.output.contains("only after a retry"), "\(second.text)")
  }

  @Test("The settings are reported with what holds where nobody says anything")
  func defaults() throws {
    let project = try ProjectFolder()
    let outcome = try project.scenario(["config"], variables: ["SCENARIO_GRACE=2s"])
    outcome.expectExit(0)
    for line in [
      "timeout: 30s  (default)", "grace: 2s  (SCENARIO_GRACE)", "leak: warn  (default)",
      "jobs: auto  (default)", "slow: 10s  (default)", "paths: scenarios  (default)",
    ] {
      #expect(outcome.output.contains(line + "\n"), "\(line) in \(outcome.text)")
    }
  }

  @Test("Sending to who has ended, or has closed its input, is a failure")
  func deaf() throws {
    let project = try ProjectFolder()
    func outcome(_ program: String, _ steps: String) throws -> BuiltRunner.Outcome {
      try project.write(
        """
        version: 2
        target: { command: [bash, -c, '\(program)'] }
        steps: [ { start: }, { wait: { stdout: up } }, \(steps) ]

        """, to: "s.yaml")
      return try project.scenario(["run", "s.yaml"])
    }
    let ended = try outcome(
      "echo $$ > pid; echo up",
      "{ exec: 'while kill -0 $(cat pid) 2>/dev/null; do :; done' }, { send: hello }")
    #expect(ended.exitCode == 1 && ended.output.contains("is closed"), "\(ended.text)")
    let closed = try outcome("exec <&-; echo up; sleep 1", "{ send: hello }, { wait: exit }")
    #expect(closed.exitCode == 1 && closed.output.contains("is closed"), "\(closed.text)")
    let open = try outcome(
      "echo up; read line; echo $line",
      #"{ send: "hello\n" }, { wait: exit, expect: { stdout: { contains: hello } } }"#)
    open.expectExit(0)
  }
}

extension String {
  fileprivate func replacingCharacters(
    _ range: Range<Index>, with text: String
  ) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }
}
