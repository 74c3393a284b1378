import MockServer
import ScenarioModel
import Testing

struct TrustStoreTests {
  @Test("A bundle keeps the system's roots and gains the authority", arguments: ["", "A\n", "A"])
  func merged(system: String) {
    let bundle = TrustStore.merged(systemBundle: system, authority: "B")

    #expect(bundle == (system.isEmpty ? "B\n" : "A\nB\n"))
  }

  @Test("Node gets the authority alone, everyone else the bundle")
  func variables() {
    for variable in TrustVariable.allCases {
      let file = TrustStore.file(for: variable, bundlePath: "/all", authorityPath: "/own")
      #expect(file == (variable == .node ? "/own" : "/all"))
      #expect(TrustStore.variableNames.contains(variable.rawValue))
    }
  }
}
