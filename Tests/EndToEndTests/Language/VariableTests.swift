import Testing

@Suite("Values that whoever runs scenarios gives")
struct VariableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ command: String, _ text: String, _ options: [String] = [], environment: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let path = folder.write("version: 2\n" + text, to: "a.yaml")
    return try BuiltRunner.run([command, path] + options, prefix: ["env"] + environment)
  }

  private static let greeting = """
    vars: { who: world }
    target: { command: [echo, "hello ${{ vars.who }}"] }
    expect: { stdout: hello Ada }

    """

  @Test("Command line, file and environment reach the target, in that order")
  func precedence() throws {
    let file = folder.write("who: Ada\n", to: "v.yaml")
    let other = folder.write("who=Eve\n", to: "v.env")

    try run("run", Self.greeting, ["--var", "who=Ada", "--var-file", other]).expectExit(0)
    try run("run", Self.greeting, ["--var-file", file], environment: ["SCENARIO_VAR_who=Eve"])
      .expectExit(0)
    try run("run", Self.greeting, environment: ["SCENARIO_VAR_who=Ada"]).expectExit(0)
    // The default, and what wins over what would have passed.
    try run("run", Self.greeting).expectExit(1)
    let lost = try run("run", Self.greeting, ["--var", "who=Eve", "--var-file", file])
    lost.expectExit(1)
    #expect(lost.output.contains("hello Eve"), "\(lost.text)")
  }

  @Test("A value that is missing, wrong or of no variable is told with its place, and nothing runs")
  func mistakes() throws {
    let missing = try run("run", "vars: { who: { required: true } }\ntarget: { command: [echo] }\n")
    missing.expectExit(2)
    #expect(missing.text.contains("a.yaml:2:9: error[E120]: the variable \"who\" has no value"))

    let unknown = try run("run", Self.greeting, ["--var", "whom=Ada"])
    unknown.expectExit(2)
    #expect(unknown.text.contains("did you mean \"who\"?"), "\(unknown.text)")

    // The environment may be meant for other files, too.
    let strange = try run("check", Self.greeting, environment: ["SCENARIO_VAR_whom=Ada"])
    strange.expectExit(0)
    #expect(
      strange.text.contains("warning[W018]: the variable SCENARIO_VAR_whom has no effect"),
      "\(strange.text)")
    #expect(strange.text.contains("did you mean \"who\"?"), "\(strange.text)")
    let known = try run("check", Self.greeting, environment: ["SCENARIO_VAR_who=Ada"])
    #expect(known.exitCode == 0 && !known.text.contains("W018"), "\(known.text)")

    let file = folder.write("who: [1]\n", to: "v.yaml")
    let wrong = try run("run", Self.greeting, ["--var-file", file])
    wrong.expectExit(2)
    #expect(wrong.text.contains("v.yaml:1:6: error[E121]: "), "\(wrong.text)")

    try run("run", Self.greeting, ["--var", "who"]).expectExit(2)
    try run("run", Self.greeting, ["--var-file", "\(folder.path)/none"]).expectExit(2)
  }

  @Test("A saved plan, and what is run again, keep what was given")
  func carried() throws {
    let plan = "\(folder.path)/p.json"
    try run("plan", Self.greeting, ["--var", "who=Ada", "-o", plan]).expectExit(0)
    try BuiltRunner.run(["run", "--plan", plan]).expectExit(0)
    try BuiltRunner.run(["run", "--plan", plan, "--var", "who=Eve"]).expectExit(2)

    folder.write("", to: "scenario.yml")
    let script = "cd \(folder.path) && $0 run a.yaml --var who=Eve; $0 rerun"
    let again = try BuiltRunner.run([], prefix: ["sh", "-c", script])
    again.expectExit(1)
    #expect(!again.output.contains("hello world"), "\(again.text)")
  }

  private static let secret = """
    secrets: { env: [API_TOKEN] }
    target: { command: [sh, -c, "echo got $T"], env: { T: "${{ base64(secrets.API_TOKEN) }}" } }
    expect: { stdout: "got ${{ base64(secrets.API_TOKEN) }}" }

    """

  @Test("A secret reaches the target, and no report or plan shows it")
  func secrets() throws {
    let report = "\(folder.path)/r.xml"
    let events = "\(folder.path)/e.jsonl"
    let plan = "\(folder.path)/p.json"
    let token = "API_TOKEN=correct-horse"
    try run("run", Self.secret, environment: [token]).expectExit(0)

    let failing = Self.secret + "steps: [{ run: , expect: { stdout: other } }]\n"
    let outcome = try run(
      "run", failing, ["--report", "junit=\(report)", "--report", "jsonl=\(events)"],
      environment: [token])
    outcome.expectExit(1)
    #expect(outcome.output.contains("got ***"), "\(outcome.text)")
    try run("plan", failing, ["-o", plan], environment: [token]).expectExit(0)
    let texts = try [report, events, plan].map { try #require(TemporaryFolder.read($0)) }
    for text in texts + [outcome.text] {
      #expect(!text.contains("correct-horse") && !text.contains("Y29ycmVjdC1ob3JzZQ"))
    }
  }

  @Test("A secret that is not set keeps everything from running")
  func missingSecret() throws {
    let outcome = try run("run", Self.secret, environment: ["-u", "API_TOKEN"])

    outcome.expectExit(2)
    #expect(outcome.text.contains("error[E120]: the secret \"API_TOKEN\" has no value"))
  }

  @Test("Each row of a file is a case, and its values may decide what is expected")
  func rows() throws {
    let text = """
      matrix: { $file: rows.csv }
      name: ends with ${{ matrix.code }}
      target: { command: [sh, -c, "exit ${{ matrix.code }}"] }
      expect: { exit: "${{ matrix.expected }}" }

      """
    folder.write("code,expected\n0,0\n3,3\n", to: "rows.csv")
    let outcome = try run("run", text)
    outcome.expectExit(0)
    #expect(outcome.output.contains("ends with 3"), "\(outcome.text)")

    folder.write("code,expected\n0,0\n3,4\n", to: "rows.csv")
    try run("run", text).expectExit(1)
    folder.write("code,expected\n0\n", to: "rows.csv")
    let ragged = try run("run", text)
    ragged.expectExit(2)
    #expect(ragged.text.contains("rows.csv:2:1: error[E016]: "), "\(ragged.text)")
  }
}
