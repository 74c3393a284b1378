import Foundations
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("A process that chaos has stopped")
struct StoppedProcessTests {
  private func run(revertsAfter: Bool) throws -> String {
    let chaos = try chaosEntries(
      "  - { name: pause, call: fsync, provide: { pause: 1h } }")
    let program = try SupervisedProgram(clock: .from2030(.held), chaos: chaos)
    defer { program.stop() }
    try program.start(["/bin/sh", "-c", "sync .; echo through"])
    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    #expect(program.output == "")
    if revertsAfter { program.supervisor.revertChaos(.all) }
    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    return program.output
  }

  @Test("It goes on when its entry is reverted")
  func reverted() throws {
    #expect(try run(revertsAfter: true) == "through\n")
  }

  @Test("It stands as long as its entry holds and its time is not over")
  func held() throws {
    #expect(try run(revertsAfter: false) == "")
  }
}
