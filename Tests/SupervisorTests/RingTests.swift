import Foundations
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Programs that ask for an io_uring")
struct RingTests {
  private func run(_ words: [String], clock: PlannedClock?) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: clock)
    try program.start(words)
    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .exited(code: 0))
    return program
  }

  @Test("It gets none, which is reported once, and its waits are held")
  func refused() throws {
    let program = try run([try CompiledProgram.path("ring")], clock: .from2030(.auto))

    // ENOSYS
    #expect(program.output == "first -38, second -38\n")
    #expect(
      program.events.notices == [
        "\"ring\" requests an io_uring, which is refused: its calls would bypass control, so io_uring_setup"
          + " fails with ENOSYS"
      ])
    #expect(!program.events.contains { $0.isEscape })
    #expect(program.view.reading().elapsed == .seconds(3_600))
  }

  @Test("Two programs of one name are told of once, in children, too")
  func children() throws {
    let ring = try CompiledProgram.path("ring")
    let program = try run(["/bin/sh", "-c", "\(ring) & \(ring); wait"], clock: .from2030(.auto))

    #expect(program.output == String(repeating: "first -38, second -38\n", count: 2))
    #expect(program.events.notices.count == 1)
  }

  @Test("A program that asks for none is not told of")
  func twin() throws {
    let program = try run([try CompiledProgram.path("ring"), "none"], clock: .from2030(.auto))

    #expect(program.output == "")
    #expect(program.events.notices.isEmpty)
  }
}
