import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite struct WebhookDecodingTests {
  @Test("A webhook has a request, a delay, retries and a meaning")
  func reads() throws {
    let text = """
      version: 2
      responses:
        - POST http://pay.test/charges:
            webhooks:
              - request: { url: "${{ request.json.url }}", headers: { X-A: [a, b] }, json: { id: 7 } }
                after: { uniform: { from: 1s, to: 2s } }
                within: 5s
                retries: { times: 3, after: 10s }
                unanswered: warn
              - { request: { method: PUT, url: "http://shop.test/", body: hi }, retries: 2 }
      """
    let reply = try #require(parse(text).file?.defaults.responses.first?.replies.first)

    try #require(reply.webhooks.count == 2)
    let (first, second) = (reply.webhooks[0], reply.webhooks[1])
    #expect(first.request.method == nil)
    #expect(first.request.headers.map(\.key.value) == ["X-A", "X-A"])
    #expect(first.delay == .drawn(.uniform(from: .seconds(1), to: .seconds(2))))
    #expect(first.patience == .seconds(5))
    #expect(first.retries.times == 3)
    #expect(first.retries.delay == .seconds(10))
    #expect(first.unanswered == .warn)
    #expect(second.request.method?.value == "PUT")
    #expect(second.delay == .length(.zero))
    #expect(second.patience == .seconds(30))
    #expect(second.retries.times == 2)
    #expect(second.retries.delay == .seconds(1))
    #expect(second.unanswered == .fail)
    guard case .json = first.request.body, case .text = second.request.body else {
      Issue.record("no bodies")
      return
    }
  }

  @Test(
    "What a webhook cannot say is a mistake with its place",
    arguments: [
      ("[]", "\"webhooks\" is empty", 41),
      ("{ url: http://a.test/ }", "\"webhooks\" must be a list", 41),
      ("[{}]", "missing required key \"request\" in a webhook", 42),
      ("[{ request: POST http://a.test/ }]", "\"request\" must be a map", 53),
      ("[{ request: { method: POST } }]", "missing required key \"url\"", 53),
      ("[{ request: { url: '' } }]", "\"url\" is empty", 60),
      (
        "[{ request: { method: post, url: http://a.test/ } }]",
        "\"post\" is not a request method", 63
      ),
      ("[{ request: { url: http://a.test/, jsn: 1 } }]", "unknown key \"jsn\"", 76),
      (
        "[{ request: { url: http://a.test/, json: 1, body: a } }]",
        "\"body\" cannot be combined with \"json\"", 85
      ),
      (
        "[{ request: { url: http://a.test/, headers: { a b: 1 } } }]",
        "\"a b\" is not a header name", 87
      ),
      ("[{ request: { url: http://a.test/ }, retries: -1 }]", "\"retries\" must be from 0", 87),
      (
        "[{ request: { url: http://a.test/ }, retries: { after: 1s } }]",
        "missing required key \"times\"", 87
      ),
      (
        "[{ request: { url: http://a.test/ }, unanswered: never }]",
        "unknown value \"never\" for \"unanswered\"", 90
      ),
      ("[{ request: { url: http://a.test/ }, delay: 1s }]", "unknown key \"delay\"", 78),
    ])
  func refuses(webhooks: String, message: String, column: Int) {
    let diagnostics = ScenarioFile.parse(
      text: "version: 2\nresponses:\n  - GET https://a.example/: { webhooks: \(webhooks) }\n",
      path: "a.yaml"
    ).diagnostics

    #expect(diagnostics.count == 1, "\(diagnostics)")
    #expect(diagnostics.first?.message.contains(message) == true, "\(diagnostics)")
    #expect(diagnostics.first?.help?.isEmpty == false, "\(diagnostics)")
    #expect(diagnostics.first?.range?.column == column, "\(diagnostics)")
  }

  @Test("Replies of GraphQL have no webhooks")
  func graphQL() {
    let diagnostics = ScenarioFile.parse(
      text: """
        version: 2
        responses:
          - { query: A, reply: { data: 1, webhooks: [{ request: { url: http://a.test/ } }] } }
        """, path: "a.yaml"
    ).diagnostics
    #expect(diagnostics.first?.message == "unknown key \"webhooks\" in a GraphQL reply")
  }
}
