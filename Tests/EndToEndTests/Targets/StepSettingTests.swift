import Testing

@Suite("How steps are performed")
struct StepSettingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let path = folder.write("version: 2\n" + text, to: "a.yaml")
    return try BuiltRunner.run(["run", path] + options)
  }

  private static let counting =
    "target: { command: [sh, -c, 'echo x >> n; test $(wc -l < n) -ge ${LEAST:-1}'] }\n"

  @Test("A step is performed as often as it says, each time with its expectations")
  func repetition() throws {
    let text = Self.counting + "steps: [{ run: , repeat: 3, expect: { exit: 0 } }]\n"
    try run(text + "expect: { files: { n: \"x\\nx\\nx\\n\" } }\n").expectExit(0)
    try run(text + "expect: { files: { n: \"x\\nx\\n\" } }\n").expectExit(1)
  }

  @Test("A step is tried until it succeeds, and what failed before is forgotten")
  func retry() throws {
    func text(_ attempts: Int) -> String {
      Self.counting
        + "steps: [{ run: , env: { LEAST: \"3\" }, retry: \(attempts), expect: { exit: 0 } }]\n"
    }
    let outcome = try run(text(3))
    outcome.expectExit(0)

    let failing = try run(text(2))
    failing.expectExit(1)
    #expect(failing.output.contains("0 passed, 1 failed"), "\(failing.text)")
  }

  @Test("Between two tries the scenario's time passes")
  func interval() throws {
    let text = """
      clock: { at: 2026-01-01T00:00:00Z, flow: auto }
      target: { command: [sh, -c, 'test $(date +%H) -ge 2'] }
      steps: [{ run: , retry: { attempts: 4, every: 1h }, expect: { exit: 0 } }]
      expect: { duration:
      """
    try run(text + " { greater_than: 1h59m } }\n").expectExit(0)
    try run(text + " { less_than: 1h } }\n").expectExit(1)
  }

  @Test("A condition leaves a step out, also one that only the run knows")
  func condition() throws {
    let text = """
      vars: { slow: false }
      target: { command: [echo, "id=7"] }
      steps:
        - { run: , if: "${{ vars.slow }}", expect: { exit: 9 } }
        - run:
        - capture: { id: { stdout: 'id=(\\d+)' } }
        - { exec: "exit 3", if: "${{ int(capture.id) > LIMIT }}" }

      """
    try run(text.replacing("LIMIT", with: "7")).expectExit(0)
    try run(text.replacing("LIMIT", with: "6")).expectExit(1)
    try run(text.replacing("LIMIT", with: "7"), ["--var", "slow=true"]).expectExit(1)
  }

  @Test("A step's own time is up before the scenario's")
  func timeout() throws {
    let outcome = try run(
      "target: { command: [sleep, \"1000\"] }\nsteps: [{ run: , timeout: 1s }]\n")

    #expect(outcome.exitCode != 0)
    #expect(outcome.output.contains("1s"), "\(outcome.text)")
    try run("target: { command: [\"true\"] }\nsteps: [{ run: , timeout: 25s }]\n").expectExit(0)
  }

  @Test("Target and commands work in the folder that they name")
  func folders() throws {
    let text = """
      target: { command: [sh, -c, "basename $PWD; cat ../seed"], working_directory: app, files: { seed: s } }
      steps:
        - run:
        - { exec: { command: "basename $PWD", working_directory: app/sub }, expect: { stdout: sub } }

      """
    try run(text + "expect: { stdout: \"app\\ns\" }\n").expectExit(0)
    try run(text + "expect: { stdout: \"work\\ns\" }\n").expectExit(1)
    let outside = try run(text.replacing("directory: app,", with: "directory: ../x,"))
    outside.expectExit(2)
    #expect(outside.text.contains("error[E081]: "), "\(outside.text)")
  }

  @Test(
    "What a step cannot be told is refused",
    arguments: [
      ("{ run: , retry: 1 }", "\"retry\" must be from 2 to 10000, not 1"),
      ("{ run: , repeat: 0 }", "\"repeat\" must be from 1 to 10000, not 0"),
      ("{ stop: , env: { A: b } }", "\"env\" changes nothing"),
      ("{ run: , if: 3 }", "\"if\" is a number, not true or false"),
      ("{ run: , env: { pass: [HOME] } }", "\"pass\" is not allowed in the \"env\" of a step"),
    ])
  func mistakes(step: String, message: String) throws {
    let outcome = try run("target: { command: [\"true\"] }\nsteps: [{ start: }, \(step)]\n")

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("What a scenario is for stands in reports")
  func description() throws {
    let report = "\(folder.path)/r.xml"
    let outcome = try run(
      "description: a trial ends in time\ntarget: { command: [\"true\"] }\n",
      ["--report", "junit=\(report)"])

    outcome.expectExit(0)
    #expect(TemporaryFolder.read(report)?.contains("a trial ends in time") == true)
  }

  @Test("Every factory and trait of a file is built by lint, and a function is explained")
  func commands() throws {
    let factories =
      "factories: { user: { fields: { id: 1 }, construct: { args: [id] }, traits: { TRAIT: { fields: { id: CODE } } } } }\n"
    func lint(_ value: String) throws -> BuiltRunner.Outcome {
      let text = factories.replacing("TRAIT", with: "odd").replacing("CODE", with: value)
      let path = folder.write("version: 2\ntarget: { command: [x] }\n" + text, to: "f.yaml")
      return try BuiltRunner.run(["build", path, "--lint"])
    }
    let well = try lint("2")
    well.expectExit(0)
    #expect(well.output == "ok      user\nok      user with odd\n", "\(well.text)")
    let bad = try lint("\"${{ self.nothing }}\"")
    bad.expectExit(2)
    #expect(bad.output.contains("failed  user with odd"), "\(bad.text)")

    let explained = try BuiltRunner.run(["explain", "lower"])
    explained.expectExit(0)
    #expect(explained.output.hasPrefix("lower(text)\n\nThe text in lower case.\n"))
    try BuiltRunner.run(["explain", "lowr"]).expectExit(2)
  }
}
