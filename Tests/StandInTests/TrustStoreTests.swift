import StandIn
import Testing

struct TrustStoreTests {
  @Test("A bundle keeps the system's roots and gains the authority", arguments: ["", "A\n", "A"])
  func merged(system: String) {
    let bundle = TrustStore.merged(systemBundle: system, authority: "B")

    #expect(bundle == (system.isEmpty ? "B\n" : "A\nB\n"))
  }

  @Test("Node gets the authority alone, everyone else the bundle")
  func variables() {
    let variables = TrustStore.environment(bundlePath: "/all", authorityPath: "/own")

    #expect(variables.map(\.0) == variables.map(\.0).sorted())
    #expect(variables.first { $0.0 == "NODE_EXTRA_CA_CERTS" }?.1 == "/own")
    #expect(variables.filter { $0.0 != "NODE_EXTRA_CA_CERTS" }.allSatisfy { $0.1 == "/all" })
    #expect(variables.contains { $0.0 == "SSL_CERT_FILE" })
  }
}
