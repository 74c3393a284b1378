import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

/// A file has thousands of scenarios, whose values lie side by side: what one can say, and hardly says, must not take room in
/// each.
@Suite("The room that a scenario takes")
struct PlanMemoryTests {
  @Test("What is large and rare lies outside of what each scenario has")
  func sizes() {
    #expect(MemoryLayout<ScenarioEntry>.stride <= 1_024)
    #expect(MemoryLayout<ExpectationBlock.Entry>.stride <= 256)
    #expect(MemoryLayout<PlannedCase>.stride <= 1_536)
    #expect(MemoryLayout<PlannedExpectation>.stride <= 192)
  }
}
