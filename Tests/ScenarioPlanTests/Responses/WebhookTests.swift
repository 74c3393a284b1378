import Foundations
@testable import MockEngine
@testable import Patterns
import ScenarioPlan
import Testing

@Suite("Webhooks behind replies")
struct WebhookTests {
  @Test(
    "A URL has a host, a port and a path as they are written",
    arguments: [
      ("http://shop.test/paid", "shop.test", 80, "/paid"),
      ("http://Shop.Test:8000", "shop.test", 8000, "/"),
      ("http://127.0.0.1:9?a=b%20c#d", "127.0.0.1", 9, "/?a=b%20c"),
      ("http://[::1]:8/x/", "[::1]", 8, "/x/"),
    ])
  func urls(text: String, host: String, port: UInt16, path: String) throws {
    let url = try WebhookURL(text)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.path == path)
  }

  @Test(
    "What is no URL of a webhook is told",
    arguments: [
      ("", "\"\" is not the URL of a webhook"), ("/paid", "\"/paid\" is not the URL of a webhook"),
      ("shop.test/paid", "\"shop.test/paid\" is not the URL of a webhook"),
      ("ftp://a.test/", "\"ftp://a.test/\" is not the URL of a webhook"),
      ("https://a.test/", "the webhook goes to \"https://a.test/\", and webhooks speak no TLS"),
      (
        "http://a.test/a b", "the URL \"http://a.test/a b\" holds a letter that cannot stand in one"
      ),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: PatternError.self) { try WebhookURL(text) }
    #expect(error?.message == message)
  }

  @Test("A host is known once its end is")
  func beginnings() throws {
    #expect(try WebhookURL.goal(of: "http://shop.test:8", isWhole: false) == nil)
    #expect(try WebhookURL.goal(of: "http:", isWhole: false) == nil)
    #expect(try WebhookURL.goal(of: "http://shop.test:8/", isWhole: false)?.port == 8)
    #expect(throws: PatternError.self) { try WebhookURL.goal(of: "/x", isWhole: false) }
  }

  private static let targets = """
    targets:
      shop: { host: shop.test, command: [./shop] }
      client: { command: [./client] }
    """

  private func plan(_ webhook: String) throws -> PlannedReply {
    let planned = try Samples.onlyCase(
      """
      \(Self.targets)
      steps: [{ start: shop }, { run: client }]
      responses: [ { "POST http://pay.test/{id}": { after: 2s, webhooks: [ \(webhook) ] } } ]
      """)
    return try #require(planned.network?.responses.first?.replies.first)
  }

  @Test("A webhook sees the request, and the clock at which it is due")
  func call() throws {
    let webhook = try #require(
      try plan(
        """
        { request: { url: "${{ request.json.url }}", headers: { X-Id: "${{ request.path.id }}" },
          json: { at: "${{ clock.now }}" } }, after: "${{ request.json.after }}" }
        """
      ).webhooks?.first)
    var request = IncomingRequest(
      method: "POST",
      target: try RequestTarget(scheme: "http", authority: "pay.test", target: "/7"),
      headers: [], body: Array(#"{"url":"http://shop.test:8/a?b=1","after":"1m"}"#.utf8))
    request.instant = try WallInstant(text: "2026-03-01T09:00:00Z")
    let scope = RequestScope(
      request: request, captures: ["id": "7"], base: CaseScope(directory: "/case"))

    let call = try webhook.call(
      of: "pay", use: 1, behind: request.instant.map { $0 + .seconds(2) }, in: scope)
    #expect(call.method == "POST")
    #expect(call.url == (try WebhookURL("http://shop.test:8/a?b=1")))
    #expect(call.delay == .seconds(60))
    #expect(
      call.headers == [
        .init(name: "X-Id", value: "7"), .init(name: "content-type", value: "application/json"),
      ])
    #expect(String(decoding: call.body, as: UTF8.self) == #"{"at":"2026-03-01T09:01:02Z"}"#)
  }

  @Test(
    "A webhook that leaves the case is a mistake where its host is written",
    arguments: [
      (
        "http://api.stripe.com/x",
        "the webhook goes to \"api.stripe.com\", which is not a target of the case"
      ),
      (
        "http://shpo.test/${{ request.path.id }}",
        "the webhook goes to \"shpo.test\", which is not a target of the case"
      ),
      (
        "https://shop.test/x",
        "the webhook goes to \"https://shop.test/x\", and webhooks speak no TLS"
      ),
      ("/paid", "\"/paid\" is not the URL of a webhook"),
    ])
  func outside(url: String, message: String) throws {
    let errors = try Samples.errors(
      """
      \(Self.targets)
      steps: [{ start: shop }, { run: client }]
      responses:
        - POST http://pay.test/{id}: { webhooks: [ { request: { url: "\(url)" } } ] }
      """)
    #expect(errors.map(\.message) == [message])
    #expect(errors.first?.code == .badAddress)
    #expect(errors.first?.range?.column == 64)
  }

  @Test(
    "Hosts of targets, their addresses, and the loopback of those that are none are within the case"
  )
  func inside() throws {
    for url in [
      "http://shop.test/", "http://198.18.0.1/", "http://localhost:8/", "http://127.0.0.1:8/",
      "${{ request.json.url }}", "http://${{ request.json.host }}/",
    ] {
      #expect(try plan("{ request: { url: \"\(url)\" } }").webhooks?.count == 1, "\(url)")
    }
    let errors = try Samples.errors(
      """
      target: { host: shop.test, command: [./shop] }
      responses:
        - POST http://pay.test/: { webhooks: [ { request: { url: "http://localhost:8/" } } ] }
      """)
    #expect(
      errors.map(\.message) == [
        "the webhook goes to \"localhost\", but every target has its own host"
      ])
  }

  @Test("Replies with webhooks go out in an order that is the same in each run")
  func order() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      responses: [ { "GET http://h/": { webhooks: [{ request: { url: "http://localhost:8/" } }] } } ]
      """)
    #expect(planned.network?.dependsOnOrder == true)
  }
}
