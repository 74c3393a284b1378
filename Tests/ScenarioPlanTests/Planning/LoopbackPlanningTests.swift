import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Planning what becomes of loopback")
struct LoopbackPlanningTests {
  private let target = "target: { command: [x] }\n"

  @Test(
    "It is open unless the file says otherwise",
    arguments: ["open", "shared", "own", "answered", "closed"])
  func words(word: String) throws {
    let planned = try Samples.onlyCase(target + "network: { loopback: \(word) }")

    #expect(planned.network?.loopback.rawValue == word)
    #expect(try Samples.onlyCase(target + "network: {}").network?.loopback == .open)
    #expect(planned.summary().contains { $0.hasPrefix("  loopback ") } == (word != "open"))
  }

  @Test("A live network leaves the ports of targets to the case, and nothing else of loopback")
  func live() throws {
    let planned = try Samples.onlyCase(target + "network: { mode: live, loopback: own }")
    #expect(planned.network?.loopback == .own)
    let shared = try Samples.onlyCase(target + "network: { mode: live, loopback: shared }")
    #expect(shared.network?.loopback == .shared)
    let (_, diagnostics) = try Samples.plan(target + "network: { mode: live, loopback: closed }")
    #expect(
      diagnostics.map(\.message) == ["\"loopback: closed\" has no effect: the network is live"])
  }

  @Test("Only who asks for the address of a target on no host needs one before it binds")
  func addresses() throws {
    let start = "steps: [{ start: }, { exec: [x, \"${{ targets.target.address }}\"] }]\n"
    #expect(try Samples.onlyCase(target + start).asksAddresses == true)
    #expect(try Samples.onlyCase(target).asksAddresses == nil)
  }
}
