import Glibc
import Testing

@Suite("Selecting cases")
struct SelectionTests {
  private static let tagged = """
    version: 2
    target: { command: ["true"] }
    scenarios:
      - { name: fast one, tags: [smoke], expect: { exit: 0 } }
      - { name: slow one, tags: [smoke, slow], expect: { exit: 0 } }
      - { name: rows, tags: [nightly], matrix: { n: [1, 2] }, expect: { exit: 0 } }

    """

  private func project() throws -> ProjectFolder {
    let project = try ProjectFolder()
    try project.write(Self.tagged, to: "scenarios/tagged.yaml")
    return project
  }

  private func names(_ outcome: BuiltRunner.Outcome) -> [String] {
    outcome.output.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      return parts.count == 3 ? String(parts[2].prefix { $0 != "#" }).trimmed : nil
    }
  }

  @Test("Files of a folder count whose names end in .YAML or .YML, and others do not")
  func endings() throws {
    let project = try ProjectFolder()
    for name in ["a.yaml", "b.YAML", "c.Yml", "d.yamlx", "e.YAML.bak"] {
      try project.write(
        "version: 2\ntarget: {command: ['true']}\nexpect: { exit: \(name == "b.YAML" ? 1 : 0) }\n",
        to: "scenarios/\(name)")
    }

    let list = try project.scenario(["list"])
    let check = try project.scenario(["check", "--format", "json"])
    let run = try project.scenario(["run"])
    let format = try project.scenario(["fmt", "--check", "scenarios"])

    #expect(names(list) == ["a", "b", "c"], "\(list.text)")
    check.expectExit(0)
    #expect(run.exitCode == 1 && run.text.contains("2 passed, 1 failed"), "\(run.text)")
    for name in ["a.yaml", "b.YAML", "c.Yml"] {
      #expect(format.text.contains("scenarios/\(name)"), "\(format.text)")
    }
    #expect(!format.text.contains("d.yamlx") && !format.text.contains(".bak"), "\(format.text)")
  }

  @Test("Tags, names, expressions and lines select, all of them together, in run, plan and list")
  func combined() throws {
    let project = try project()
    func list(_ arguments: [String]) throws -> [String] {
      names(try project.scenario(["list"] + arguments))
    }

    #expect(try list(["-t", "smoke"]) == ["fast one", "slow one"])
    #expect(
      try list(["-t", "smoke and not slow or nightly"]) == [
        "fast one", "rows [n=1]", "rows [n=2]",
      ])
    #expect(try list(["--case", "rows"]) == ["rows [n=1]", "rows [n=2]"])
    #expect(
      try list(["--case", "rows [n=2]", "--case", "fast one"]) == ["fast one", "rows [n=2]"])
    #expect(try list(["-t", "smoke", "-k", "slow"]) == ["slow one"])
    #expect(
      try list(["scenarios/tagged.yaml:4:6", "-t", "not slow"]) == [
        "fast one", "rows [n=1]", "rows [n=2]",
      ])
    let run = try project.scenario(["run", "-t", "smoke", "--case", "slow one"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed, 0 failed"), "\(run.text)")
    let plan = try project.scenario(["plan", "-t", "nightly", "-k", "n=1"])
    #expect(plan.output.contains("rows [n=1]") && !plan.output.contains("rows [n=2]"))
  }

  @Test("What selects nothing, or cannot be read, is reported and runs nothing")
  func mistakes() throws {
    let project = try project()
    func run(_ arguments: [String]) throws -> BuiltRunner.Outcome {
      try project.scenario(["run"] + arguments)
    }

    let nothing = try run(["-t", "smoke and nightly"])
    nothing.expectExit(4)
    let near = try run(["-t", "smok"])
    near.expectExit(4)
    #expect(near.errorOutput.contains("--tags:1:1: warning[W023]"), "\(near.text)")
    #expect(near.errorOutput.contains("did you mean \"smoke\"?"))
    let broken = try run(["-t", "smoke && slow"])
    broken.expectExit(2)
    #expect(broken.errorOutput.contains("--tags:1:7: error[E110]"), "\(broken.text)")
    #expect(broken.errorOutput.contains("1 | smoke && slow"), "\(broken.text)")
    let name = try run(["--case", "fast on"])
    name.expectExit(2)
    #expect(name.errorOutput.contains("did you mean \"fast one\"?"), "\(name.text)")
    let line = try run(["scenarios/tagged.yaml:4:99"])
    line.expectExit(2)
  }

  @Test("A project's settings are no scenarios, though they stand in a folder that is run")
  func settings() throws {
    let project = try project()
    try project.write("", to: "scenarios/scenario.yml")

    let outcome = try project.scenario(["run", "."])

    outcome.expectExit(0)
    #expect(outcome.output.contains("4 passed"))
  }

  private static let failing = """
    version: 2
    target: { command: [cat, in.txt], files: { in.txt: { json: 1 } } }
    scenarios:
      - { name: holds, expect: { exit: 0 } }
      - { name: breaks, expect: { stdout: "2" } }

    """

  @Test("What failed runs again alone until it passes, and then everything does")
  func lastFailed() throws {
    let project = try ProjectFolder()
    try project.write(Self.failing, to: "checks/a.yaml")
    try project.write(Self.tagged, to: "checks/b.yaml")

    let before = try project.scenario(["list", "checks", "--last-failed"])
    #expect(before.errorOutput.contains("no run is recorded"), "\(before.text)")
    #expect(names(before).count == 6)
    try project.scenario(["run", "checks"]).expectExit(1)
    // Neither a run of others nor another folder loses what failed.
    try project.scenario(["run", "b.yaml"], below: "checks").expectExit(0)
    let again = try project.scenario(["run", "--last-failed"])
    again.expectExit(1)
    #expect(again.output.contains("0 passed, 1 failed"), "\(again.text)")
    #expect(again.errorOutput.contains("1 case that failed before"))
    let both = try project.scenario(["run", "checks", "--last-failed", "-t", "smoke"])
    both.expectExit(4)

    try project.write(
      Self.failing.replacing("\"2\"", with: "\"1\""), to: "checks/a.yaml")
    let mended = try project.scenario(["run", "--last-failed"], below: "checks")
    #expect(mended.exitCode == 0 && mended.output.contains("1 passed"), "\(mended.text)")
    let all = try project.scenario(["run", "checks", "--last-failed"])
    #expect(all.output.contains("6 passed"), "\(all.text)")
    #expect(all.errorOutput.contains("no case failed before"))
    #expect(project.read(".scenario/.gitignore")?.contains("last-run.json") == true)
  }

  @Test(
    "A case that failed and was renamed is reported, and a record that is none counts for nothing")
  func staleRecord() throws {
    let project = try ProjectFolder()
    try project.write(Self.failing, to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
    try project.write(Self.failing.replacing("breaks", with: "is new"), to: "a.yaml")

    let renamed = try project.scenario(["run", "--last-failed"])
    #expect(renamed.errorOutput.contains("W024") && renamed.errorOutput.contains("\"breaks\""))
    renamed.expectExit(4)
    try project.write("{\"version\": 7}", to: ".scenario/last-run.json")
    let foreign = try project.scenario(["list", "a.yaml", "--last-failed"])
    #expect(foreign.errorOutput.contains("no run is recorded"), "\(foreign.text)")
    #expect(names(foreign) == ["holds", "is new"])
  }

  @Test("Changed files select the scenarios that depend on them")
  func changed() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      target: { command: [cat, in.txt], files: { in.txt: { file: ../data/one ü.txt } } }
      expect: { exit: 0 }

      """, to: "scenarios/first.yaml")
    try project.write(
      """
      version: 2
      target: { command: [../tools/say] }
      expect: { exit: 0 }

      """, to: "scenarios/second.yaml")
    try project.write("include: [parts.yaml]\nversion: 2\nexpect: { exit: 0 }\n", to: "third.yaml")
    try project.write("version: 2\ntarget: { command: [\"true\"] }\n", to: "parts.yaml")
    try project.write("1", to: "data/one ü.txt")
    try project.write("#!/bin/sh\n", to: "tools/say", mode: 0o755)
    try project.git(["init", "-q", "-b", "main"])
    let early = try project.scenario(["list", ".", "--changed"])
    #expect(early.exitCode == 2 && early.errorOutput.contains("no commit yet"), "\(early.text)")
    try project.git(["add", "-A"])
    try project.git(["commit", "-q", "-m", "first"])
    func list(_ arguments: [String] = ["--changed"]) throws -> [String] {
      names(try project.scenario(["list", "."] + arguments))
    }

    try project.scenario(["run", ".", "--changed"]).expectExit(4)
    try project.write("2", to: "data/one ü.txt")
    #expect(try list() == ["first"])
    let run = try project.scenario(["run", ".", "--changed"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed"), "\(run.text)")
    try project.git(["commit", "-q", "-a", "-m", "second"])
    #expect(try list() == [])
    #expect(try list(["--changed=HEAD~1"]) == ["first"])
    try project.write("#!/bin/sh\necho\n", to: "tools/say", mode: 0o755)
    #expect(try list() == ["second"])
    try project.write("version: 2\ntarget: { command: [date] }\n", to: "parts.yaml")
    try project.write("version: 2\ntarget: { command: [date] }\n", to: "new\nline.yaml")
    #expect(try list().count == 3)
    // A branch's own changes count, and not what came to the other one since.
    try project.git(["checkout", "-q", "-f", "-b", "side", "HEAD~1"])
    try project.git(["clean", "-q", "-f", "-e", ".scenario", "-e", "scenario.yml"])
    try project.write("#!/bin/sh\n:\n", to: "tools/say", mode: 0o755)
    #expect(try list(["--changed=main"]) == ["second"])
  }

  @Test("Where git cannot tell, nothing runs")
  func noRepository() throws {
    let project = try project()
    let outside = try project.scenario(
      ["run", "--changed"], variables: ["GIT_CEILING_DIRECTORIES=/"])
    #expect(
      outside.exitCode == 2 && outside.errorOutput.contains("is not in one"), "\(outside.text)")
    try project.git(["init", "-q"])
    try project.git(["commit", "-q", "--allow-empty", "-m", "first"])
    let unknown = try project.scenario(["run", "--changed=nowhere"])
    unknown.expectExit(2)
    #expect(unknown.errorOutput.contains("\"nowhere\" is not a commit"))
    let option = try project.scenario(["run", "--changed=--output=x"])
    #expect(
      option.exitCode == 2 && option.errorOutput.contains("is not a commit"), "\(option.text)")
    let missing = try project.scenario(["run", "--changed"], variables: ["PATH=/nowhere"])
    missing.expectExit(2)
  }

  @Test("A list holds what a run with the same words runs, in the same order")
  func listedAsRun() throws {
    let project = try ProjectFolder()
    let all = ["one", "two", "three", "four", "five"]
    try project.write(
      "version: 2\ntarget: { command: [\"true\"] }\nscenarios:\n"
        + all.map { "  - { name: \($0), expect: { exit: 0 } }\n" }.joined(), to: "scenarios/a.yaml")
    try project.write("scenarios/a.yaml::two\nscenarios/a.yaml::five\n", to: "some")

    func same(_ words: [String], variables: [String] = []) throws -> [String] {
      let list = try project.scenario(["list"] + words, variables: variables)
      list.expectExit(0)
      let run = try project.scenario(["run", "--ui", "list", "-j1"] + words, variables: variables)
      let ran = run.output.split(separator: "\n").compactMap { line in
        line.hasPrefix("PASS") ? line.split(separator: " ").last.map(String.init) : nil
      }
      #expect(names(list) == ran, "\(words)\n\(list.text)\n\(run.text)")
      return ran
    }
    #expect(try same(["--shard", "1/2"]) == ["one", "three", "five"])
    #expect(try same([], variables: ["SCENARIO_SHARD=2/2"]) == ["two", "four"])
    #expect(try same(["--test-list", "some"]) == ["two", "five"])
    #expect(
      try same(["--exclude-list", "some", "--shard", "2/2", "--shard-by", "count"]) == ["three"])
    #expect(try same(["--exclude-list", "some", "-k", "::f"]) == ["four"])
    let mixed = try same(["--order", "random", "--seed", "7"])
    #expect(mixed != all && mixed.sorted() == all.sorted())
    #expect(try same(["--order", "failed"]) == all)

    try project.write("", to: "none")
    let nothing = try project.scenario(["list", "--test-list", "none", "--format", "json"])
    #expect(nothing.exitCode == 0 && nothing.output == "[]\n", "\(nothing.text)")
    let unknown = try project.scenario(["list", "--shard", "3/2"])
    unknown.expectExit(2)

    try project.write(
      "version: 2\ntarget: { command: [\"true\"] }\nscenarios:\n  - { name: a }\n  - { name: b, only: true }\n",
      to: "only.yaml")
    let only = try project.scenario(["list", "only.yaml"])
    #expect(only.output.contains(" b  (only)") && !only.output.contains(" a"), "\(only.text)")
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
