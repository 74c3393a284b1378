import Foundations
import Testing

@testable import Supervisor

@Suite("Where threads run")
struct PlacementTests {
  @Test(
    "A program may run where it might, whatever it waits for and whoever it starts",
    arguments: [ClockFlow.auto, .real])
  func places(flow: ClockFlow) throws {
    let program = try SupervisedProgram(clock: .from2030(flow))
    try program.start([try CompiledProgram.path("places")])

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "same=1\n")
  }

  @Test(
    "A program may run where it might that makes many calls which chaos looks at",
    arguments: [nil, ClockFlow.auto])
  func callers(flow: ClockFlow?) throws {
    let program = try SupervisedProgram(
      clock: flow.map { .from2030($0) },
      chaos: try ChaosSamples.entries(
        "  - { call: lseek, when: { skip: 1000000 }, provide: { error: EINVAL } }"))
    try program.start([try CompiledProgram.path("places")])

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "same=1\n")
    // Of the program, of ten children that only count, and of twelve threads.
    let account = try #require(program.supervisor.snapshot().faults.first)
    #expect(account.matched >= 300 * (21 + 120))
  }
}
