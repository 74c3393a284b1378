@testable import FaultEngine
import Foundations
@testable import Patterns
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Processes of chaos entries")
struct ChaosProcessTests {
  private func diagnostics(_ entries: String) throws -> [Diagnostic] {
    try Samples.plan("target: { command: [./program] }\nchaos: [\(entries)]\n").diagnostics
  }

  @Test("An entry that names processes is planned, and a plan tells it")
  func plans() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x] }
      chaos:
        - { name: a, process: [worker*, 3], when: { from: +5s }, provide: { pause: 2s } }
        - { process: 1, when: { times: 2 }, provide: { restart: { after: 1s } } }
        - { process: 2, provide: restart, when: { nth: 1 } }
      """)

    var processes = PlannedProcesses()
    processes.programs = [GlobPattern("worker*")]
    processes.ordinals = [3]
    #expect(planned.chaos[0].target == .processes(processes))
    #expect(planned.chaos[1].name == "process 1")
    #expect(planned.chaos[2].provider == .restart(.zero))
    #expect(planned.clock != nil)
    let lines = planned.summary().filter { $0.hasPrefix("  chaos") }
    #expect(
      lines.map { $0.dropFirst(13) } == [
        "a: process worker*, 3; from +5s; stands still for 2s",
        "process 1: process 1; 2 times; is killed and started again after 1s",
        "process 2: process 2; nth 1; is killed and started again after 0s",
      ])
  }

  @Test(
    "What a process cannot be asked or given is an error before anything runs",
    arguments: [
      ("provide: { error: EIO }", "this provider is not supported for a process"),
      ("provide: nil", "this provider is not supported for a process"),
      ("provide: { delay: 3s }", "this provider is not supported for a process"),
      ("provide: { exit: 3 }", "this provider is not supported for a process"),
      ("provide: { sequence: [kill, hang] }", "this provider is not supported for a process"),
      ("provide: { signal: TREM }", "unknown signal \"TREM\""),
      ("provide: { signal: { send: TERM, at: after } }", "\"after\" is not supported for a signal"),
      ("provide: restart", "the target would be restarted endlessly"),
      (
        "when: { every: 2 }, provide: { sequence: [original, restart] }",
        "the target would be restarted endlessly"
      ),
      ("where: { path: x }, provide: kill", "\"where\" is not supported for \"process\""),
      ("when: { during: nowhere }, provide: kill", "unknown step \"nowhere\""),
      ("when: { on: { reply: x } }, provide: kill", "unknown response \"x\""),
    ])
  func mistakes(rest: String, message: String) throws {
    let found = try diagnostics("{ process: x, \(rest) }")

    #expect(found.count == 1)
    #expect(found.first?.message.hasPrefix(message) ?? false, "\(found.map(\.message))")
    #expect(found.first?.help != nil)
  }

  @Test("A malformed pattern is an error")
  func patterns() throws {
    #expect(try diagnostics("{ process: '[x', provide: kill }").count == 1)
  }

  @Test("Processes and calls take nothing from each other")
  func overlap() throws {
    func shadows(_ entries: String) throws -> Bool {
      try diagnostics(entries).contains { $0.message.contains("never fires") }
    }

    #expect(try !shadows("{ call: read, provide: nil }, { process: x, provide: kill }"))
    #expect(try !shadows("{ process: x, provide: kill }, { process: y, provide: kill }"))
    #expect(try !shadows("{ process: x, provide: kill }, { call: read, provide: nil }"))
    #expect(try shadows("{ process: x, provide: kill }, { process: x, provide: { pause: 1s } }"))
  }

  @Test("A process that is met twice counts once, and an applied entry begins anew")
  func counting() throws {
    var table = try FaultRuleSet.of(
      "- { name: a, process: program, when: { nth: 2 }, provide: kill }")
    func start(_ ordinal: Int) -> Bool {
      var facts = LaidFacts(processOrdinal: ordinal)
      return table.decideStart(isFirst: false, &facts) != nil
    }

    #expect(!start(1))
    #expect(!start(1))
    #expect(start(2))
    #expect(!start(2))
    #expect(!start(3))
    #expect(table.counts[0].seen == 5)
    #expect(table.counts[0].matched == 3)
    #expect(table.counts[0].fired == 1)

    table.apply(.all, seed: nil)
    #expect(!start(1))
    #expect(start(3))
    table.revert(.all)
    #expect(!start(4))
  }

  @Test("One that was there before its time comes is met when it has come")
  func windows() throws {
    var table = try FaultRuleSet.of(
      "- { name: a, process: program, when: { from: +5s }, provide: kill }")
    var facts = LaidFacts(processOrdinal: 1)

    #expect(table.decideStart(isFirst: true, &facts) == nil)
    #expect(table.decideMoment(of: 0, isFirst: true, &facts) == nil)
    facts.time = .seconds(5)
    #expect(table.decideMoment(of: 0, isFirst: true, &facts)?.action.deed == .kill(.process))
    #expect(table.decideMoment(of: 0, isFirst: true, &facts) == nil)
    #expect(table.decideStart(isFirst: true, &facts) == nil)
    #expect(table.decideMoment(of: 7, isFirst: true, &facts) == nil)
  }

  @Test("What restarts leaves all but the first process alone")
  func restarts() throws {
    var table = try FaultRuleSet.of(
      "- { name: a, process: program, when: { times: 1 }, provide: restart }")
    var facts = LaidFacts(processOrdinal: 2)

    #expect(table.decideStart(isFirst: false, &facts) == nil)
    #expect(
      table.unfired().first?.explanation == [
        "\"restart\" applies only to the target's first process",
        "these programs started: program once",
      ])
    #expect(table.decideStart(isFirst: true, &facts)?.action.deed == .restart(.zero))
    #expect(table.unfired().isEmpty)
  }
}
