import Foundations
import Testing

@testable import Supervisor

@Suite("A program that takes long to decide")
struct SlowDecisionTests {
  /// Whether the program's decision was carried out.
  private func isDecided(within bound: Nanoseconds) throws -> Bool {
    let program = try SupervisedProgram(
      chaos: chaosEntries(
        """
          - call: fsync
            provide: { exec: [sh, -c, "read line; sleep 2; echo '{\\"error\\": \\"EIO\\"}'; cat"] }
        """))
    defer { program.stop() }
    try program.start(["/bin/sync", "."])
    _ = program.supervisor.awaitExit(deadline: RealClock.monotonic() + bound)
    _ = program.supervisor.snapshot()
    return program.events.contains {
      if case .faultInjected = $0 { true } else { false }
    }
  }

  @Test("It is not waited for when the time of the case is over")
  func late() throws {
    #expect(try !isDecided(within: .milliseconds(100)))
  }

  @Test("It is waited for as long as the case may take")
  func inTime() throws {
    #expect(try isDecided(within: .seconds(30)))
  }
}
