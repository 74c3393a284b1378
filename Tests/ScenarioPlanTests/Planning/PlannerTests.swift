import Foundations
import Patterns
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("Planning files")
struct PlannerTests {
  @Test("A file without scenarios is one scenario, called after the file")
  func single() throws {
    let result = try Samples.plan("target: { command: [./x] }", path: "dir/trial.yaml")
    let planned = try #require(result.plan?.cases.first)

    #expect(planned.name == "trial")
    #expect(planned.identifier == "dir/trial.yaml::trial")
    #expect(planned.steps.map(\.action) == [.run(arguments: [])])
    #expect(planned.timeout == .seconds(30))
    #expect(planned.network == nil)
    #expect(planned.clock == nil)
  }

  @Test("Without any target a scenario is refused")
  func noTarget() throws {
    let errors = try Samples.errors("scenarios: [{ name: a }, { name: b }]")

    #expect(
      errors.map(\.message) == [
        "the scenario \"a\" has no target", "the scenario \"b\" has no target",
      ])
  }

  @Test("A file that another one needs as a folder is refused with both places")
  func fileAsFolder() throws {
    let errors = try Samples.errors(
      """
      target:
        command: [x]
        files:
          a/b/c: one
          a/b: two
          ab: three
      """)

    #expect(errors.map(\.message) == ["\"a/b\" is a file, but \"a/b/c\" needs a folder there"])
    #expect(errors.first?.range?.line == 4)
    #expect(errors.first?.notes.map(\.range?.line) == [5])
    #expect(errors.first?.help != nil)
  }

  @Test("Files in one folder, and beside it, go together")
  func filesInFolders() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [x], files: { a/b: one, a/c: two, a.b: three, ab/c: four } }")

    #expect(planned.target.files.map(\.path) == ["a/b", "a/c", "a.b", "ab/c"])
  }

  @Test("A scenario's own words replace or precede the file's")
  func merging() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [file], env: { A: b } }
      clock: { flow: held }
      seed: 1
      entropy: real
      timeout: 1s
      network: { unused: warn }
      responses: [{ GET https://h/file: { text: x } }]
      chaos: [{ name: file, call: fsync, provide: { error: EIO } }]
      expect: { exit: 0 }
      scenarios:
        - name: own
          tags: [smoke]
          target: { command: [own] }
          clock: { flow: auto }
          seed: 2
          entropy: seeded
          timeout: 2s
          responses: [{ GET https://h/own: { text: x } }]
          chaos: [{ name: own, call: close, provide: { error: EIO } }]
          expect: { stdout: hi }
      """)

    #expect(planned.target.command.map(\.literal) == ["own"])
    #expect(planned.target.environment.map(\.name) == ["A"])
    #expect(planned.clock?.flow == .auto)
    #expect(planned.seed == 2)
    #expect(planned.entropy == .seeded)
    #expect(planned.timeout == .seconds(2))
    #expect(planned.tags == ["smoke"])
    #expect(planned.network?.unused == .warn)
    #expect(planned.network?.responses.map(\.name) == ["GET https://h/own", "GET https://h/file"])
    #expect(planned.chaos.map(\.name) == ["own", "file"])
    #expect(planned.expect.count == 2)
    guard case .standardOutput = planned.expect[0].subject else {
      Issue.record("the scenario's own expectation is not the first")
      return
    }
  }

  @Test("Nothing is inherited of what is overridden, be it said anew or not")
  func overridden() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [file], env: { A: b } }
      network: { unused: warn, loopback: closed }
      responses: [{ GET https://h/file: { text: x } }]
      chaos: [{ name: file, call: fsync, provide: { error: EIO } }]
      expect: { exit: 0, stdout: hi }
      tags: [top]
      scenarios:
        - name: own
          override: [target, network, responses, chaos, expect, tags]
          target: { command: [own] }
          network: { unused: ignore }
          expect: { stdout: ho }
      """)

    #expect(planned.target.environment == [])
    #expect(planned.network?.loopback == .open)
    #expect(planned.network?.responses.isEmpty ?? false)
    #expect(planned.chaos.isEmpty)
    #expect(planned.tags.isEmpty)
    #expect(planned.expect.count == 1)
  }

  @Test("What stands nearer takes the place of the same condition, and others hold as well")
  func nearerConditions() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x] }
      expect: { exit: 0, stdout: hi, files: { a: b, c: d }, requests: [{ request: GET /a }] }
      scenarios:
        - name: own
          expect: { signal: TERM, files: { a: e }, requests: [{ request: GET /b }] }
      """)
    let kinds = planned.expect.map { expectation in
      switch expectation.subject {
      case .signal: "signal"
      case .exit: "exit"
      case .standardOutput: "stdout"
      case .file(let pattern, _): pattern.text
      case .request(let line, _, _): line.text
      default: "other"
      }
    }
    #expect(kinds == ["signal", "a", "GET /b", "stdout", "c", "GET /a"])
  }

  @Test("What cannot be inherited cannot be overridden")
  func strangeOverride() {
    let read = ScenarioFile.parse(
      text: "version: 2\nscenarios: [{ name: a, override: [seed, chaso] }]\n", path: "f")

    #expect(
      read.diagnostics.map(\.message) == [
        "\"seed\" is not inherited and cannot be overridden",
        "\"chaso\" is not inherited and cannot be overridden",
      ])
  }

  @Test("Version 1: what a scenario's network leaves out of that at the top is reported once")
  func lostNetwork() throws {
    let file = """
      target: { command: [x] }
      network: { loopback: closed, unused: warn, redact: [token] }
      scenarios:
        - { name: inherits }
        - { name: repeats, network: { loopback: open, unused: fail, redact: [] } }
        - { name: forgets, network: { unused: ignore, mode: offline } }
      """
    let read = ScenarioFile.parse(text: file + "\nversion: 1", path: "test.yaml")
    #expect(read.diagnostics.allSatisfy { $0.code == .formerName })
    let result = Planner.plan(
      files: [try #require(read.file)], options: PlannerOptions(fileExists: { _ in true }))

    #expect(
      result.diagnostics.map(\.message) == [
        "\"network\" of the scenario \"forgets\" replaces that of the file and does not set "
          + "\"loopback\", \"redact\""
      ])
    #expect(result.diagnostics.map(\.range?.line) == [6])
    #expect(result.diagnostics.map(\.severity) == [.warning])
    #expect(result.plan?.cases.map { $0.network?.loopback } == [.closed, .open, .open])
    let second = try Samples.plan(file)
    #expect(second.diagnostics == [])
    #expect(second.plan?.cases.map { $0.network?.loopback } == [.closed, .open, .closed])
  }

  @Test("Each key of the clock and of the files at the top holds where a scenario says others")
  func joinedSettings() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x] }
      clock: { at: 2026-03-01T09:00:00Z, flow: held, settable: true, file_times: virtual, escapes: allow }
      files: { outside: refuse }
      scenarios: [{ name: a, clock: { flow: auto }, files: {} }]
      """)

    #expect(
      planned.clock
        == PlannedClock(
          at: WallInstant(seconds: 1_772_355_600), flow: .auto, isSettable: true, files: .virtual,
          escapes: .allow))
    #expect(planned.outsideFiles == .refuse)
  }

  @Test("Limits come from the target, and a plan tells them")
  func limits() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [x], limits: { memory: 64MiB, open_files: 32, processes: 4 } }")

    #expect(
      planned.target.limits == TargetLimits(memory: 64 << 20, files: 32, processes: 4))
    #expect(
      planned.summary().contains("  limits     memory 67108864 bytes, files 32, processes 4"))
    #expect(try Samples.onlyCase("target: { command: [x] }").target.limits == nil)
  }

  @Test("What a scenario does not say comes from the file")
  func defaults() throws {
    var file = try Samples.file(
      "target: { command: [file] }\nseed: 1\nentropy: seeded\nscenarios: [{ name: a }]")
    file.defaults.steps = try Samples.file(
      "target: { command: [x] }\nsteps: [{ run: [a] }]"
    ).defaults.steps
    let result = Planner.plan(files: [file], options: PlannerOptions(fileExists: { _ in true }))
    let planned = try #require(result.plan?.cases.first)

    #expect(planned.seed == 1)
    #expect(planned.entropy == .seeded)
    #expect(planned.steps.map(\.action) == [.run(arguments: [PlannedText("a")])])
  }

  @Test("A header whose value breaks the line is an error, a tabulator in it is none")
  func brokenHeaders() throws {
    let text = """
      target: { command: [./program] }
      responses:
        - GET https://h/a: { headers: { a: "x\\r\\ny: z", b: ["fine\\t", "\\x7f"] }, text: a }
      """
    let errors = try Samples.errors(text)

    #expect(
      errors.map(\.message) == [
        "the value of \"a\" contains a line break or control character",
        "the value of \"b\" contains a line break or control character",
      ])
    #expect(errors.map(\.range?.line) == [3, 3])
  }

  @Test("Scenarios of one name are told apart")
  func names() throws {
    var file = try Samples.file(
      "target: { command: [x] }\nscenarios: [{ name: a }, { name: b }, { name: c }]")
    for index in file.scenarios.indices { file.scenarios[index].name.value = "a" }
    let result = Planner.plan(files: [file], options: PlannerOptions(fileExists: { _ in true }))

    #expect(
      result.plan?.cases.map(\.identifier)
        == ["test.yaml::a", "test.yaml::a #2", "test.yaml::a #3"])
  }

  @Test(
    "A line picks the scenario that it stands in",
    arguments: [
      (3, ["a"]), (4, ["a"]), (5, ["b"]),
    ])
  func line(line: Int, names: [String]) throws {
    let result = try Samples.plan(
      """
      target: { command: [x] }
      scenarios:
        - name: a
          tags: [t]
        - name: b
      """, selections: [Selection(path: "test.yaml", line: line)])

    #expect(result.plan?.cases.map(\.name) == names)
  }

  @Test("A line outside of all scenarios is refused, unless there is only one at the top")
  func lineOutside() throws {
    let selections = [Selection(path: "test.yaml", line: 1)]
    let many = try Samples.plan(
      "target: { command: [x] }\nscenarios: [{ name: a }]", selections: selections)
    let single = try Samples.plan("target: { command: [x] }", selections: selections)

    #expect(many.plan == nil)
    #expect(many.diagnostics.first?.message == "line 1 of \"test.yaml\" contains no scenario")
    #expect(single.plan?.cases.count == 1)
  }

  @Test("A name filter picks by regular expression")
  func filter() throws {
    let yaml = "target: { command: [x] }\nscenarios: [{ name: one }, { name: two }]"

    #expect(try Samples.plan(yaml, filter: "::t").plan?.cases.map(\.name) == ["two"])
    #expect(try Samples.plan(yaml, filter: "three").plan?.cases == [])
    #expect(try Samples.plan(yaml, filter: "(").plan == nil)
  }

  @Test("A mistake in a scenario that was not selected is reported all the same")
  func unselected() throws {
    let result = try Samples.plan(
      "target: { command: [x] }\nscenarios: [{ name: a }, { name: b, expect: { signal: NOPE } }]",
      filter: "::a")

    #expect(result.plan == nil)
    #expect(result.diagnostics.map(\.message) == ["unknown signal \"NOPE\""])
  }

  @Test("A mistake at the file's top is reported once, however many scenarios there are")
  func once() throws {
    let errors = try Samples.errors(
      "target: { command: ['${{ nope }}'] }\nscenarios: [{ name: a }, { name: b }]")

    #expect(errors.map(\.message) == ["unknown name \"nope\""])
  }

  @Test("Files are looked up from the scenario file's folder")
  func files() throws {
    let yaml = """
      target:
        command: [x]
        files: { a: { file: ../data/a.bin }, b: { file: ./gone/missing } }
      """
    let result = try Samples.plan(yaml, path: "sub/test.yaml")

    #expect(result.diagnostics.map(\.message) == ["the file \"sub/gone/missing\" does not exist"])
    let good = try Samples.plan(
      "target: { command: [x], files: { a: { file: ../data/a.bin } } }", path: "sub/test.yaml")
    #expect(good.plan?.cases[0].target.files.map(\.content) == [.copy(path: "data/a.bin")])
  }

  @Test(
    "A file of the case must stay below its directory",
    arguments: [
      "/etc/passwd", "../x", "a/../../x", "a//b", "./x", "", "a/",
    ])
  func fixturePaths(path: String) throws {
    var file = try Samples.file("target: { command: [x], files: { good: text } }")
    file.defaults.target?.files[0].path.value = path

    #expect(Samples.mistakes(file).count == 1)
    file.defaults.target?.files[0].path.value = "good/name..txt"
    #expect(Samples.mistakes(file) == [])
  }

  @Test("The same file and seed give the same plan, byte for byte, and it reads back")
  func json() throws {
    let yaml = """
      \(userFactories)
      target: { command: [x, "${{ dir }}"], files: { a.json: { json: { u: { $build: user }, d: "${{ dir }}" } } } }
      clock: { at: 2026-03-01T09:00:00Z, flow: held }
      responses:
        - request: { method: POST, url: "https://h/{id}", json: { contains: { a: 1 } } }
          reply: [{ status: 201, json: { id: "${{ request.path.id }}" }, after: 250ms }]
        - query: Q
          variables: { a: 1 }
          reply: [{ data: { x: 1.5 } }]
      chaos: [{ call: fsync, where: { path: "**/x" }, provide: { error: EIO } }]
      steps:
        - start: [a]
        - travel: { to: 1955-11-12, steps: [{ tick: 3s }] }
        - stop:
      expect: { exit: 0, stdout: { lines: [a, { matches: 'b+' }] }, files: { "*.tmp": { absent: true } } }
      """
    let plan = try #require(try Samples.plan(yaml).plan)
    let again = try #require(try Samples.plan(yaml).plan)

    let text = try plan.jsonText()

    #expect(try again.jsonText() == text)
    #expect(try ExecutionPlan(jsonText: text) == plan)
    #expect(!text.contains("\\/"))
    #expect(!plan.summary().isEmpty)
  }

  @Test("A text that is no plan, or of another version, is refused")
  func badJSON() {
    #expect(throws: PlanFormatError.self) { try ExecutionPlan(jsonText: "{}") }
    #expect(throws: PlanFormatError.self) { try ExecutionPlan(jsonText: "[") }
    let error = #expect(throws: PlanFormatError.self) {
      try ExecutionPlan(jsonText: #"{"version": 99, "cases": []}"#)
    }
    #expect(error?.message == "the plan has version 99, not 1")
  }

  @Test("The summary names case, target, clock, responses, chaos, steps and expectations")
  func summary() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./billing, "two words"] }
      clock: { flow: held }
      responses:
        - request: GET https://h/a
          reply: [{ status: 503, times: 2 }, { status: 200 }]
        - GET https://h/b: { handler: { exec: [/bin/cat, -u] } }
      chaos: [{ name: j, call: fsync, when: { times: 1 }, provide: { error: EIO } }]
      steps: [{ start: }, { tick: 3s, expect: { stdout: { contains: hi } } }, { stop: }]
      expect: { exit: 0 }
      """)

    #expect(
      planned.summary() == [
        "test.yaml::test", "  seed       0, at most 30s of real time",
        "  target     ./billing \"two words\"", "  clock      now, flow held",
        "  network    offline, 2 responses, unused: fail",
        "  response   GET https://h/a: 3 replies",
        "  response   GET https://h/b: any number of times, by the program \"/bin/cat\"",
        "  chaos      j: fsync; once; fails with EIO",
        "  step       1. start", "  step       2. tick 3s",
        "  step       2.    expects stdout contains \"hi\"", "  step       3. stop",
        "  expect     exit equals 0",
      ])
  }
}
