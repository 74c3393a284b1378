@testable import Foundations
import OrderedCollections
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("One scenario of a file, with a fault")
struct ReducedScenarioTests {
  private static let text = """
    version: 2
    target: &target
      command: [sh, -c]
      env: { A: "no", B: '1', "C:": yes please }
      files:
        lines: |
          one

          two
        odd: " leads"
    responses:
      - GET https://a.test/: { status: 204 }
    chaos:
      - { call: read, provide: original }
    explore: { where: { path: "*.db" }, steps: [ { run: [check], expect: { stdout: ok } } ] }
    scenarios:
      - name: first
        steps: [ { run: [a] } ]
      - name: second
        tags: [slow]
        seed: 3
        chaos: [ { name: own, call: open, provide: original } ]
        responses: [ { GET https://b.test/: { status: 200 } } ]
        steps:
          - { name: go, run: ["x: y"], expect: { exit: 0 } }
          - expect: { stdout: b }
          - jump: { by: 1s, steps: [ { run: [late], expect: { exit: 1 } } ] }
        expect: { exit: 0 }

    """

  private func additions() -> ReducedScenario.Additions {
    ReducedScenario.Additions(
      chaos: .map([
        "call": .string("write"), "where": .map(["process": .string("sh")]),
        "provide": .map(["error": .string("EIO")]),
      ]), expect: .map(["processes": .map(["crashed": .integer(0)])]),
      stepExpect: .map(["exit": .map(["between": .list([.integer(0), .integer(255)])])]),
      seed: 9, folder: "..")
  }

  private func reduced(_ name: String) throws -> ScenarioFile {
    let scenario = try #require(
      ReducedScenario(bytes: Array(Self.text.utf8), path: "a.yaml", name: name))
    let text = scenario.text(remarks: ["a remark\nof two lines"], additions())
    #expect(text.hasPrefix("# a remarkof two lines\nversion: 2\nfolder: \"..\"\n"))
    let (file, diagnostics) = ScenarioFile.parse(text: text, path: "b.yaml")
    #expect(diagnostics.isEmpty, "\(diagnostics)\n\(text)")
    return try #require(file, "\(text)")
  }

  @Test("It stands alone, with its own entries before those of the file, and the fault behind them")
  func alone() throws {
    let body = try reduced("second").defaults

    #expect(body.chaos.map(\.name.value) == ["own", "read", "write"])
    #expect(body.chaos.last?.conditions.value.pattern(.path) == "*.db")
    #expect(body.chaos.last?.conditions.value[.process] == .pattern("sh"))
    #expect(body.responses.count == 2)
    #expect(body.network?.unused?.value == .ignore)
    #expect(body.seed?.value == 9)
    #expect(body.tags.isEmpty)
    #expect(body.explore == nil)
  }

  @Test(
    "What decides about the run stands in it, be it the scenario's own or its file's",
    arguments: [true, false])
  func settings(isOwn: Bool) throws {
    let settings = [
      "order: seeded", "entropy: seeded", "files: { outside: refuse }", "exclusive: [a]",
      "clock: { flow: auto, slack: 1ms, computing: free }", "vars: { a: 1 }", "timeout: 7s",
    ]
    let own = isOwn ? settings : []
    let text = """
      version: 2
      target: { command: [a] }
      \((isOwn ? ["order: real"] : settings).joined(separator: "\n"))
      scenarios:
        - name: one
      \(own.map { "    \($0)" }.joined(separator: "\n"))

      """
    let reduced = try #require(
      ReducedScenario(bytes: Array(text.utf8), path: "a.yaml", name: "one"))
    let written = reduced.text(remarks: [], additions())
    let body = try #require(
      ScenarioFile.parse(text: written, path: "b.yaml").file?.defaults, "\(written)")

    #expect(body.order?.value == .seeded && body.entropy?.value == .seeded, "\(written)")
    #expect(body.files?.outside?.value == .refuse, "\(written)")
    #expect(body.clock?.slack?.value == .milliseconds(1), "\(written)")
    #expect(body.clock?.flow?.value == .auto && body.clock?.computing != nil, "\(written)")
    #expect(body.execution.exclusive != nil && body.variables.count == 1, "\(written)")
    #expect(body.timeout?.value == .seconds(7), "\(written)")
  }

  @Test("Its steps expect nothing but an end, those without anything else are gone")
  func steps() throws {
    let steps = try #require(try reduced("second").defaults.steps)

    try #require(steps.map(\.keyword.value) == ["run", "jump"])
    #expect(steps[0].name?.value == "go")
    #expect(steps[0].expect?.entries.count == 1)
    guard case .block(_, let inner) = steps[1].action else {
      Issue.record("the block is gone")
      return
    }
    #expect(inner.count == 1)
    #expect(inner[0].expect?.entries.count == 1)
  }

  @Test("Texts read back as they were")
  func texts() throws {
    let target = try #require(try reduced("first").defaults.target)
    let original = try #require(
      ScenarioFile.parse(text: Self.text, path: "a.yaml").file?.defaults.target)

    #expect(String(describing: target.environment.map(\.value.content)).count > 10)
    func values(_ settings: TargetSettings) -> [String] {
      settings.environment.map { "\($0.key.value)=\($0.value.content)" }
        + settings.files.map { "\($0.path.value)" }
    }
    func plain(_ texts: [String]) -> [String] {
      texts.map { $0.replacing(#/line: \d+, column: \d+, length: \d+/#, with: "") }
        .map { $0.replacing(#/file: "[ab].yaml"/#, with: "") }
    }
    #expect(plain(values(target)) == plain(values(original)))
  }

  @Test("Steps behind the run come with all chaos reverted")
  func then() throws {
    let scenario = try #require(
      ReducedScenario(bytes: Array(Self.text.utf8), path: "a.yaml", name: "first"))
    var additions = additions()
    additions.hasThen = true
    let text = scenario.text(remarks: [], additions)
    let steps = try #require(ScenarioFile.parse(text: text, path: "b.yaml").file?.defaults.steps)

    try #require(steps.map(\.keyword.value) == ["run", "revert", "run"])
    #expect(steps[2].expect?.entries.count == 1)
  }

  @Test("What a scenario and its file say of values and of explorations is joined")
  func joined() throws {
    let text = """
      version: 2
      vars: { a: one, b: two }
      target: { command: [echo, "${{ vars.a }}"] }
      explore: { where: { path: "*.db" } }
      scenarios:
        - name: first
          vars: { b: own, c: three }
          explore: { call: write }

      """
    let scenario = try #require(
      ReducedScenario(bytes: Array(text.utf8), path: "a.yaml", name: "first"))
    let (file, diagnostics) = ScenarioFile.parse(
      text: scenario.text(remarks: [], additions()), path: "b.yaml")
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    let body = try #require(file?.defaults)

    #expect(body.variables.map(\.name.value).sorted() == ["a", "b", "c"])
    #expect(body.chaos.first?.conditions.value.pattern(.path) == "*.db")
  }

  @Test("A scenario that is not there is none")
  func missing() {
    #expect(ReducedScenario(bytes: Array(Self.text.utf8), path: "a.yaml", name: "third") == nil)
    #expect(ReducedScenario(bytes: [0xFF], path: "a.yaml", name: "first") == nil)
  }
}
