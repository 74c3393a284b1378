import Foundations
@testable import MockEngine
@testable import Patterns
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Responses that others stand before")
struct FallbackResponseTests {
  private static let target = "target: { command: [./program] }\n"

  private func network(_ text: String) throws -> PlannedNetwork {
    try #require(Samples.onlyCase(Self.target + text).network)
  }

  @Test(
    "What a scenario says for a URL of its file's top takes precedence, in the short form as well")
  func fileTop() throws {
    let network = try network(
      """
      responses:
        - GET https://h/a: { text: top }
        - GET https://h/b: { text: top }
      scenarios:
        - name: own
          responses: [ { GET https://h/a: { text: own } } ]
      """)

    #expect(network.responses.map(\.isFallback) == [nil, true, true])
    #expect(network.responses.indices.map { network.isOverridden($0) } == [false, true, false])
  }

  @Test(
    "Connections of the scenario that go wrong stand before the responses of their host",
    arguments: [("h", true), ("*", true), ("h:443", true), ("h:8080", false), ("other", false)])
  func faults(host: String, isOverridden: Bool) throws {
    let network = try network(
      """
      responses:
        - GET https://h/a: {}
      scenarios:
        - name: a
          responses:
            - { host: "\(host)", fault: refuse }
      """)

    #expect(network.isOverridden(0) == isOverridden)
  }

  @Test(
    "One entry stands before another that is for the same requests, or for fewer",
    arguments: [
      ("GET https://h/users/{id}", "GET https://h/users/7", true),
      ("GET https://h/**", "GET https://h/users/7", true),
      ("GET https://h/users/7", "GET https://h/users/{id}", false),
      ("POST https://h/a", "GET https://h/a", false),
      ("GET https://other/a", "GET https://h/a", false),
    ])
  func coverage(own: String, top: String, isOverridden: Bool) throws {
    let network = try network(
      """
      responses:
        - \(top): {}
      scenarios:
        - name: a
          responses:
            - \(own): {}
      """)

    #expect(network.isOverridden(1) == isOverridden)
  }

  @Test(
    "A queue and conditions stand before a fallback as the short form does, GraphQL by its operation"
  )
  func kinds() throws {
    let network = try network(
      """
      responses:
        - GET https://h/a: {}
        - { query: Q, reply: { data: {} } }
        - { query: R, reply: { data: {} } }
      scenarios:
        - name: a
          responses:
            - { request: { method: GET, url: https://h/a, headers: { x: "1" } }, reply: [ {}, {} ] }
            - { query: Q, reply: { data: {} } }
      """)

    #expect(
      network.responses.indices.map { network.isOverridden($0) } == [
        false, false, true, true, false,
      ])
  }

  @Test("Connections that a scenario breaks in another way stand before those of its file's top")
  func connections() throws {
    let network = try network(
      """
      responses: [ { host: down.test, fault: refuse }, { host: far.test, fault: refuse } ]
      scenarios:
        - name: a
          responses: [ { host: down.test, fault: unreachable }, { GET https://h/a: {} } ]
      """)

    #expect(network.connectionFaults.map(\.host) == ["down.test", "down.test", "far.test"])
    #expect((0...2).map { network.isConnectionOverridden($0) } == [false, true, false])
  }

  @Test(
    "A shared fault leaves alone what the scenario itself answers or breaks, and nothing else",
    arguments: [
      ("", [.refuse, .refuse], false),
      ("{ GET https://other.test/a: {} }", [.refuse, .refuse], false),
      ("{ GET https://shop.test:8443/a: {} }", [.refuse, .refuse], true),
      ("{ GET https://shop.test/a: {} }", [nil, nil], true),
      ("{ GET https://*.test/a: {} }", [nil, nil], true),
      ("{ request: { host: shop.test }, reply: {} }", [nil, nil], true),
      ("{ host: shop.test, fault: { tls: expired } }", [nil, nil], true),
      ("{ host: shop.test, fault: unreachable, times: 1 }", [.unreachable, .refuse], true),
    ] as [(String, [ConnectionFault?], Bool)])
  func sharedFault(own: String, faults: [ConnectionFault?], isOverridden: Bool) throws {
    let network = try network(
      """
      responses: [ { host: shop.test, fault: refuse } ]
      scenarios:
        - name: a
          responses: [ \(own) ]
      """)
    var table = ConnectionFaults(of: network)

    #expect(faults.map { _ in table.claim(["shop.test"], port: 443, in: .connecting) } == faults)
    #expect(network.isConnectionOverridden(network.connectionFaults.count - 1) == isOverridden)
  }

  @Test("Within one place an entry that can never be reached stays a mistake")
  func unreachable() throws {
    let twice = "[ { GET https://h/a: {} }, { GET https://h/a: { text: never } } ]"
    for text in [
      "responses: \(twice)", "scenarios: [ { name: a, responses: \(twice) } ]",
      "responses: \(twice)\nscenarios: [ { name: a } ]",
    ] {
      #expect(try Samples.errors(Self.target + text).map(\.code) == [.unreachableResponse])
    }
  }

  @Test("An entry that was overtaken says so, and one that nobody wanted does not")
  func overtaken() throws {
    let network = try network(
      """
      responses: [ { GET https://h/a/b: {} }, { GET https://h/c: {} } ]
      scenarios: [ { name: a, responses: [ { GET https://h/a/*: {} } ] } ]
      """)
    let queue = StubQueue(responses: network.responses)
    let request = IncomingRequest(
      method: "GET",
      target: RequestTarget(scheme: "https", host: "h", port: 443, path: "/a/b"), headers: [],
      body: [])
    let scope = CaseScope(directory: "/case")

    #expect(queue.nearest(to: 1, among: [request], scope: scope).isMatch)
    #expect(!queue.nearest(to: 2, among: [request], scope: scope).isMatch)
  }
}
