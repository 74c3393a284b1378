import Foundations
import ScenarioTools
import Testing

@Suite("The bound on the replay of a recorded command")
struct RecordedTimeoutTests {
  @Test(
    "Few bounds, far apart, follow from the processor time",
    arguments: [(0, nil), (9_999, nil), (10_000, 600), (99_999, 600), (100_000, 7_200)]
      as [(Int64, Int64?)])
  func bound(milliseconds: Int64, seconds: Int64?) {
    #expect(
      RecordedTemplate.timeout(afterBeingBusy: .milliseconds(milliseconds))
        == seconds.map { .seconds($0) })
  }
}
