import Foundations
import ScenarioModel
import ScenarioSyntax
import Synchronization
import Testing

@testable import ScenarioCompiler
@testable import ScenarioPlan

/// Files that are there or not as a test says, and that remember who asked for them.
private final class FakeFiles: Sendable {
  private let contents: [String: String]
  private let paths = Mutex((sought: [String](), read: [String]()))

  init(_ contents: [String: String] = [:]) { self.contents = contents }

  /// The paths of which somebody asked whether there is a file, in order.
  var sought: [String] { paths.withLock { $0.sought } }
  /// The paths that were read, in order.
  var read: [String] { paths.withLock { $0.read } }

  var options: PlannerOptions {
    PlannerOptions(
      fileExists: { path in
        self.paths.withLock { $0.sought.append(path) }
        return self.contents[path] != nil
      },
      readFile: { path in
        self.paths.withLock { $0.read.append(path) }
        return self.contents[path].map { Array($0.utf8) }
      })
  }
}

@Suite("What the planner decides about one case")
struct CasePlannerTests {
  private static let target = "target: { command: [./program] }\n"

  /// The planner of one of a file's cases.
  private func planner(
    _ yaml: String, path: String = "dir/test.yaml", case number: Int = 0,
    _ options: PlannerOptions = FakeFiles().options, _ bag: DiagnosticBag = DiagnosticBag()
  ) throws -> CasePlanner {
    let read = ScenarioFile.parse(text: yaml + "\nversion: 2", path: path)
    #expect(read.diagnostics.map(\.message) == [])
    let file = try #require(read.file)
    var mistakes = DiagnosticBag()
    let cases = Planner.cases(of: file, &mistakes)
    #expect(mistakes.list.map(\.message) == [])
    return CasePlanner(
      file: path, folder: file.pathFolder, case: cases[number], index: number, options, bag,
      shared: file.shared.files)
  }

  private func mistakes(_ yaml: String) throws -> [Diagnostic] {
    var planner = try planner(yaml)
    _ = planner.plan()
    return planner.data.diagnostics.list
  }

  // MARK: - Order

  @Test("Numbers are drawn by objects first, then targets, replies, steps, expectations and always")
  func order() throws {
    var planner = try planner(
      """
      factories: { user: { fields: { id: { $seq: 1 } } } }
      cleanup: [ { exec: [echo, { $json: { $build: user } }] } ]
      expect: { stdout: { json: { contains: { $build: user } } } }
      steps: [ { start: }, { exec: [echo, { $json: { $build: user } }] }, { stop: } ]
      responses: [ { GET http://h/x: { json: { $build: user } } } ]
      target: { command: [./program], files: { a.json: { json: { $build: user } } } }
      build: { own: { $build: user }, other: "${{ build.own.id }}" }
      """)
    let planned = planner.plan()

    #expect(planner.data.diagnostics.list.map(\.message) == [])
    let parts: [Any?] = [
      planned?.target, planned?.network, planned?.steps, planned?.expect, planned?.always,
    ]
    // The first is the object's own.
    #expect(parts.map(Self.number) == [2, 3, 4, 5, 6])
  }

  /// The number that an object of a plan has drawn.
  private static func number(in part: Any?) -> Int? {
    let behind = "\(part ?? "")".split(separator: "\"id").dropFirst().first
    return (behind?.drop { !$0.isNumber }.prefix { $0.isNumber }).flatMap { Int($0) }
  }

  @Test("Factories are checked before anything is built from them")
  func factoriesFirst() throws {
    let mistakes = try mistakes(
      Self.target + "factories: { user: { fields: { id: \"${{ nothing }}\" } } }\n"
        + "build: { own: { $build: usr } }\n")
    #expect(
      mistakes.map(\.message) == ["unknown name \"nothing\"", "unknown factory \"usr\""])
  }

  @Test("What the case before it was told of the same factories is not looked for again")
  func knownFactories() throws {
    let yaml = Self.target + "factories: { user: { fields: { id: \"${{ nothing }}\" } } }\n"
    var first = try planner(yaml)
    _ = first.plan()
    #expect(first.data.diagnostics.list.count == 1)
    var second = try planner(yaml)
    second.checkedFactories = first.checkedFactories
    _ = second.plan()
    #expect(second.data.diagnostics.list.isEmpty)
    var other = try planner(yaml + "build: { one: 1 }")
    other.checkedFactories = first.checkedFactories
    _ = other.plan()
    #expect(other.data.diagnostics.list.count == 1)
  }

  // MARK: - What is known where

  private static let capture = "{ capture: { token: { stdout: 't=(x)' } } }"

  @Test("A reply knows what steps capture; what follows a step, only what was captured before")
  func captures() throws {
    let reply = "responses: [ { GET http://h/x: { text: \"${{ capture.token }}\" } } ]\n"
    let known = try mistakes(
      Self.target + reply + "steps: [ { start: }, \(Self.capture), { stop: } ]")
    #expect(known.map(\.message) == [])
    let early = try mistakes(
      Self.target
        + "steps: [ { start: }, { send: \"${{ capture.token }}\" }, \(Self.capture), { stop: } ]")
    #expect(early.map(\.message) == ["\"capture\" has no \"token\""])
  }

  @Test("What is captured when nobody can ask any more is too late for replies, and known behind")
  func lateCaptures() throws {
    let steps = "steps: [ { run: }, \(Self.capture) ]\n"
    let reply = try mistakes(
      Self.target + steps + "responses: [ { GET http://h/x: { text: \"${{ capture.token }}\" } } ]")
    #expect(reply.map(\.code) == [.notKnownHere])
    #expect(reply.first?.notes.map(\.message) == ["it is captured here"])
    let behind = try mistakes(
      Self.target + steps + "cleanup: [ { exec: [echo, \"${{ capture.token }}\"] } ]")
    #expect(behind.map(\.message) == [])
    // To a step in front of it, it is like any other that comes later.
    let before = try mistakes(
      Self.target
        + "steps: [ { run: }, { exec: [echo, \"${{ capture.token }}\"] }, \(Self.capture) ]")
    #expect(before.map(\.message) == ["\"capture\" has no \"token\""])
  }

  @Test(
    "A name that is not captured is reported with those of all steps in a reply, of those before in a step"
  )
  func unknownCaptures() throws {
    func help(_ more: String) throws -> [String?] {
      try mistakes(Self.target + more).map { $0.help }
    }
    let word = "\"${{ capture.tokn }}\""
    #expect(
      try help(
        "responses: [ { GET http://h/x: { text: \(word) } } ]\n"
          + "steps: [ { start: }, \(Self.capture), { stop: } ]")
        == ["did you mean \"token\"? captured by steps: token"])
    #expect(
      try help("steps: [ { start: }, \(Self.capture), { send: \(word) }, { stop: } ]")
        == ["did you mean \"token\"? captured before: token"])
    #expect(
      try help(
        "targets: { a: { command: [x, \(word)] } }\n"
          + "steps: [ { start: , target: target }, \(Self.capture), { start: , target: a } ]")
        == ["did you mean \"token\"? captured by steps: token"])
  }

  @Test("A reply knows what steps build; a step in front of that one does not")
  func stepBuilds() throws {
    let build = "{ build: { late: 1 } }"
    let reply = try mistakes(
      Self.target + "responses: [ { GET http://h/x: { text: \"${{ build.late }}\" } } ]\n"
        + "steps: [ { start: }, \(build), { stop: } ]")
    #expect(reply.map(\.message) == [])
    let step = try mistakes(
      Self.target + "steps: [ { start: }, { send: \"${{ build.late }}\" }, \(build), { stop: } ]")
    #expect(step.map(\.message) == ["\"build\" has no object \"late\""])
  }

  // MARK: - What a case is

  @Test("The seed is the case's own, then the command line's, the file's, and the usual one")
  func seed() throws {
    var options = FakeFiles().options
    #expect(try planner(Self.target, options).seed == 0)
    options.usualSeed = 1
    #expect(try planner(Self.target, options).seed == 1)
    #expect(try planner(Self.target + "seed: 2", options).seed == 2)
    options.seed = 3
    #expect(try planner(Self.target + "seed: 2", options).seed == 3)
    options.seeds = ["dir/test.yaml::test": 4, "dir/test.yaml::other": 5]
    #expect(try planner(Self.target + "seed: 2", options).seed == 4)
  }

  @Test("Without a target there is no case, and its other mistakes are reported all the same")
  func noTarget() throws {
    var planner = try planner("expect: { signal: NOPE }\n")
    #expect(planner.plan() == nil)
    #expect(planner.data.diagnostics.list.map(\.message).contains("unknown signal \"NOPE\""))
  }

  @Test("The bound on a case is its own, or that of the options")
  func timeout() throws {
    var options = FakeFiles().options
    options.defaultTimeout = .seconds(7)
    var usual = try planner(Self.target, options)
    #expect(usual.plan()?.timeout == .seconds(7))
    var own = try planner(Self.target + "timeout: 2s", options)
    #expect(own.plan()?.timeout == .seconds(2))
  }

  @Test("A bound that leaves no time is refused, wherever the model comes from")
  func noTime() throws {
    var file = try #require(
      ScenarioFile.parse(text: Self.target + "version: 2", path: "a.yaml").file)
    let range = SourceRange(file: "a.yaml", line: 7, column: 3)
    file.defaults.timeout = Located(.zero, at: range)
    let mistakes = Planner.plan(files: [file], options: FakeFiles().options).diagnostics
    #expect(mistakes.map(\.code) == [.outOfRange])
    #expect(mistakes.map(\.range) == [range])
  }

  @Test("A case whose steps or conditions speak of time has a clock, which flows")
  func clock() throws {
    func clock(_ more: String) throws -> PlannedClock? {
      var planner = try planner(Self.target + more)
      return planner.plan()?.clock
    }
    let flowing = PlannedClock(at: nil, flow: .real)
    #expect(try clock("") == nil)
    #expect(try clock("steps: [ { jump: 1h }, { run: } ]") == flowing)
    #expect(try clock("expect: { duration: { less_than: 1s } }") == flowing)
    #expect(
      try clock("clock: {}")
        == PlannedClock(at: nil, flow: .real, isSettable: false, files: .real, escapes: .fail))
    #expect(try clock("clock: { flow: held }\nsteps: [ { jump: 1h }, { run: } ]")?.flow == .held)
  }

  @Test(
    "A case is skipped without a condition, or where it is true",
    arguments: [
      ("skip: later", "later"), ("skip: { if: \"${{ seed == 0 }}\", reason: r }", "r"),
      ("skip: { if: \"${{ seed == 1 }}\", reason: r }", nil), ("", nil),
    ])
  func skip(more: String, reason: String?) throws {
    var planner = try planner(Self.target + more)
    #expect(planner.plan()?.skip == reason)
    #expect(planner.data.diagnostics.list.isEmpty)
  }

  @Test("A condition of skip that is no truth value, or cannot be known, is told where it stands")
  func wrongSkip() throws {
    let number = try mistakes(Self.target + "skip: { if: \"${{ seed }}\", reason: r }")
    #expect(number.map(\.code) == [.wrongType])
    #expect(number.map(\.range?.line) == [2])
    #expect(number.map(\.range?.column) == [13])
    let unknown = try mistakes(Self.target + "skip: { if: \"${{ nope }}\", reason: r }")
    #expect(unknown.map(\.message) == ["unknown name \"nope\""])
  }

  @Test("A plan says only what is not usual")
  func usual() throws {
    var planner = try planner(Self.target)
    let plan = planner.plan()
    let planned = try #require(plan)

    #expect(planned.identifier == "dir/test.yaml::test")
    #expect(planned.folder == nil && planned.usedFiles == nil && planned.moreTargets == nil)
    #expect(planned.mutations == nil && planned.row == nil && planned.always == nil)
    #expect(planned.entropy == .real)
  }

  @Test("Of several targets the first is the case's, and the others stand in their order")
  func targets() throws {
    var planner = try planner(
      "targets: { a: { command: [a] }, b: { command: [b] }, c: { command: [c] } }\n"
        + "steps: [ { run: , target: c } ]")
    let plan = planner.plan()
    let planned = try #require(plan)

    #expect(planned.target.command.map(\.literal) == ["a"])
    #expect(planned.moreTargets?.map(\.command.first?.literal) == ["b", "c"])
    #expect(planner.targetNumbers == ["a": 0, "b": 1, "c": 2])
    #expect(planned.steps.map(\.target) == [2])
  }

  // MARK: - Files

  @Test(
    "Each file is asked for from the folder of the scenario's file, and one that is missing is reported"
  )
  func files() throws {
    let files = FakeFiles(["dir/here.txt": ""])
    var planner = try planner(
      "target: { command: [x], files: { a: { file: here.txt }, b: { file: ../gone.txt } } }",
      files.options)
    _ = planner.plan()

    #expect(files.sought.prefix(2) == ["dir/here.txt", "gone.txt"])
    let mistakes = planner.data.diagnostics.list
    #expect(mistakes.map(\.message) == ["the file \"gone.txt\" does not exist"])
    #expect(mistakes.map(\.code) == [.missingFile])
    #expect(mistakes.map(\.range?.column) == [68])
  }

  @Test("A schema that several cases name is read once")
  func schema() throws {
    let files = FakeFiles(["dir/s.graphql": "type Query { a: Int }"])
    let read = ScenarioFile.parse(
      text: """
        version: 2
        target: { command: [x] }
        network: { graphql: { schema: s.graphql } }
        responses: [ { query: A, document: "query A { a }", reply: [ { data: { a: 1 } } ] } ]
        scenarios: [ { name: a }, { name: b } ]
        """, path: "dir/test.yaml")
    #expect(read.diagnostics.map(\.message) == [])
    let result = Planner.plan(files: [try #require(read.file)], options: files.options)

    #expect(result.diagnostics.map(\.message) == [])
    #expect(files.read.filter { $0.hasSuffix(".graphql") } == ["dir/s.graphql"])
  }

  // MARK: - Diagnostics

  @Test("Each mistake is reported once, in the order in which it was met")
  func once() throws {
    let mistakes = try mistakes(
      """
      target: { command: ["${{ one }}"] }
      expect: { signal: NOPE }
      steps: [ { run: , expect: { signal: NOPE } }, { run: ["${{ two }}"] } ]
      """)
    #expect(
      mistakes.map(\.message)
        == [
          "unknown name \"one\"", "unknown signal \"NOPE\"", "unknown name \"two\"",
          "unknown signal \"NOPE\"",
        ])
    #expect(mistakes.map(\.range?.line) == [1, 3, 3, 2])
  }

  @Test("Mistakes of a case come behind those that were reported before it")
  func bag() throws {
    var bag = DiagnosticBag()
    bag.report("before", code: .badArguments, at: nil)
    var planner = try planner(Self.target + "expect: { signal: NOPE }", FakeFiles().options, bag)
    _ = planner.plan()
    #expect(planner.data.diagnostics.list.map(\.message) == ["before", "unknown signal \"NOPE\""])
  }
}

@Suite("What the planner decides about files")
struct PlannerDecisionTests {
  private func file(_ yaml: String, _ path: String, version: Int = 2) throws -> ScenarioFile {
    try #require(ScenarioFile.parse(text: yaml + "\nversion: \(version)", path: path).file)
  }

  private static let random =
    "target: { command: [x], files: { a.json: { json: { $uuid: true } } } }\nscenarios: [ { name: a }, { name: b } ]"

  @Test("A case draws the same random values whatever the order in which files are named")
  func places() throws {
    let files = [try file(Self.random, "b.yaml"), try file(Self.random, "a.yaml")]
    let options = FakeFiles().options
    let forward = Planner.plan(files: files, options: options).plan?.cases ?? []
    let backward = Planner.plan(files: files.reversed(), options: options).plan?.cases ?? []

    #expect(forward.map(\.identifier) == ["b.yaml::a", "b.yaml::b", "a.yaml::a", "a.yaml::b"])
    #expect(
      Dictionary(forward.map { ($0.identifier, $0) }) { first, _ in first }
        == Dictionary(backward.map { ($0.identifier, $0) }) { first, _ in first })
  }

  @Test(
    "A file's place counts the cases of the files whose paths sort before, however they are named")
  func indices() throws {
    var bag = DiagnosticBag()
    let files = [try file(Self.random, "b.yaml"), try file(Self.random, "a.yaml")]
    let listed = Planner.listed(files + files, &bag)

    #expect(listed.map(\.file.path) == ["b.yaml", "a.yaml"])
    #expect(listed.map(\.place) == [2, 0])
  }

  @Test("What is wrong with a row that is left out is not told, unless it is what leaves it out")
  func leftOutRow() throws {
    func messages(_ skip: String) throws -> [String] {
      let yaml = """
        target: { command: [x, "${{ matrix.n * 2 }}"] }
        matrix: [ { n: 1, last: false }, { n: text, last: true } ]
        skip: \(skip)
        """
      return Planner.plan(files: [try file(yaml, "a.yaml")], options: FakeFiles().options)
        .diagnostics.map(\.message)
    }
    #expect(try messages("{ if: \"${{ matrix.last }}\", reason: r }") == [])
    #expect(try messages("{ if: \"${{ matrix.last == false }}\", reason: r }").count == 1)
    // Where all are skipped, nobody else tells.
    #expect(try messages("later").count == 1)
  }

  @Test("Only the case that is reduced is planned, of its own file")
  func reduced() throws {
    var options = FakeFiles().options
    options.reduced = ("b.yaml::b", [])
    let warned =
      "network: { loopback: closed }\ntarget: { command: [x] }\n"
      + "scenarios: [ { name: a, network: { unused: ignore } } ]"
    let files = [try file(Self.random, "b.yaml"), try file(warned, "a.yaml", version: 1)]
    let (plan, diagnostics) = Planner.plan(files: files, options: options)
    #expect(plan?.cases.map(\.identifier) == ["b.yaml::b"])
    #expect(diagnostics.map(\.message) == [])
  }

  @Test(
    "Factories that nobody builds from are told where that is wanted, and nothing else is wrong")
  func unused() throws {
    let yaml = "target: { command: [x] }\nfactories: { user: { fields: { id: 1 } } }"
    var options = FakeFiles().options
    func messages(_ more: String = "") throws -> [String] {
      Planner.plan(files: [try file(yaml + more, "a.yaml")], options: options).diagnostics.map(
        \.message)
    }
    #expect(try messages() == [])
    options.reportsUnused = true
    #expect(try messages() == ["the factory \"user\" is not used"])
    #expect(try messages("\nexpect: { signal: NOPE }") == ["unknown signal \"NOPE\""])
  }

  @Test("With an error there is no plan, with a warning there is one")
  func errors() throws {
    let warned = Planner.plan(
      files: [
        try file(
          "target: { command: [x] }\nnetwork: { loopback: closed }\n"
            + "scenarios: [ { name: a, network: { unused: ignore } } ]", "a.yaml", version: 1)
      ], options: FakeFiles().options)
    #expect(warned.diagnostics.map(\.severity) == [.warning])
    #expect(warned.plan?.cases.count == 1)
    let wrong = Planner.plan(
      files: [try file("target: { command: [x] }\nexpect: { signal: NOPE }", "a.yaml")],
      options: FakeFiles().options)
    #expect(wrong.plan == nil)
  }
}
