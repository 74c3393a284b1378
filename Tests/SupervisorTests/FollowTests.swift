import Foundations
import Testing

@testable import Supervisor

@Suite("Threads that are followed from call to call")
struct FollowTests {
  /// Where many threads wait, each is followed after its wait, up to its next one; where few do, none is.
  @Test("Sleeps are noted once and leave the registers alone", arguments: [2, 24])
  func sleeps(threads: Int) throws {
    let rounds = 20
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try CompiledProgram.path("sleepers"), "\(threads)", "\(rounds)"])
    #expect(program.awaitExit().hasHappened)

    #expect(program.output == "changed=0\n")
    let lengths = program.supervisor.snapshot().waits.waits
      .filter { $0.owner.systemCallNumber == SystemCallNumber.nanosleep }.map(\.length).sorted()
    let expected = (1...threads).flatMap { length in
      [Nanoseconds](repeating: .milliseconds(Int64(length)), count: rounds)
    }
    #expect(lengths == expected)
  }
}
