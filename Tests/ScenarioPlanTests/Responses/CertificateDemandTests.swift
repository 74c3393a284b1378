import Foundations
import MockEngine
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("The certificates that hosts ask clients for")
struct CertificateDemandTests {
  private static let anywhere = SourceRange(file: "test.yaml", line: 1, column: 1)

  private static func entry(
    _ url: String, _ conditions: [PlannedNamedCondition]?
  ) throws -> PlannedResponse {
    var request = PlannedRequest(url: try URLPattern(parsing: url, allowsPathAlone: true))
    request.clientCertificate = conditions
    return PlannedResponse(
      name: url, match: .http(request), replies: [], repeats: true, range: anywhere)
  }

  private static let present = [PlannedNamedCondition(name: "subject", condition: .exists)]
  private static let absent = [PlannedNamedCondition(name: "subject", condition: .absent)]

  private func demand(
    _ responses: [PlannedResponse], _ change: (inout PlannedNetwork) -> Void = { _ in },
    of host: String = "bank.test", port: UInt16 = 443
  ) -> CertificateDemand {
    var network = PlannedNetwork(unused: .fail, responses: responses)
    change(&network)
    return CertificateDemands(of: network).demand(of: [host], port: port)
  }

  @Test("A host asks if one of its entries does, and refuses if each does")
  func entries() throws {
    let wants = try Self.entry("https://bank.test/a", Self.present)

    #expect(demand([wants]) == .required)
    #expect(demand([wants, try Self.entry("https://bank.test/b", Self.absent)]) == .optional)
    #expect(demand([wants, try Self.entry("https://bank.test/b", nil)]) == .optional)
    #expect(demand([try Self.entry("https://bank.test/b", Self.absent)]) == .optional)
    #expect(demand([wants, try Self.entry("https://shop.test/", nil)]) == .required)
    #expect(demand([wants, try Self.entry("https://shop.test/", nil)], of: "shop.test") == .none)
    #expect(demand([wants], port: 8443) == .none)
    #expect(demand([try Self.entry("https://*.test/", Self.present)]) == .required)
  }

  @Test("Nobody is refused whom something else would answer")
  func others() throws {
    let wants = try Self.entry("https://bank.test/a", Self.present)

    #expect(demand([wants, try Self.entry("/any", nil)]) == .optional)
    #expect(demand([wants], { $0.mode = .spy }) == .optional)
    #expect(demand([wants], { $0.mode = .record }) == .optional)
    #expect(
      demand([wants], { $0.hosts = [PlannedHostMode(pattern: "bank.*", mode: .spy)] }) == .optional)
    #expect(
      demand([wants], { $0.hosts = [PlannedHostMode(pattern: "shop.*", mode: .spy)] }) == .required)
    let reply = PlannedReply(
      status: 200, headers: [], body: .empty, delay: .zero, times: 1, range: Self.anywhere)
    #expect(demand([wants], { $0.unmatched = .reply(reply) }) == .optional)
    #expect(demand([wants], { $0.unmatched = .refuse }) == .required)
  }
}
