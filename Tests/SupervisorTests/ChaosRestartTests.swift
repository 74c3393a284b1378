import Foundations
import Glibc
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@testable import Supervisor

@Suite("Targets that chaos starts again")
struct ChaosRestartTests {
  private func supervise(
    _ script: String, _ list: String, flow: ClockFlow = .auto, replies: ReplyCounter? = nil
  ) throws -> SupervisedProgram {
    let text = """
      version: 2
      target: { command: [/bin/true] }
      responses: [{ "GET https://h/": { text: x } }]
      chaos:
      \(list)
      """
    let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
    let (plan, diagnostics) = Planner.plan(
      files: [file], options: PlannerOptions(fileExists: { _ in true }))
    #expect(diagnostics.map(\.message) == [])
    let entries = try #require(plan?.cases.first?.chaos)
    let program = try SupervisedProgram(clock: .from2030(flow), chaos: entries, replies: replies)
    try program.start(["/bin/bash", "-c", script])
    return program
  }

  private func starts(_ program: SupervisedProgram) -> Int {
    program.events.count {
      if case .processStarted(_, let arguments, _) = $0 {
        arguments.first == "/bin/bash"
      } else {
        false
      }
    }
  }

  private func faults(_ program: SupervisedProgram) -> [String] {
    program.events.compactMap {
      if case .faultInjected(let fault) = $0 { "\(fault.entry): \(fault.action)" } else { nil }
    }
  }

  @Test("An entry that is taken back starts nothing again: the target stays killed")
  func reverting() throws {
    for reverts in [true, false] {
      let program = try supervise(
        "sleep 1000", "- { name: r, process: 1, when: { from: +1s }, provide: { restart: 5s } }",
        flow: .held)
      func pass(_ seconds: Int64) throws {
        _ = program.supervisor.tick(.duration(.seconds(seconds)), deadline: program.deadline)
      }
      try pass(3)
      #expect(program.supervisor.exitStatus() == nil)
      if reverts { program.supervisor.revertChaos(.entry("r")) }
      try pass(10)

      #expect(program.supervisor.exitStatus() == (reverts ? .signaled(number: SIGKILL) : nil))
      #expect(starts(program) == (reverts ? 1 : 2))
      #expect(faults(program) == ["r: restart after 5s"])
      #expect(program.supervisor.snapshot().faultSignals == (reverts ? [SIGKILL] : []))
      program.stop()
    }
  }

  @Test(
    "The signals that processes of a target get by faults are known, and nothing of one that strikes nobody"
  )
  func signals() throws {
    let rows: [(process: String, signals: Set<Int32>, own: Set<Int32>)] = [
      ("sleep", [SIGHUP], []), ("1", [SIGHUP], [SIGHUP]), ("slept", [], []),
    ]
    for (process, signals, own) in rows {
      let program = try supervise(
        "sleep 5; exit 3",
        "- { name: r, process: \(process), when: { from: +1s }, provide: { signal: HUP } }")
      #expect(program.awaitExit().hasHappened)
      #expect(program.supervisor.snapshot().faultSignals == signals)
      #expect(program.supervisor.snapshot().ownFaultSignals == own)
    }
  }

  @Test("A moment that comes while nobody lives is that of the one who is born then")
  func momentBetween() throws {
    let program = try supervise(
      "sleep 100",
      """
      - { name: again, process: 1, when: { from: +3s }, provide: { restart: 2s } }
      - { name: dies, process: bash, when: { from: +4s }, provide: kill }
      """)

    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .signaled(number: SIGKILL))
    #expect(program.view.reading().elapsed == .seconds(5))
    #expect(faults(program) == ["again: restart after 2s", "dies: kill process"])
  }

  @Test("The target that is started again is not struck anew by the same entry, unless so often")
  func again() throws {
    func run(_ more: String) throws -> SupervisedProgram {
      let program = try supervise(
        "sleep 10; echo done",
        "- { name: r, process: bash, when: { from: +4s\(more) }, provide: { restart: 2s } }")
      #expect(program.awaitExit().hasHappened)
      #expect(program.output == "done\n")
      return program
    }

    let once = try run("")
    #expect(once.view.reading().elapsed == .seconds(16))
    #expect(faults(once).count == 1)
    let thrice = try run(", times: 3")
    #expect(thrice.view.reading().elapsed == .seconds(20))
    #expect(faults(thrice).count == 3)
  }

  @Test("Behind a reply those are struck as well that are born later")
  func behindReply() throws {
    for isDelivered in [true, false] {
      let replies = ReplyCounter()
      if isDelivered { replies.add("GET https://h/") }
      let program = try supervise(
        "sleep 1; echo $?; sleep 1; echo $?",
        "- { name: r, process: sleep, when: { on: { reply: GET https://h/ } }, provide: kill }",
        replies: replies)

      #expect(program.awaitExit().hasHappened)
      #expect(program.output == (isDelivered ? "137\n137\n" : "0\n0\n"))
    }
  }

  @Test("What gives the original alone is reported, of calls and of processes")
  func originals() throws {
    let program = try supervise(
      "sync; sleep 1",
      """
      - { name: c, call: sync, where: { process: sync }, provide: original }
      - { name: p, process: sleep, when: { times: 1 }, provide: original }
      - { name: q, process: sleep, provide: kill }
      """)

    #expect(program.awaitExit().hasHappened)
    #expect(faults(program) == ["c: original", "p: original"])
    #expect(program.supervisor.snapshot().faults.map(\.fired) == [1, 1, 0])
    #expect(program.supervisor.exitStatus() == .exited(code: 0))
  }
}
