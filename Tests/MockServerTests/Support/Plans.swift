import Foundations
import MockServer
import Patterns
import ScenarioModel
import ScenarioPlan

/// Where entries of these tests claim to stand.
let anywhere = SourceRange(file: "test.yaml", line: 1, column: 1)

extension PlannedReply {
  static func text(
    _ text: String, status: Int = 200, headers: [PlannedVariable] = [],
    after delay: Nanoseconds = .zero, times: Int = 1
  ) -> PlannedReply {
    PlannedReply(
      status: status, headers: headers, body: .text(PlannedText(text)), delay: delay,
      times: times, range: anywhere)
  }

  static func with(_ body: Body, status: Int = 200) -> PlannedReply {
    PlannedReply(
      status: status, headers: [], body: body, delay: .zero, times: 1, range: anywhere)
  }
}

extension PlannedResponse {
  static func entry(
    _ method: String? = "GET", _ path: String, scheme: String? = nil, host: String? = "api.test",
    replies: [PlannedReply], repeats: Bool = false
  ) -> PlannedResponse {
    PlannedResponse(
      name: "\(method ?? "any") \(path)",
      match: .http(
        PlannedRequest(
          methods: method.map { [$0] },
          url: URLPattern(scheme: scheme, host: host, port: nil, path: path))),
      replies: replies, repeats: repeats, range: anywhere)
  }
}

/// A server with a world, which ends with the test.
final class TestServer {
  let world: ManualWorld
  let server: ScenarioMockServer
  let authority: CertificateAuthority

  init(
    _ responses: [PlannedResponse], world: ManualWorld = ManualWorld(),
    graphQL: PlannedGraphQL? = nil, unmatched: PlannedUnmatched = .fail, links: LinkFaults? = nil,
    strangers: StrangersInTurn? = nil, names: PlannedNames? = nil,
    hosts: [String: String] = [:], mode: NetworkSettings.Mode = .offline
  ) throws {
    self.world = world
    var environment = world.environment
    environment.links = links
    environment.hosts = hosts
    environment.reservedAddresses = hosts.count
    if let strangers {
      environment.admission = { _, _, completion in completion(strangers.next()) }
    }
    authority = try CertificateAuthority()
    var network = PlannedNetwork(
      mode: mode, unused: .fail, responses: responses, graphQL: graphQL)
    network.unmatched = unmatched
    network.names = names
    server = try ScenarioMockServer(
      network: network,
      authority: authority,
      environment: environment)
  }

  deinit {
    server.shutdown()
  }

  /// The port that stands for a host's port 80.
  func port(host: String = "api.test", port: UInt16 = 80) throws -> UInt16 {
    try server.port(host: host, address: "198.18.0.1", port: port)
  }

  func client(host: String = "api.test") throws -> Client {
    try Client(port: port(host: host))
  }
}
