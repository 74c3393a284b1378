import Testing

@Suite("Settings and variables")
struct SettingsTests {
  private static let scenario = """
    version: 2
    target: { command: [printenv, REGION], env: { pass: [REGION] } }
    scenarios:
      - { name: quick, tags: [smoke], expect: { stdout: eu } }
      - { name: other, expect: { stdout: us } }

    """

  private func project(_ settings: String) throws -> ProjectFolder {
    let project = try ProjectFolder(configuration: settings)
    try project.write(Self.scenario, to: "checks/region.yaml")
    return project
  }

  @Test("A project's settings hold from every folder below, and the command line comes first")
  func file() throws {
    let project = try project(
      """
      paths: [checks]
      tags: smoke
      reports: { junit: out/report.xml }
      env: { REGION: eu }

      """)

    let run = try project.scenario(["run"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed"), "\(run.text)")
    #expect(project.read("out/report.xml")?.contains("name=\"quick\"") == true)
    let below = try project.scenario(["run"], below: "checks")
    #expect(below.exitCode == 0 && below.output.contains("1 passed"), "\(below.text)")
    #expect(project.read("checks/out/report.xml") == nil)
    let other = try project.scenario(["list", "-t", "not smoke"])
    #expect(other.output.contains("other") && !other.output.contains("quick"), "\(other.text)")
    // What the caller has set stands.
    let us = try project.scenario(["run", "-t", "not smoke"], variables: ["REGION=us"])
    us.expectExit(0)
    try project.scenario(["run", "-t", "not smoke"]).expectExit(1)
  }

  @Test("The command line comes before variables, those before the profile, that before the file")
  func precedence() throws {
    let project = try project(
      "filter: one\nprofiles: { ci: { filter: two }, night: { filter: three } }\n")
    func filter(_ arguments: [String] = [], _ variables: [String] = []) throws -> String {
      let outcome = try project.scenario(["config"] + arguments, variables: variables)
      outcome.expectExit(0)
      let line = outcome.output.split(separator: "\n").first { $0.hasPrefix("filter: ") }
      return line.map(String.init) ?? outcome.text
    }

    #expect(try filter() == "filter: one  (scenario.yml:1)")
    #expect(try filter([], ["CI=true"]) == "filter: two  (scenario.yml:2, profile ci)")
    #expect(try filter([], ["CI=false"]) == "filter: one  (scenario.yml:1)")
    #expect(try filter(["--profile", "night"], ["CI=true"]).hasPrefix("filter: three"))
    #expect(try filter([], ["SCENARIO_PROFILE=night"]).hasPrefix("filter: three"))
    #expect(try filter(["--profile=default"], ["CI=1"]).hasPrefix("filter: one"))
    #expect(
      try filter(["--profile=night"], ["SCENARIO_FILTER=four"])
        == "filter: four  (SCENARIO_FILTER)")
    #expect(try filter([], ["SCENARIO_FILTER="]).hasPrefix("filter: one"))
    let list = try project.scenario(
      ["list", "checks", "--filter", "quick"], variables: ["SCENARIO_FILTER=nothing"])
    list.expectExit(0)
  }

  @Test("Every option of every command has its variable")
  func variables() throws {
    let project = try project("")
    func run(_ arguments: [String], _ variables: [String]) throws -> BuiltRunner.Outcome {
      try project.scenario(arguments, variables: variables)
    }

    let list = try run(
      ["list"], ["SCENARIO_PATHS=checks", "SCENARIO_FORMAT=json", "SCENARIO_TAGS=smoke"])
    #expect(list.exitCode == 0 && list.output.hasPrefix("["), "\(list.text)")
    #expect(!list.output.contains("other"))
    let report = try run(
      ["run", "checks"], ["REGION=eu", "SCENARIO_REPORT=junit=a.xml,jsonl=b.jsonl"])
    report.expectExit(1)
    #expect(project.read("a.xml") != nil && project.read("b.jsonl") != nil)
    let cases = try run(["list", "checks"], ["SCENARIO_CASE=quick\nother"])
    #expect(cases.output.split(separator: "\n").count == 2, "\(cases.text)")
    let failed = try run(["list", "checks"], ["SCENARIO_LAST_FAILED=yes"])
    #expect(failed.errorOutput.contains("--last-failed"), "\(failed.text)")
    let not = try run(["list", "checks"], ["SCENARIO_LAST_FAILED=no"])
    #expect(not.errorOutput.isEmpty, "\(not.text)")
    let terminated = try run(["list", "--", "checks"], ["SCENARIO_FORMAT=json"])
    #expect(terminated.output.hasPrefix("["), "\(terminated.text)")
  }

  @Test("A bad value names its variable or its line, and not an option that nobody wrote")
  func badValues() throws {
    let project = try project("color: sometimes\n")
    let file = try project.scenario(["list", "checks"])
    file.expectExit(2)
    #expect(
      file.errorOutput.contains(
        "scenario.yml:1:8: error[E110]: --color does not accept \"sometimes\""), "\(file.text)")
    #expect(file.errorOutput.contains("1 | color: sometimes"), "\(file.text)")
    #expect(file.errorOutput.contains("auto, always, never"))
    let variable = try project.scenario(["list", "checks"], variables: ["SCENARIO_COLOR=maybe"])
    variable.expectExit(2)
    #expect(variable.errorOutput.contains("SCENARIO_COLOR is \"maybe\""), "\(variable.text)")
    let tags = try project.scenario(
      ["list", "checks", "--color=auto"], variables: ["SCENARIO_TAGS=a && b"])
    #expect(tags.exitCode == 2 && tags.errorOutput.contains("SCENARIO_TAGS is"), "\(tags.text)")
    #expect(!tags.errorOutput.contains("--tags:1"), "\(tags.text)")
    let own = try project.scenario(["list", "checks", "--color", "never", "--sed", "1"])
    #expect(own.exitCode == 2 && own.errorOutput.contains("--sed"), "\(own.text)")
    let flag = try project.scenario(
      ["list", "checks", "--color=auto"], variables: ["SCENARIO_LAST_FAILED=perhaps"])
    #expect(flag.exitCode == 2 && flag.errorOutput.contains("neither true nor false"))
    let near = try project.scenario(
      ["list", "checks", "--color=auto"], variables: ["SCENARIO_FITLER=x"])
    #expect(near.exitCode == 0 && near.errorOutput.contains("did you mean SCENARIO_FILTER?"))
    try project.scenario(["run", "--help"]).expectExit(0)
    try project.scenario(["--version"]).expectExit(0)
  }

  @Test("Unknown keys and profiles are refused with what was meant, before anything runs")
  func unknown() throws {
    let project = try project("reprots: { junit: x.xml }\n")
    let key = try project.scenario(["run", "checks"])
    key.expectExit(2)
    #expect(key.errorOutput.contains("scenario.yml:1:1: error[E021]"), "\(key.text)")
    #expect(key.errorOutput.contains("did you mean \"reports\"?"), "\(key.text)")
    try project.write("profiles: { ci: {}, nightly: {} }\n", to: "scenario.yml")
    let profile = try project.scenario(["run", "checks", "--profile", "nigthly"])
    profile.expectExit(2)
    #expect(profile.errorOutput.contains("did you mean \"nightly\"?"), "\(profile.text)")
    let none = try ProjectFolder(configuration: nil)
    try none.write("", to: ".git")
    let missing = try none.scenario(["list", "--profile", "ci"])
    #expect(missing.exitCode == 2 && missing.errorOutput.contains("no scenario.yml"))
  }

  @Test("Settings may stand in .scenario/config.yml, and count from the project's folder")
  func hiddenFile() throws {
    let project = try ProjectFolder(configuration: nil)
    try project.write("paths: checks\n", to: ".scenario/config.yml")
    try project.write(Self.scenario, to: "checks/region.yaml")

    let outcome = try project.scenario(["list"], below: "checks")

    #expect(outcome.exitCode == 0 && outcome.output.contains("quick"), "\(outcome.text)")
    #expect(outcome.output.contains("region.yaml"))

    // Beside another file of settings one of the two would not count.
    try project.write("", to: "scenario.yml")
    for command in ["run", "list", "config"] {
      let both = try project.scenario([command], below: "checks")
      both.expectExit(2)
      #expect(
        both.errorOutput.contains(
          "settings in \"../scenario.yml\" and in \"../.scenario/config.yml\""),
        "\(both.text)")
    }
  }

  @Test("The schema of settings is what the options are")
  func schema() throws {
    let printed = try BuiltRunner.run(["config", "--schema"])
    let kept = TemporaryFolder.read("\(BuiltRunner.root)/schemas/config.schema.json")
    #expect(printed.output == kept, "make schema writes it anew")
    #expect(printed.output.contains("\"last_failed\""))
  }
}
