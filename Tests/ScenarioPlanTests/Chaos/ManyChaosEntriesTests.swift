import Foundations
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("Shadows among many chaos entries")
struct ManyChaosEntriesTests {
  private func entries(_ lines: [String]) throws -> [PlannedChaos] {
    let list = lines.enumerated().map { "  - { name: e\($0.offset), \($0.element) }" }
      .joined(separator: "\n")
    let text =
      "target: { command: [./program] }\nclock: { flow: auto }\nchaos:\n\(list)\nsteps: [ { run: [] } ]"
    let planned = try Samples.plan(text)
    #expect(planned.diagnostics.allSatisfy { $0.severity == .warning })
    return try #require(planned.plan?.cases.first).chaos
  }

  private func comparisons(_ lines: [String]) throws -> Int {
    let entries = try entries(lines)
    #expect(entries.count == lines.count)
    var shadows = ChaosShadows(among: entries) { _ in false }
    for index in entries.indices { #expect(shadows.shadow(on: index) == nil) }
    return shadows.comparisons
  }

  @Test(
    "Entries that have nothing in common are not compared",
    arguments: [
      "call: write, where: { path: /tmp/f# }, provide: nil",
      "call: write, where: { path: /tmp/f, args: { 2: # } }, provide: nil",
      "call: write, when: { nth: # }, provide: nil",
      "call: write, when: { nth: 2, from: '+#s' }, provide: nil",
      "link: 'h#.test', provide: down",
      "disk: d#, provide: full",
      "process: p#, provide: kill",
    ])
  func distinct(line: String) throws {
    let lines = (1...400).map { line.replacing("#", with: String($0)) }

    #expect(try comparisons(lines) <= 400)
  }

  /// Lines of which many are in the shadow of others.
  private static let parts = (
    victims: [
      "call: write", "call: '@write'", "call: [write, read]", "call: connect", "call: fsync",
      "link: a.test", "link: '*.test'", "link: 'a.test:80'", "disk: .", "disk: data",
      "disk: [data, more]", "process: x", "process: 1", "process: '*'", "function: 'f*'",
      "function: foo", "call: '@net'",
    ],
    conditions: [
      "", ", where: { path: data }", ", where: { host: a.test }", ", where: { size: 4 }",
      ", where: { path: data, size: 4 }", ", where: { fd: pipe }", ", where: { args: { 2: 4 } }",
      ", where: { args: { 1: 2, 2: 4 } }",
    ],
    schedules: [
      "", ", when: { nth: 2 }", ", when: { nth: [2, 3] }", ", when: { nth: 1, skip: 1 }",
      ", when: { every: 2 }", ", when: { every: 1 }", ", when: { skip: 3 }",
      ", when: { times: 2 }", ", when: { probability: 0.5 }", ", when: { from: +1s }",
      ", when: { from: +2s }", ", when: { nth: 2, from: +1s }", ", when: { nth: 2, until: +9s }",
    ],
    providers: [
      "provide: { error: EIO }", "provide: down", "provide: full", "provide: { free: 1MiB }",
      "provide: read_only", "provide: kill", "provide: { pause: 1s }", "provide: { delay: 1s }",
    ]
  )

  @Test("What stands in the way is what the comparison of all with all finds", arguments: 0..<12)
  func agrees(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    func pick(_ choices: [String]) -> String {
      choices[Int(generator.next() % UInt64(choices.count))]
    }
    var planned: [PlannedChaos] = []
    while planned.count < 60 {
      let parts = Self.parts
      let line =
        pick(parts.victims) + pick(parts.conditions) + pick(parts.schedules) + ", "
        + pick(parts.providers)
      let read = ScenarioFile.parse(
        text:
          "version: 2\ntarget: { command: [./program] }\nclock: { flow: auto }\nchaos:\n"
          + "  - { name: e, \(line) }\nsteps: [ { run: [] } ]", path: "test.yaml")
      // Not all that can be put together means something.
      guard let file = read.file,
        let entry = Planner.plan(
          files: [file], options: PlannerOptions(fileExists: { _ in true })
        ).plan?.cases.first?.chaos.first
      else { continue }
      planned.append(entry)
    }
    var shadows = ChaosShadows(among: planned) { _ in false }
    var found = 0

    for index in planned.indices {
      let expected = planned.indices.lazy.filter { $0 != index }.compactMap { place in
        planned[place].shadow(on: planned[index], isEarlier: place < index)
          .map { UnreachableRule(kind: $0, other: place) }
      }.first
      let shadow = shadows.shadow(on: index)
      #expect(shadow == expected, "\(planned[index]) \(shadow.map { planned[$0.other] } as Any)")
      found += expected == nil ? 0 : 1
    }

    #expect(found > 3)
  }
}
