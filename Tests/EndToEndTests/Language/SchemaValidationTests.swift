@testable import Foundations
import Glibc
import OrderedCollections
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

/// The schema, as a validator of others understands it, against what `check` says.
@Suite("Schema")
struct SchemaValidationTests {
  private static let schemaPath = "\(BuiltRunner.root)/schemas/scenario.schema.json"

  /// What a stock validator says of documents: nothing, or what is wrong, in their order.
  private func validate(_ arguments: [String], schema: String = schemaPath) throws -> [String?] {
    let python = "\(BuiltRunner.root)/.build/python/bin/python"
    try #require(access(python, X_OK) == 0, "run Tests/install-dependencies.sh test")
    let outcome = try BuiltRunner.command(
      [python, "\(BuiltRunner.root)/Tests/Schema/validate.py", schema] + arguments)
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    return try outcome.output.split(separator: "\n").map { line in
      guard case .list(let pair) = try JSONText.parse(String(line)), pair.count == 2 else {
        throw JSONParseError("no pair", line: 1, column: 1)
      }
      if case .string(let problem) = pair[1] { return problem }
      return nil
    }
  }

  private func validate(_ documents: [Value]) throws -> [String?] {
    let folder = try TemporaryFolder()
    let path = folder.write(Value.list(documents).jsonText(), to: "documents.json")
    let problems = try validate(["--cases", path])
    try #require(problems.count == documents.count)
    withExtendedLifetime(folder) {}
    return problems
  }

  private func messages(_ document: Value) -> [String] {
    ScenarioFile.parse(text: document.jsonText(pretty: true), path: "f").diagnostics.map(\.message)
  }

  @Test("It accepts every file of the tree that the decoder accepts")
  func acceptsFiles() throws {
    let tests = ["RealPrograms", "Stress", "EndToEndTests/Failing"]
    let folders = ["scenarios"] + tests.map { "Tests/\($0)" }
    let files = folders.flatMap { folder in
      TemporaryFolder.names("\(BuiltRunner.root)/\(folder)").filter { $0.hasSuffix(".yaml") }
        .map { "\(BuiltRunner.root)/\(folder)/\($0)" }
    }.sorted().filter { path in
      ScenarioFile.parse(text: TemporaryFolder.read(path) ?? "", path: path).file != nil
    }
    try #require(files.count > 100)
    for (path, problem) in zip(files, try validate(files)) {
      #expect(problem == nil, "\(path)")
    }
  }

  @Test("Each key of the language is known to both, and to neither when it is misspelled")
  func misspellings() throws {
    let cases = try Self.cases()
    try #require(cases.count > 400)
    let proper = try validate(cases.map(\.proper))
    let misspelled = try validate(cases.map(\.misspelled))
    for (index, item) in cases.enumerated() {
      let place = "\(item.key) in \(item.definition)"
      #expect(proper[index] == nil, "\(place): \(item.proper.jsonText())")
      let unknown = messages(item.proper).filter { $0.contains("unknown key") }
      #expect(unknown.isEmpty, "\(place): \(item.proper.jsonText())")
      // A map with none of their keys is data.
      guard !["dataConditions", "jsonOperator"].contains(item.definition) else { continue }
      #expect(misspelled[index] != nil, "\(place): \(item.misspelled.jsonText())")
      let named = messages(item.misspelled).contains { $0.contains(SchemaDocuments.misspelling) }
      #expect(named, "\(place): \(item.misspelled.jsonText())")
    }
  }

  @Test("A value of a wrong kind is refused by both")
  func wrongKinds() throws {
    let cases = try Self.cases().filter { $0.wrongKind != nil }
    try #require(cases.count > 400)
    let problems = try validate(cases.map { $0.wrongKind ?? .null })
    for (item, problem) in zip(cases, problems) {
      let document = item.wrongKind ?? .null
      let place = "\(item.key) in \(item.definition): \(document.jsonText())"
      #expect(problem != nil, "\(place)")
      // What an assertion gives is known when it has been computed.
      guard item.key != "assert" else { continue }
      let messages = messages(document)
      #expect(!messages.isEmpty && messages != self.messages(item.proper), "\(place)")
    }
  }

  @Test(
    "Mistakes in the structure are refused by both",
    arguments: [
      "clok: { flow: auto }", "seed: soon", "steps: [ { jump: 5 parsecs } ]", "timeout: 5",
      "clock: { flow: fast }", "clock: { flow: y60 }", "entropy: maybe", "steps: {}",
      "steps: [ { run: [], signal: TERM } ]", "steps: [ {} ]", "steps: [], scenarios: []",
      "scenarios: [ { steps: [] } ]", "tags: smoke", "network: { mode: on }",
      "responses: [ { GET https://a.example/: { json: 1, text: a } } ]",
      "responses: [ { request: GET https://a.example/ } ]",
      "responses: [ { request: GET https://a.example/, reply: {}, data: {} } ]",
      "responses: [ { query: A, mutation: B, reply: { data: {} } } ]",
      "responses: [ { host: a.example } ]", "chaos: [ { call: fsync } ]",
      "chaos: [ { call: fsync, link: a.example, provide: nil } ]",
      "chaos: [ { call: fsync, provide: { error: EIO, exit: 1 } } ]",
      "chaos: [ { call: fsync, provide: { errno: EIO, exit: 1 } } ]",
      "chaos: [ { call: fsync, in: libc, provide: nil } ]",
      "chaos: [ { call: fsync, when: { probability: 2 }, provide: nil } ]",
      "chaos: [ { call: fsync, when: { every: 2, nth: 3 }, provide: nil } ]",
      "chaos: [ { call: fsync, provide: nill } ]",
      "build: { a: { $build: u, trait: a, traits: [b] } }", "build: { a: { $bild: u } }",
      "build: { a: { $seq: 1, $fake: email } }", "build: { a: { $maybe: {} } }",
      "expect: { exit: zero }", "expect: { stdout: { containz: a } }", "expect: { stdout: {} }",
      "expect: { stdout: [a] }", "expect: { duration: 5 }",
    ])
  func mistakes(_ line: String) throws {
    let text = "{ version: 2, target: { command: [date] }, \(line) }"
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "mistake.yaml")

    let problems = try validate([path])
    #expect(problems.count == 1 && problems[0] != nil)
    #expect(ScenarioFile.parse(text: text, path: path).file == nil)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Keys of authors and expressions in place of numbers, bools and words are accepted by both",
    arguments: [
      "x-anchors: { a: 1 }", "clock: { flow: auto, x-why: later }", "seed: '${{ vars.n }}'",
      "timeout: '${{ vars.t }}'", "clock: { flow: '${{ vars.f }}' }",
      "expect: { exit: '${{ vars.n }}', duration: '${{ vars.t }}' }",
      "steps: [ { tick: '${{ vars.t }}', x-note: why } ]",
      "steps: [ { run: }, { signal: '${{ vars.s }}' } ]",
      "responses: [ { GET http://a.test/: { status: '${{ vars.n }}', after: '${{ vars.t }}' } } ]",
      "chaos: [ { call: write, when: { nth: '${{ vars.n }}' }, provide: { error: '${{ vars.e }}' } } ]",
    ])
  func expressions(_ line: String) throws {
    let text = """
      version: 2
      vars: { n: 200, t: 5s, f: held, s: TERM, e: EIO }
      target: { command: [date] }
      \(line)
      """
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "accepted.yaml")

    #expect(try validate([path]) == [nil])
    let file = ScenarioFile.parse(text: text, path: path)
    #expect(file.file != nil, "\(file.diagnostics.map(\.message))")
    withExtendedLifetime(folder) {}
  }

  /// A place in a document, and what an editor offers there.
  struct Place: CustomTestStringConvertible {
    var document: String
    var path: String
    var keys: [String] = []
    var values: [String] = []
    /// What is offered at other places only.
    var foreign: [String] = []
    var hover = ""

    var testDescription: String { path }
  }

  @Test(
    "An editor that follows the schema offers keys and values, and says what they are for",
    arguments: [
      Place(
        document: #"{"version": 1}"#, path: "[]", keys: ["clock", "scenarios", "target"],
        foreign: ["version", "during", "flow"], hover: "Scenarios for an executable"),
      Place(
        document: #"{"clock": {"at": 1}}"#, path: #"["clock"]"#, keys: ["flow", "settable"],
        foreign: ["at", "steps"], hover: "The time at the start, and how time passes."),
      Place(
        document: "{}", path: #"["network", "mode"]"#,
        values: ["live", "offline", "record", "spy"], hover: "offline: the mock server answers"),
      Place(
        document: #"{"steps": [{"travel": {}}]}"#, path: #"["steps", 0, "travel"]"#,
        keys: ["steps", "to"], foreign: ["by"], hover: "Sets the wall clock."),
      Place(
        document: #"{"scenarios": [{"steps": [{"travel": {}}]}]}"#,
        path: #"["scenarios", 0, "steps", 0]"#, keys: ["capture", "name", "run"],
        foreign: ["travel", "seed"], hover: "One step"),
      Place(
        document: "{}", path: #"["steps", 0, "capture", "id"]"#,
        keys: ["stderr", "stdout"], foreign: ["contains", "output"],
        hover: "Where to find the value."),
      Place(
        document: #"{"steps": [{"capture": {"id": {"stdout": {}}}}]}"#,
        path: #"["steps", 0, "capture", "id", "stdout", "json"]"#,
        foreign: ["stdout"], hover: "A path to one value"),
      Place(
        document: #"{"build": {"a": {"$fake": null}}}"#, path: #"["build", "a", "$fake"]"#,
        values: ["email", "iban", "slug"], foreign: ["real"], hover: "A realistic fake value"),
      Place(
        document: #"{"expect": {"stdout": {"contains": "a"}}}"#, path: #"["expect", "stdout"]"#,
        keys: ["empty", "in", "matches"], foreign: ["contains", "flow"]),
      Place(document: "{}", path: #"["only"]"#, values: ["false", "true"], foreign: ["real"]),
    ])
  func completion(place: Place) throws {
    let folder = try TemporaryFolder()
    let questions = folder.write("[[\(place.document), \(place.path)]]", to: "questions.json")
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/.build/python/bin/python",
      "\(BuiltRunner.root)/Tests/Schema/complete.py", Self.schemaPath, questions,
    ])
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    guard case .map(let answer) = try JSONText.parse(outcome.output),
      case .map(let keys)? = answer["keys"], case .list(let offered)? = answer["values"]
    else {
      Issue.record("no keys and values: \(outcome.text)")
      return
    }
    let values = offered.map { $0.jsonText().replacing("\"", with: "") }

    for key in place.keys { #expect(keys[key] == Value.bool(true), "\(key) in \(outcome.text)") }
    for value in place.values { #expect(values.contains(value), "\(value) in \(outcome.text)") }
    for word in place.foreign {
      #expect(keys[word] == nil && !values.contains(word), "\(word) in \(outcome.text)")
    }
    #expect(outcome.output.contains("\"hover\": \"\(place.hover)"), "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }

  @Test("The command prints the schema, and with files one that knows their names")
  func command() throws {
    let plain = try BuiltRunner.run(["schema"])
    plain.expectExit(0)
    #expect(plain.output == TemporaryFolder.read(Self.schemaPath))

    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [date] }
      factories: { user: { fields: { a: 1 }, traits: { admin: {} } } }
      build: { bob: { $build: user, traits: [admin] } }

      """, to: "project.yaml")
    let named = try BuiltRunner.run(["schema", path])
    named.expectExit(0)
    let schema = folder.write(named.output, to: "project.json")
    #expect(try validate([path], schema: schema) == [nil])

    let other = folder.write(
      "{ version: 2, target: { command: [a] }, build: { bob: { $build: usr } } }", to: "other.yaml")
    #expect(try validate([other]) == [nil])
    #expect(try validate([other], schema: schema).first != .some(nil))
    withExtendedLifetime(folder) {}
  }

  @Test("A schema of files knows the names of the files that they use")
  func usedNames() throws {
    let folder = try TemporaryFolder()
    folder.write(
      """
      version: 2
      factories: { user: { fields: { a: 1 }, traits: { admin: {} } } }
      chaos: [{ name: storm, call: fsync, provide: { error: EIO }, apply: false }]

      """, to: "shared.yaml")
    let path = folder.write(
      """
      version: 2
      include: [shared.yaml]
      target: { command: [date] }
      factories: { own: { fields: { a: 1 }, traits: { new: {} } } }
      chaos: [{ name: calm, call: fsync, provide: original, apply: false }]
      build: { bob: { $build: user, traits: [admin] } }
      steps: [{ start: }, { apply: storm }]

      """, to: "project.yaml")

    for argument in [path, folder.path] {
      let named = try BuiltRunner.run(["schema", argument])
      named.expectExit(0)
      let schema = folder.write(named.output, to: "project.json")
      #expect(try validate([path], schema: schema) == [nil])
    }
    withExtendedLifetime(folder) {}
  }

  private static func cases() throws -> [SchemaDocuments.KeyCase] {
    let documents = SchemaDocuments(schema: try JSONText.parse(ScenarioSchema.text()))
    let cases = documents.cases()
    try #require(cases.count > 450)
    #expect(documents.unreached(by: cases).isEmpty)
    return cases
  }
}
