import Foundations
import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Programs started only to read the clock")
struct ProgramSpinTests {
  private func start(
    _ flow: ClockFlow, _ script: String, deadlineLimit: Int? = nil,
    computing: ComputingCost? = nil
  ) throws -> SupervisedProgram {
    let program = try SupervisedProgram(
      clock: .from2030(flow, computing: computing), deadlineLimit: deadlineLimit)
    try program.start(["/bin/sh", "-c", script])
    return program
  }

  private func run(
    _ flow: ClockFlow, _ script: String, computing: ComputingCost? = nil
  ) throws -> String {
    let program = try start(flow, script, computing: computing)
    let result = program.awaitExit()
    #expect(result.hasHappened, "\(result)")
    return program.output
  }

  private func startedPrograms(_ program: SupervisedProgram) -> Int {
    program.events.count { event in
      if case .processStarted = event { return true }
      return false
    }
  }

  /// How often programs are started while nothing moves.
  private let free = ExecSpinDetector.freePrograms + ExecSpinDetector.windowLength

  @Test("A shell that asks `date` until a time has come gets there, exact to a hundredth")
  func shell() throws {
    let program = try start(
      .auto, "while [ $(date +%s) -lt 1893456010 ]; do :; done; date +%s.%N")

    #expect(program.awaitExit().hasHappened)
    let text = try #require(program.output.split(separator: "\n").first)
    let end = try #require(Double(text))
    #expect(1_893_456_010...1_893_456_010.25 ~= end)
    // The free ones, a hundred of a millisecond each, and a hundredth more with each further one.
    #expect((free + 100)...(free + 700) ~= startedPrograms(program))
  }

  @Test("One in a pipeline is held until its neighbours have come to rest")
  func pipeline() throws {
    let output = try run(
      .auto, "while [ $(date +%s | cut -c1-) -lt 1893456002 ]; do :; done; date +%s")

    #expect(output == "1893456002\n")
  }

  @Test("A sleeper beside it wakes at its own instant, and not later")
  func sleeper() throws {
    let program = try start(
      .auto, "sleep 3 & while [ $(date +%s) -lt 1893456005 ]; do :; done; wait")

    #expect(program.awaitExit().hasHappened)
    var elapsed = Nanoseconds.zero
    var wakes: [Nanoseconds] = []
    for case .clockMoved(let length, let reason) in program.events {
      elapsed = elapsed + length
      if case .wait(let owner) = reason, owner.program == "sleep" { wakes.append(elapsed) }
    }
    #expect(wakes == [.seconds(3)])
    #expect(elapsed >= .seconds(5))
  }

  @Test("Many programs that do not read the clock, and a hundred that do, see one instant")
  func contrast() throws {
    let loop = "n=0; while [ $n -lt 250 ]; do /bin/true; n=$((n + 1)); done;"
    let dates = "n=0; while [ $n -lt 90 ]; do date +%T.%N; n=$((n + 1)); done;"

    let lines = try run(.auto, loop + dates).split(separator: "\n")

    #expect(lines.count == 90)
    #expect(Set(lines) == ["00:00:00.000000000"])
  }

  @Test("Programs that read the clock and work see one instant, however many they are")
  func work() throws {
    let path = try CompiledProgram.path("brief")
    let loop = "n=0; while [ $n -lt \(free + 10) ]; do \(path) 12; n=$((n + 1)); done"

    let lines = try run(.auto, loop, computing: .free).split(separator: "\n")

    #expect(lines.count == free + 10)
    #expect(Set(lines).count == 1)
    // Its twin does nothing else.
    let idle = try run(.auto, loop.split(separator: " 12").joined(separator: " 0"))
    #expect(Set(idle.split(separator: "\n")).count == 12)
  }

  @Test("Where time is held it stands, and a tick gives them their time and no more")
  func held() throws {
    let program = try start(
      .held,
      """
      n=0; while [ $n -lt 300 ]; do date +%T.%N; n=$((n + 1)); done; sleep 1
      while [ $(date +%s) -lt 1893456004 ]; do :; done
      date +%T.%N
      """)

    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    #expect(Set(program.output.split(separator: "\n")) == ["00:00:00.000000000"])
    #expect(
      program.supervisor.tick(.duration(.seconds(4)), deadline: program.deadline).hasHappened)
    #expect(program.awaitExit().hasHappened)
    #expect(program.output.split(separator: "\n").last == "00:00:04.000000000")
  }

  @Test("What never ends so ends with a report of who asks")
  func endless() throws {
    let program = try start(
      .auto, "while :; do date +%s >/dev/null; done", deadlineLimit: 200)

    let result = program.awaitExit()
    guard case .endless(let report) = result else {
      Issue.record("it is not endless: \(result)")
      return
    }
    #expect(report.waiters.map(\.program) == ["date"])
    #expect(report.waiters.map(\.systemCall) == [nil])
    // Up to the first bound, programs had started of which nobody knew yet what they do.
    #expect(report.count == 400)
  }

  @Test("A tick until nothing waits ends with it")
  func idle() throws {
    let program = try start(.held, "sleep 1; while :; do date +%s >/dev/null; done")

    #expect(program.supervisor.tick(.idle, deadline: program.deadline).hasHappened)
    #expect(program.supervisor.exitStatus() == nil)
  }

  @Test("Idle programs are told from busy ones by the processor time of the whole tree")
  func judgement() {
    /// For how many of a thousand readers time would move.
    func held(perProgram: Nanoseconds) -> Int {
      var spin = ExecSpinDetector()
      var spent = Nanoseconds.seconds(5)
      return (0..<1_000).count { _ in
        spent = spent + perProgram
        return spin.countReader(now: .zero) { spent }
      }
    }

    #expect(held(perProgram: .milliseconds(2)) == 1_000 - ExecSpinDetector.windowLength)
    #expect(held(perProgram: ExecSpinDetector.idleProgram) == 1_000 - ExecSpinDetector.windowLength)
    #expect(held(perProgram: ExecSpinDetector.idleProgram + .microseconds(1)) == 0)
    #expect(held(perProgram: .zero - .milliseconds(1)) == 0)
  }

  @Test("Steps grow with the time that was spun")
  func steps() {
    var spin = ExecSpinDetector()
    for _ in 0...ExecSpinDetector.windowLength { _ = spin.countReader(now: .seconds(7)) { .zero } }

    #expect(spin.isSpinning)
    #expect(spin.step(now: .seconds(7)) == .milliseconds(1))
    #expect(spin.step(now: .seconds(17)) == .milliseconds(100))
    #expect(spin.step(now: .seconds(1_000_000)) == .seconds(60))
  }
}
