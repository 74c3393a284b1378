import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Planning what becomes of loopback")
struct LoopbackPlanningTests {
  private let target = "target: { command: [x] }\n"

  @Test(
    "It is open unless the file says otherwise",
    arguments: ["open", "shared", "answered", "closed"]
  )
  func words(word: String) throws {
    let planned = try Samples.onlyCase(target + "network: { loopback: \(word) }")

    #expect(planned.network?.loopback.rawValue == word)
    #expect(try Samples.onlyCase(target + "network: {}").network?.loopback == .open)
    #expect(planned.summary().contains { $0.hasPrefix("  loopback ") } == (word != "open"))
    #expect(planned.sharesLoopback == (word != "open"))
  }

  @Test(
    "Targets have a loopback of the case's own, unless something outside may look for them at this machine's",
    arguments: [
      ("", false),
      ("network: { mode: live }\n", false),
      ("network: { mode: spy }\n", true),
      ("network: { mode: record }\n", true),
      ("network: { hosts: { a.test: spy } }\n", true),
      ("steps: [{ start: }, { exec: [sync] }]\n", true),
      ("steps: [{ start: }, { exec: { command: [x], in: world } }]\n", false),
      ("steps: [{ start: }, { exec: [x, \"${{ targets.target.address }}\"] }]\n", false),
      ("steps: [{ start: }, { rate: { to: x2, steps: [{ exec: [x] }] } }]\nclock: {}\n", true),
      ("cleanup: [{ exec: [x] }]\n", true),
      ("responses: [{ request: GET http://a.test/, reply: { handler: { exec: [x] } } }]\n", true),
      ("responses: [GET http://a.test/: { text: x }]\n", false),
      (
        "network: { loopback: shared }\nsteps: [{ start: }, { exec: [x, \"${{ targets.target.address }}\"] }]\n",
        true
      ),
    ])
  func sharing(rest: String, isShared: Bool) throws {
    #expect(try Samples.onlyCase(target + rest).sharesLoopback == isShared)
  }
}
