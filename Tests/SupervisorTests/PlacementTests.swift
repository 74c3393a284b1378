import ScenarioModel
import Testing

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
}
