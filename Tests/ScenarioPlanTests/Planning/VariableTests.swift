import Foundations
import OrderedCollections
@testable import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("What whoever runs a scenario gives")
struct VariableTests {
  private func joined(
    _ yaml: String, _ inputs: VariableInputs = .init(), files: [String: String] = [:]
  ) throws -> (file: ScenarioFile, diagnostics: [Diagnostic]) {
    let (file, mistakes) = ScenarioFile.parse(text: yaml + "\nversion: 1", path: "a.yaml")
    #expect(mistakes.map(\.message) == [])
    let access = FileAccess { path in
      files[path].map { .bytes(Array($0.utf8)) } ?? .problem("the file \"\(path)\" does not exist")
    } canonicalPath: {
      $0 == "." ? "/p" : $0.hasPrefix("/") ? $0 : "/p/\($0)"
    }
    var joiner = FileJoiner(access, inputs: inputs)
    let joined = joiner.join(try #require(file))
    return (joined, joiner.diagnostics)
  }

  private func plan(
    _ yaml: String, _ inputs: VariableInputs = .init(), files: [String: String] = [:]
  ) throws -> (cases: [PlannedCase], messages: [String]) {
    let (file, found) = try joined(yaml, inputs, files: files)
    let (plan, diagnostics) = Planner.plan(
      files: [file], options: PlannerOptions(fileExists: { _ in true }))
    return (plan?.cases ?? [], (found + diagnostics).map(\.message))
  }

  private func given(_ values: [String: String]) -> VariableInputs {
    var inputs = VariableInputs()
    inputs.commandLine = values.mapValues { .init(.string($0), isText: true, origin: "--var") }
    return inputs
  }

  private static let echo = "target: { command: [echo, \"${{ vars.who }}\"] }\nvars:"

  @Test("The command line wins over files, these over the environment, and this over the default")
  func precedence() throws {
    let yaml = Self.echo + " { who: { default: a, env: WHO } }"
    var inputs = VariableInputs()
    func word() throws -> String? { try plan(yaml, inputs).cases.first?.target.command[1].literal }

    #expect(try word() == "a")
    inputs.environment["WHO"] = "b"
    #expect(try word() == "b")
    inputs.environment["SCENARIO_VAR_who"] = "c"
    #expect(try word() == "c")
    inputs.files["who"] = .init(.string("d"), isText: false, origin: "f.yaml")
    #expect(try word() == "d")
    inputs.commandLine["who"] = .init(.string("e"), isText: true, origin: "--var")
    #expect(try word() == "e")
  }

  @Test("A scenario's own variable wins over the file's, and both are seen")
  func scopes() throws {
    let (cases, messages) = try plan(
      """
      target: { command: [echo, "${{ vars.a }}${{ vars.b }}"] }
      vars: { a: 1, b: 2 }
      scenarios: [{ name: x, vars: { b: 3 } }, { name: y }]
      """)

    #expect(messages == [])
    #expect(cases.map { $0.target.command[1].literal } == ["13", "12"])
    #expect(cases[0].variables?["b"] == .integer(3))
  }

  @Test(
    "What is given as text is read by the type",
    arguments: [
      ("{ type: integer, default: 1 }", "7", "7"), ("1.5", "2", "2"), ("true", "false", "false"),
      ("text", "7", "\"7\""), ("{ type: array, required: true }", "[1, 2]", "[1,2]"),
      ("{ type: object, default: {} }", "{\"a\": 1}", "{\"a\":1}"),
    ])
  func types(definition: String, text: String, expected: String) throws {
    let (cases, messages) = try plan(
      """
      target: { command: [cat], files: { f: { json: "${{ vars.v }}" } } }
      vars: { v: \(definition) }
      """, given(["v": text]))

    #expect(messages == [])
    guard case .json(let data)? = cases.first?.target.files.first?.content else {
      Issue.record("no file")
      return
    }
    #expect(data.literal?.jsonText() == expected)
  }

  @Test(
    "A value that is missing or of another type is told",
    arguments: [
      ("{ who: { required: true } }", nil, "the variable \"who\" has no value"),
      (
        "{ who: { type: integer } }", "x",
        "--var gives \"x\" for the variable \"who\", which is a whole number"
      ),
      (
        "{ who: { type: object, default: {} } }", "{\"a\": 1, \"a\": 2}",
        "--var gives \"{\\\"a\\\": 1, \\\"a\\\": 2}\" for the variable \"who\", which is a map: duplicate key \"a\""
      ),
      ("{ who: [1] }", "{}", "--var gives \"{}\" for the variable \"who\", which is a list"),
      (
        "{ who: true }", "yes",
        "--var gives \"yes\" for the variable \"who\", which is true or false"
      ),
      ("{ whom: x }", nil, "\"vars\" has no \"who\""),
    ])
  func mistakes(definitions: String, text: String?, message: String) throws {
    let (_, messages) = try plan(
      "target: { command: [echo, \"${{ vars.who }}\"] }\nvars: \(definitions)",
      given(text.map { ["who": $0] } ?? [:]))

    #expect(messages == [message])
  }

  @Test(
    "A definition that contradicts itself is refused",
    arguments: [
      ("{ a: }", "the variable \"a\" has no default"),
      (
        "{ a: { default: 1, required: true } }",
        "\"vars.a\" is required and has a default, which is never used"
      ),
      (
        "{ a: { required: false } }",
        "\"vars.a\" has no default, and \"required\" is false"
      ),
      (
        "{ a: { type: integer, default: x } }",
        "the default of \"vars.a\" is text, not a whole number"
      ),
      ("{ a-b: 1 }", "\"a-b\" cannot be the name of a variable"),
      (
        "{ a: \"${{ seed }}\" }",
        "a default of \"vars\" cannot contain an expression or a generator"
      ),
      ("{ a: { typ: integer, default: 1 } }", "unknown key \"typ\" in \"vars.a\""),
      ("{ a: { type: int, default: 1 } }", "unknown value \"int\" for \"type\""),
    ])
  func definitions(text: String, message: String) {
    let found = ScenarioFile.parse(text: "version: 1\nvars: \(text)\n", path: "f").diagnostics
    #expect(found.map(\.message) == [message])
  }

  @Test("A name that no file has is refused on the command line")
  func unknown() throws {
    let (file, _) = try joined(Self.echo + " { who: x }")

    let mistakes = given(["whom": "y"]).unknown(to: [file])

    #expect(mistakes.map(\.message) == ["unknown variable \"whom\" in --var: no file defines it"])
    #expect(mistakes.first?.help?.contains("did you mean \"who\"?") == true)
    #expect(given(["who": "y"]).unknown(to: [file]).isEmpty)
  }

  @Test("A value of the environment that no file asks for is told, and keeps nothing from running")
  func unknownInEnvironment() throws {
    let (file, _) = try joined(Self.echo + " { who: x }")
    var inputs = VariableInputs()
    inputs.environment = [
      "SCENARIO_VAR_whom": "y", "SCENARIO_VAR_who": "y", "SCENARIO_VAR_FILE": "v.yaml", "WHOM": "y",
    ]

    let found = inputs.unknown(to: [file])

    #expect(found.map(\.code) == [.noDifference] && found.first?.severity == .warning)
    #expect(
      found.map(\.message) == [
        "the variable SCENARIO_VAR_whom has no effect: no file defines \"whom\""
      ])
    #expect(found.first?.help?.contains("did you mean \"who\"?") == true)
    // One file that has it is enough.
    let (other, _) = try joined(Self.echo + " { whom: x, who: y }")
    #expect(inputs.unknown(to: [file, other]).isEmpty)
    #expect(inputs.unknown(to: []).isEmpty)
  }

  // MARK: - What nothing reads

  private func unread(_ yaml: String, files: [String: String] = [:]) throws -> [String] {
    let (file, found) = try joined(yaml, files: files)
    var options = PlannerOptions(fileExists: { _ in true })
    options.reportsUnused = true
    let diagnostics = found + Planner.plan(files: [file], options: options).diagnostics
    #expect(diagnostics.allSatisfy { $0.code == .unused && $0.range?.file == "a.yaml" })
    return diagnostics.map { "\($0.range?.line ?? 0) \($0.message)" }
  }

  @Test("A variable, and a column of a matrix, that no expression reads is told by check")
  func unreadNames() throws {
    #expect(
      try unread("target: { command: [x] }\nvars: { who: a }\nmatrix: { plan: [a, b] }") == [
        "2 no expression reads \"vars.who\"", "3 no expression reads \"matrix.plan\"",
      ])
    #expect(
      try unread("target: { command: [x, \"${{ vars.who }}\"] }\nvars: { who: a, whom: b }") == [
        "2 no expression reads \"vars.whom\""
      ])
    #expect(
      try unread(
        """
        scenarios:
          - name: of ${{ matrix.a }}
            target: { command: [x] }
            matrix: [{ a: 1, b: 2 }, { a: 2, b: 3 }]
            vars: { c: 1 }
        """) == ["4 no expression reads \"matrix.b\"", "5 no expression reads \"vars.c\""])
  }

  @Test("A column that multiplies cases may be named instead of taken out, and one of rows is not")
  func unreadAxis() throws {
    func help(_ matrix: String) throws -> String? {
      let file = try joined("target: { command: [x] }\nmatrix: \(matrix)").file
      return file.unreadInputs(beside: NamesRead()).first?.help
    }
    let usual = "write ${{ matrix.run }} to use its value, or remove it"

    #expect(
      try help("{ run: [1, 2, 3] }") == usual
        + ", or use it in \"name\" if it only multiplies cases")
    #expect(try help("[{ run: 1 }, { run: 2 }]") == usual)
  }

  @Test("A variable of the environment that no file has can be unset, and the prefix alone is none")
  func unknownEnvironment() throws {
    let file = try joined("target: { command: [x] }\nvars: { o: 1 }").file
    var inputs = VariableInputs()
    inputs.environment = ["SCENARIO_VAR_": "x", "SCENARIO_VAR_FILE": "f", "SCENARIO_VAR_x": "x"]

    let found = inputs.unknown(to: [file])

    #expect(
      found.map(\.message) == ["the variable SCENARIO_VAR_x has no effect: no file defines \"x\""])
    #expect(found.first?.help?.hasSuffix("variables: o; or unset SCENARIO_VAR_x") == true)
  }

  @Test(
    "What is read anywhere, as a whole or by an included file is not told, nor what others bring",
    arguments: [
      // A name alone, a wait, a whole, an element, a block.
      "name: of ${{ matrix.plan }}\nmatrix: { plan: [a, b] }",
      "vars: { pause: 1s }\nsteps: [{ start: }, { tick: \"${{ vars.pause }}\" }, { stop: }]",
      "vars: { a: 1 }\nbuild: { all: \"${{ keys(vars) }}\" }",
      "vars: { a: { default: { b: 1 } } }\nbuild: { all: \"${{ vars['a'].b }}\" }",
      "include: [s.yaml]\nvars: { greeting: hello }\nbuild: { u: { $build: user } }",
      "include: [s.yaml]\nbuild: { u: { $build: user } }",
      "matrix: { $file: rows.csv }",
      "steps: [{ run: }, { capture: { id: { stdout: 'id=(.+)' } } }]",
    ])
  func readNames(yaml: String) throws {
    let shared = """
      version: 1
      vars: { greeting: hi, other: 1 }
      factories: { user: { fields: { text: "${{ vars.greeting }}" } } }
      """
    let found = try unread(
      yaml + "\ntarget: { command: [x] }", files: ["s.yaml": shared, "rows.csv": "a,b\n1,2\n"])

    #expect(found == [])
  }

  // MARK: - Expressions where the language has forms of its own

  @Test("Names, numbers, durations and words may come from variables and rows")
  func late() throws {
    let (cases, messages) = try plan(
      """
      target: { command: [x] }
      vars: { wait: 2s, word: spy }
      scenarios:
        - name: plan ${{ matrix.plan }} in ${{ vars.wait }}
          matrix: [{ plan: a, status: 201, part: 0.5 }, { plan: b, status: 404, part: 1 }]
          tags: ["${{ matrix.plan }}"]
          timeout: ${{ vars.wait }}
          network: { mode: "${{ vars.word }}" }
          clock: { flow: auto }
          responses: [{ GET http://a.test/: { status: "${{ matrix.status }}", after: "${{ vars.wait }}" } }]
          chaos: [{ call: fsync, provide: { error: EIO }, when: { probability: "${{ matrix.part }}" } }]
          steps: [{ run: }, { tick: "${{ vars.wait }}" }]
      """)

    #expect(messages == [])
    #expect(cases.map(\.name) == ["plan a in 2s", "plan b in 2s"])
    #expect(cases.map(\.tags) == [["a"], ["b"]])
    #expect(cases.map(\.timeout) == [.seconds(2), .seconds(2)])
    #expect(cases.map { $0.network?.responses[0].replies[0].status } == [201, 404])
    #expect(
      cases.map { $0.steps[1].action } == [
        .tick(.duration(.seconds(2))), .tick(.duration(.seconds(2))),
      ])
  }

  @Test(
    "What stands there must be what its place takes, and known before anything runs",
    arguments: [
      ("timeout: ${{ vars.who }}", "\"x\" is not a duration"),
      ("retries: ${{ vars.who }}", "\"retries\" must be a whole number, not the text \"x\""),
      ("retries: ${{ vars.wo }}", "\"vars\" has no \"wo\""),
      ("retries: ${{ matrix.a }}", "has no matrix"),
    ])
  func lateMistakes(line: String, message: String) throws {
    let (_, messages) = try plan("target: { command: [x] }\nvars: { who: x }\n" + line)

    #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
  }

  @Test("A secret cannot stand in a name")
  func secretInName() {
    let found = ScenarioFile.parse(
      text: "version: 1\nsecrets: { env: [T] }\nname: \"${{ secrets.T }}\"\n", path: "f"
    ).diagnostics
    #expect(found.map(\.message) == ["\"name\" cannot contain a secret, because reports show it"])
  }

  @Test("A plan asks for secrets by name, and holds none")
  func secrets() throws {
    let (cases, messages) = try plan(
      """
      secrets: { env: [API_TOKEN] }
      target: { command: [x], env: { T: "Bearer ${{ secrets.API_TOKEN }}" } }
      """)

    #expect(messages == [])
    #expect(cases.first?.neededSecrets?.map(\.value) == ["API_TOKEN"])
    let text = cases.first?.target.environment.first?.value
    let scope = CaseScope(directory: "/", captures: CapturedValues(secrets: ["API_TOKEN": "s3"]))
    #expect(try text?.resolve(in: scope) == "Bearer s3")
    #expect(text?.literal == nil)
  }

  @Test(
    "A secret that is not named, or asked for too early, is refused",
    arguments: [
      (
        "target: { command: [x], env: { T: \"${{ secrets.TOKN }}\" } }",
        "\"secrets\" has no \"TOKN\""
      ),
      (
        "target: { command: [x] }\nbuild: { a: \"${{ secrets.TOKEN }}\" }",
        "\"secrets.TOKEN\" is known only while the scenario runs, but this value is computed before"
      ),
    ])
  func earlySecrets(text: String, message: String) throws {
    let (_, messages) = try plan("secrets: { env: [TOKEN] }\n" + text)

    #expect(messages == [message])
  }

  // MARK: - Rows

  @Test(
    "Rows come from a file",
    arguments: [
      ("rows.csv", "plan,n\nbasic,1\npro,2\n"),
      ("rows.json", #"[{"plan":"basic","n":1},{"plan":"pro","n":2}]"#),
      ("rows.yaml", "- { plan: basic, n: 1 }\n- { plan: pro, n: 2 }\n"),
    ])
  func rows(path: String, text: String) throws {
    let (cases, messages) = try plan(
      "name: a\ntarget: { command: [x] }\nmatrix: { $file: \(path), exclude: [{ plan: pro }], include: [{ plan: free, n: 0 }] }",
      files: [path: text])

    #expect(messages == [])
    #expect(cases.map(\.name) == ["a [plan=basic, n=1]", "a [plan=free, n=0]"])
    #expect(cases.first?.usedFiles == [path])
  }

  @Test(
    "A file of rows that cannot be read is told",
    arguments: [
      ("a,b\n1\n", "the row has 1 cell, and the first line 2"),
      ("a-b\n1\n", "\"a-b\" of \"rows.csv\" cannot be a name in a matrix"),
      ("a\n", "\"rows.csv\" contains no rows"), (nil, "the file \"rows.csv\" does not exist"),
    ])
  func badRows(text: String?, message: String) throws {
    let (cases, messages) = try plan(
      "name: a\ntarget: { command: [x] }\nmatrix: { $file: rows.csv }",
      files: text.map { ["rows.csv": $0] } ?? [:])

    #expect(messages == [message] && cases.isEmpty)
  }

  // MARK: - Files of values

  @Test("Lines, YAML and JSON give the same")
  func files() {
    let lines = "# who\nexport who=me # no\nb='a # b'\nc=\"x\\ny\"\n\n"
    let (values, mistakes) = VariableFile.parse(bytes: Array(lines.utf8), path: ".env")
    #expect(mistakes.isEmpty)
    #expect(
      values.mapValues(\.value)
        == ["who": "me", "b": "a # b", "c": "x\ny"].mapValues { .string($0) })

    let yaml = VariableFile.parse(bytes: Array("who: me\nn: 3\n".utf8), path: "v.yaml").values
    #expect(yaml["n"]?.value == .integer(3) && yaml["n"]?.range?.line == 2)
    let json = VariableFile.parse(bytes: Array("{\"n\": 3}".utf8), path: "v.json").values
    #expect(json["n"]?.value == .integer(3))
  }

  @Test(
    "A line that gives nothing is told",
    arguments: [
      ("who", "the line does not set a variable"),
      ("a=\"x", "the value has no closing quote at its end"),
      ("a=\"\\q\"", "\"\\q\" is not an escape sequence"),
    ])
  func badLines(text: String, message: String) {
    let (_, mistakes) = VariableFile.parse(bytes: Array(text.utf8), path: "v.env")
    #expect(mistakes.map(\.message) == [message])
    #expect(mistakes.first?.range?.line == 1)
  }

  // MARK: - Keys for anchors

  @Test("Keys that begin with x- belong to the author, wherever the language has a map")
  func extensions() throws {
    let (cases, messages) = try plan(
      """
      x-env: &env { A: one }
      target: { x-why: because, command: [x], env: *env }
      expect: { x-note: [1], exit: 0 }
      """)

    #expect(messages == [])
    #expect(cases.first?.target.environment.first?.value.literal == "one")
    let found = ScenarioFile.parse(text: "version: 1\ny-env: 1\n", path: "f").diagnostics
    #expect(found.map(\.message) == ["unknown key \"y-env\" in the file"])
  }
}
