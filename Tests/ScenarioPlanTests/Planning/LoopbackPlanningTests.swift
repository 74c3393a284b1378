import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Planning what becomes of loopback")
struct LoopbackPlanningTests {
  private let target = "target: { command: [x] }\n"

  @Test("It is open unless the file says otherwise", arguments: ["open", "answered", "closed"])
  func words(word: String) throws {
    let planned = try Samples.onlyCase(target + "network: { loopback: \(word) }")

    #expect(planned.network?.loopback.rawValue == word)
    #expect(try Samples.onlyCase(target + "network: {}").network?.loopback == .open)
    #expect(planned.summary().contains { $0.hasPrefix("  loopback ") } == (word != "open"))
  }
}
