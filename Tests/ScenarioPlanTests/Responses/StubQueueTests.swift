import Foundations
import MockEngine
import Patterns
import ScenarioPlan
import Testing

@Suite("The queue of responses")
struct ResponseQueueTests {
  private let scope = CaseScope(directory: "/case")

  private func queue(_ responses: String, more: String = "") throws -> StubQueue {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n\(responses)\n\(more)")
    return StubQueue(responses: try #require(planned.network).responses)
  }

  private func request(
    _ method: String, _ url: String, headers: [String: String] = [:], body: String = ""
  ) throws -> IncomingRequest {
    IncomingRequest(
      method: method,
      target: try RequestTarget(scheme: "https", authority: "h", target: url),
      headers: headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) },
      body: Array(body.utf8))
  }

  private func claimed(_ claim: MatchResult) -> MatchedReply? {
    guard case .reply(let reply) = claim else { return nil }
    return reply
  }

  private func nearMisses(_ claim: MatchResult) -> [String] {
    guard case .unmatched(let lines, _) = claim else { return [] }
    return lines
  }

  @Test("The first entry in order that matches answers, and captures its templates")
  func first() throws {
    var queue = try queue(
      """
        - GET https://h/users/me: { text: me }
        - GET https://h/users/{id}: { text: other }
      """)

    let me = claimed(queue.claim(try request("GET", "/users/me"), scope: scope))
    let other = claimed(queue.claim(try request("GET", "/users/7"), scope: scope))

    #expect(me?.entry == 0)
    #expect(other?.entry == 1)
    #expect(other?.captures == ["id": "7"])
    #expect(other?.name == "GET https://h/users/{id}")
  }

  @Test("Replies come in order, each as often as it says, and then the queue is empty")
  func order() throws {
    var queue = try queue(
      """
        - request: GET https://h/a
          reply: [{ status: 503, times: 2 }, { status: 200 }]
      """)
    let get = try request("GET", "/a")

    let statuses = (0..<3).map { _ in claimed(queue.claim(get, scope: scope))?.reply.status }
    let lines = nearMisses(queue.claim(get, scope: scope))

    #expect(statuses == [503, 503, 200])
    #expect(lines.count == 4)
    #expect(
      lines.first?.hasSuffix("matches, but its queue is empty: all 3 replies are used") == true)
    #expect(queue.unused() == [])
  }

  @Test("When an entry's queue is empty, a later one that matches answers")
  func next() throws {
    var queue = try queue(
      """
        - request: GET https://h/a
          reply: [{ text: once }]
        - GET https://h/**: { text: always }
      """)
    let get = try request("GET", "/a")

    let entries = (0..<3).map { _ in claimed(queue.claim(get, scope: scope))?.entry }

    #expect(entries == [0, 1, 1])
  }

  @Test("What nobody asked for is reported with its counts")
  func unused() throws {
    var queue = try queue(
      """
        - request: GET https://h/a
          reply: [{ text: one }, { text: two, times: 2 }]
        - GET https://h/b: { text: never }
        - GET https://h/c: { text: often }
      """)
    _ = queue.claim(try request("GET", "/a"), scope: scope)
    _ = queue.claim(try request("GET", "/c"), scope: scope)

    let unused = queue.unused()

    #expect(unused.map(\.entry) == [0, 1])
    #expect(unused.map(\.usedCount) == [1, 0])
    #expect(unused.map(\.totalCount) == [3, 1])
    #expect(
      unused.first?.message == "unused replies of \"GET https://h/a\": 2 of 3")
    #expect(unused.last?.message == "unused: no request matched \"GET https://h/b\"")
  }

  @Test(
    "Headers, query, JSON and body must all satisfy their conditions",
    arguments: [
      ("POST", "/o?page=2", "application/json", #"{"sku":"A1","n":3}"#, true),
      ("PUT", "/o?page=2", "application/json", #"{"sku":"A1"}"#, false),
      ("POST", "/o?page=3", "application/json", #"{"sku":"A1"}"#, false),
      ("POST", "/o", "application/json", #"{"sku":"A1"}"#, false),
      ("POST", "/o?page=2", "text/plain", #"{"sku":"A1"}"#, false),
      ("POST", "/o?page=2", "application/json", #"{"sku":"B2"}"#, false),
      ("POST", "/o?page=2", "application/json", "sku=A1", false),
      ("POST", "/o?page=2", "application/json", "", false),
    ])
  func conditions(
    method: String, url: String, type: String, body: String, isMatch: Bool
  ) throws {
    var queue = try queue(
      """
        - request:
            method: POST
            url: https://h/o?page=2
            headers: { Content-Type: { contains: json } }
            json: { contains: { sku: A1 } }
          reply: [{ status: 201 }]
      """)
    let request = try request(method, url, headers: ["content-type": type], body: body)

    #expect((claimed(queue.claim(request, scope: scope)) != nil) == isMatch)
  }

  @Test("A near miss tells each condition that does not hold, the nearest entry first")
  func nearMiss() throws {
    var queue = try queue(
      """
        - GET https://other/x: { text: a }
        - request: { method: POST, url: "https://h/o/{id}", json: { contains: { sku: A1 } } }
          reply: [{ status: 201 }]
        - GET https://h/a: { text: a }
        - GET https://h/b: { text: a }
      """)
    let lines = nearMisses(
      queue.claim(try request("POST", "/o/1", body: #"{"sku":"B2"}"#), scope: scope))

    #expect(lines.first?.hasSuffix("4 of 5 conditions are met") == true)
    #expect(lines.first?.contains("(test.yaml:4:") == true)
    #expect(lines.dropFirst().first == "  json $.sku: expected \"A1\", got \"B2\"")
    #expect(lines.count { !$0.hasPrefix("  ") } == 3)
    #expect(lines.contains("  path: expected /a, got /o/1"))
    #expect(lines.contains("  method: expected GET, got POST"))
    #expect(!lines.contains { $0.contains("other") })
  }

  @Test("A case without responses says so")
  func none() throws {
    var queue = StubQueue(responses: [])

    #expect(
      nearMisses(queue.claim(try request("GET", "/"), scope: scope)) == ["there are no responses"])
  }

  @Test("A reply can use the request")
  func requestScope() throws {
    var queue = try queue(
      """
        - request: POST https://h/o/{id}
          reply:
            - json:
                id: "${{ request.path.id }}"
                sku: "${{ request.json.items[0].sku }}"
                count: "${{ request.json.count }}"
                text: "${{ request.method }} ${{ request.query.q }} ${{ request.headers['X-Trace'] }}"
              headers: { location: "/o/${{ request.path.id }}" }
      """)
    let request = try request(
      "POST", "/o/7?q=a+b", headers: ["x-trace": "t1"],
      body: #"{"items":[{"sku":"A1"}],"count":2}"#)

    let reply = try #require(claimed(queue.claim(request, scope: scope)))
    let replyScope = RequestScope(request: request, captures: reply.captures, base: scope)
    guard case .json(let data) = reply.reply.body else {
      Issue.record("no JSON")
      return
    }

    #expect(
      try data.resolve(in: replyScope).jsonText()
        == #"{"id":"7","sku":"A1","count":2,"text":"POST a b t1"}"#)
    #expect(try reply.reply.headers[0].value.resolve(in: replyScope) == "/o/7")
  }

  @Test("A reply that needs what the request does not have tells what is there")
  func missingInRequest() throws {
    var queue = try queue(
      """
        - request: POST https://h/o
          reply: [{ json: { sku: "${{ request.json.sku }}" } }]
      """)
    let request = try request("POST", "/o", body: #"{"skuu":1}"#)
    let reply = try #require(claimed(queue.claim(request, scope: scope)))
    guard case .json(let data) = reply.reply.body else {
      Issue.record("no JSON")
      return
    }

    let error = #expect(throws: RunScopeError.self) {
      try data.resolve(in: RequestScope(request: request, captures: [:], base: scope))
    }
    #expect(error?.message == "\"request.json\" has no key \"sku\"")
    #expect(error?.help?.hasPrefix("did you mean \"skuu\"?") == true)
  }

  @Test("An object that a reply builds takes fields from the request, and others follow them")
  func builtFromRequest() throws {
    var queue = try queue(
      """
        - request: POST https://h/o/{id}
          reply:
            json:
              order:
                $build: order
                with: { id: "${{ request.path.id }}", buyer.name: "${{ request.json.name }}", extra: "${{ request.json }}" }
      """,
      more: """
        factories:
          order: { fields: { id: 0, link: "/o/${{ id }}", who: "${{ buyer.name }}", deep: "${{ extra.name }}", extra: null, buyer: { $build: buyer } } }
          buyer: { fields: { name: none, greeting: "hello ${{ name }}" } }
        """)
    let request = try request("POST", "/o/7", body: #"{"name":"Ada"}"#)
    let reply = try #require(claimed(queue.claim(request, scope: scope)))
    guard case .json(let data) = reply.reply.body else {
      Issue.record("no JSON")
      return
    }

    let scope = RequestScope(request: request, captures: reply.captures, base: scope)
    #expect(
      try data.resolve(in: scope).jsonText()
        == #"{"order":{"id":"7","link":"/o/7","who":"Ada","deep":"Ada","extra":{"name":"Ada"},"buyer":{"name":"Ada","greeting":"hello Ada"}}}"#
    )
  }

  @Test(
    "What only the request has can stand in no object outside of replies, and is computed with in others"
  )
  func builtWithoutRequest() throws {
    let factories = "factories: { order: { fields: { id: 0, up: \"${{ upper(id) }}\" } } }\n"
    let inFunction = try Samples.onlyCase(
      factories + """
        target: { command: [./program] }
        responses:
          - GET https://h/{id}: { json: { $build: order, with: { id: "${{ request.path.id }}" } } }
        """)
    let outside = try Samples.errors(
      factories + """
        target: { command: [./program], files: { f: { json: { $build: order, with: { id: "${{ request.path.id }}" } } } } }
        """)

    guard case .json(let data)? = inFunction.network?.responses.first?.replies.first?.body else {
      Issue.record("no reply")
      return
    }
    let error = #expect(throws: RunScopeError.self) {
      try data.resolve(in: CaseScope(directory: "/case"))
    }
    #expect(error?.message == "\"request\" is not known here")
    #expect(outside.first?.message == "\"request\" is known only in replies")
  }

  @Test("A template that the URL does not have is found before the run")
  func unknownCapture() throws {
    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      responses:
        - GET https://h/{id}: { text: "${{ request.path.idd }}" }
        - POST https://h/x: { text: "${{ request.pth.id }}" }
      """)

    #expect(
      errors.map(\.message) == [
        "the entry's URL has no template \"{idd}\"", "\"request\" has no \"pth\"",
      ])
  }
}
