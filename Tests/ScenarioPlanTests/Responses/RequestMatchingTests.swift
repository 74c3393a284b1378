import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Matching of requests")
struct RequestMatchingTests {
  private let scope = CaseScope(directory: "/case")

  private func queue(_ request: String) throws -> StubQueue {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n  - request: \(request)\n    reply: { status: 204 }\n    then: repeat\n"
    )
    return StubQueue(responses: try #require(planned.network).responses)
  }

  private func request(
    _ line: String, _ headers: [(String, String)] = [], body: String = "", process: String? = nil
  ) throws -> IncomingRequest {
    let words = line.split(separator: " ")
    var request = IncomingRequest(
      method: String(words[0]),
      target: try RequestTarget(scheme: "https", authority: "h", target: String(words[1])),
      headers: headers.map { .init(name: $0.0, value: $0.1) }, body: Array(body.utf8))
    request.origin = process.map {
      ClientOrigin(connection: 1, process: 7, arguments: ["/usr/bin/\($0)", "-s"])
    }
    return request
  }

  private func isAnswered(_ pattern: String, _ request: IncomingRequest) throws -> Bool {
    var queue = try queue(pattern)
    if case .reply = queue.claim(request, scope: scope) { return true }
    return false
  }

  @Test(
    "Addresses by pattern, by part and by condition",
    arguments: [
      ("{ url: { matches: '^https://h/v[12]/' } }", "GET /v2/x", "GET /v3/x"),
      ("{ path: '/orders/{id}' }", "GET /orders/7", "GET /orders/7/x"),
      ("{ path: { matches: '^/a(/|$)' } }", "GET /a/b", "GET /ab"),
      ("{ host: h, path: /x }", "GET /x", "GET /y"),
      ("{ host: '*', path: { contains: x } }", "GET /axb", "GET /ab"),
      ("{ url: https://h/**, query: { tag: [b, a] } }", "GET /x?tag=a&tag=b", "GET /x?tag=a"),
      ("{ url: https://h/**, query: { q: { matches: '^a' } } }", "GET /x?q=b&q=ab", "GET /x?q=b"),
      ("{ url: https://h/**, query: { q: { absent: true } } }", "GET /x", "GET /x?q="),
      ("{ url: https://h/**, query: { q: { exists: true } } }", "GET /x?q", "GET /x"),
      ("{ url: https://h/**, query: { q: { not: a } } }", "GET /x?q=b", "GET /x?q=b&q=a"),
    ])
  func addresses(pattern: String, hit: String, miss: String) throws {
    #expect(try isAnswered(pattern, try request(hit)))
    #expect(try !isAnswered(pattern, try request(miss)))
  }

  @Test(
    "What is exact has nothing that is not named",
    arguments: [
      ("{ url: https://h/x, exact: true }", "GET /x", "GET /x?a=1"),
      ("{ url: 'https://h/x?a=1', exact: true }", "GET /x?a=1", "GET /x?a=1&b=2"),
      ("{ url: 'https://h/x?a=1', exact: true }", "GET /x?a=1", "GET /x?a=1&a=1"),
      (
        "{ url: 'https://h/x?a=1', exact: true, query: { b: '2' } }", "GET /x?b=2&a=1",
        "GET /x?b=2&a=1&b=3"
      ),
      (
        "{ url: https://h/x, exact: true, query: { b: [c, d] } }", "GET /x?b=c&b=d",
        "GET /x?b=c&b=d&e"
      ),
      (
        "{ url: { contains: '/x?' }, exact: true, query: { a: '1' } }", "GET /x?a=1",
        "GET /x?a=1&b=2"
      ),
      ("{ url: https://h/x, exact: false }", "GET /x?a=1", "GET /y"),
    ])
  func exact(pattern: String, hit: String, miss: String) throws {
    #expect(try isAnswered(pattern, try request(hit)))
    #expect(try !isAnswered(pattern, try request(miss)))
  }

  @Test("A value that is wrong in an exact query or form is reported once")
  func wrongValues() throws {
    func objections(_ pattern: String, _ request: IncomingRequest) throws -> [String] {
      let planned = try Samples.onlyCase(
        "target: { command: [./program] }\nresponses:\n  - request: \(pattern)\n    reply: { status: 204 }\n"
      )
      guard case .http(let wanted)? = planned.network?.responses.first?.match else { return [] }
      return RequestVerdict(wanted, request, scope: scope).objections
    }
    let form = [("content-type", "application/x-www-form-urlencoded")]

    #expect(
      try objections("{ url: 'https://h/x?a=1', exact: true }", try request("GET /x?a=2"))
        == ["query \"a\": expected \"1\", got \"2\""])
    #expect(
      try objections(
        "{ url: https://h/x, exact: true, query: { a: { absent: true } } }",
        try request("GET /x?a=2&b=3")
      ) == [
        "query \"a\": expected nothing, got \"2\"",
        "query: expected no other item, got \"b=3\"",
      ])
    let inForm = try objections(
      "{ url: https://h/x, exact: true, form: { a: ['1'] } }",
      try request("POST /x", form, body: "a=1&a=2"))
    #expect(inForm.count == 1 && inForm[0].hasPrefix("form \"a\": expected "), "\(inForm)")
    // A value that is allowed may still be there too often.
    #expect(
      try objections("{ url: 'https://h/x?a=1', exact: true }", try request("GET /x?a=1&a=1"))
        == ["query: expected no other item, got \"a=1\""])
  }

  @Test(
    "What is exact beside conditions on the whole URL names something",
    arguments: [
      ("exact: true", true), ("exact: true, headers: { x: y }", true), ("exact: false", false),
      ("exact: true, query: { a: '1' }", false), ("exact: true, form: { a: '1' }", false),
      ("exact: true, parts: { a: x }", false),
    ])
  func exactURLs(conditions: String, isMistake: Bool) throws {
    let found = try Samples.plan(
      """
      target: { command: [./program] }
      responses:
        - { request: { url: { contains: '/x' }, \(conditions) }, reply: { status: 204 } }
      """
    ).diagnostics

    #expect(found.map(\.code) == (isMistake ? [.noEffect] : []), "\(found.map(\.message))")
  }

  @Test("A form and parts that are exact have no other fields and parts")
  func exactBodies() throws {
    let form = [("content-type", "application/x-www-form-urlencoded")]
    let parts = [("content-type", "multipart/form-data; boundary=B")]
    func part(_ name: String) -> String {
      "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\nx\r\n"
    }
    let exactForm = "{ url: https://h/x, exact: true, form: { a: '1' } }"
    let exactParts = "{ url: https://h/x, exact: true, parts: { a: x } }"

    #expect(try isAnswered(exactForm, try request("POST /x", form, body: "a=1")))
    #expect(try !isAnswered(exactForm, try request("POST /x", form, body: "a=1&b=2")))
    #expect(
      try isAnswered(exactParts, try request("POST /x", parts, body: part("a") + "--B--\r\n")))
    for more in ["a", "b"] {
      #expect(
        try !isAnswered(
          exactParts, try request("POST /x", parts, body: part("a") + part(more) + "--B--\r\n")))
    }
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n  - request: \(exactForm)\n    reply: { status: 204 }\n"
    )
    guard case .http(let wanted)? = planned.network?.responses.first?.match else {
      Issue.record("no request")
      return
    }
    let sent = try request("POST /x?c=3", form, body: "a=1&b=2")
    #expect(
      RequestVerdict(wanted, sent, scope: scope).objections == [
        "query: expected no other item, got \"c=3\"",
        "form: expected no other field, got \"b=2\"",
      ])
  }

  @Test(
    "An expression that gives an empty text is in no request, and its opposite holds of none",
    arguments: [
      "headers: { x: { CONDITION } }", "headers: { x: [{ CONDITION }] }",
      "query: { q: { CONDITION } }", "path: { CONDITION }",
      "json: { $.a: { CONDITION } }", "body: { CONDITION }",
    ])
  func emptyExpressions(place: String) throws {
    let request = try request("POST /1?q=1", [("x", "1")], body: #"{"a": "1"}"#)
    func isAnswered(_ condition: String, captured: String) throws -> Bool {
      let pattern = place.replacing("CONDITION", with: condition)
      let planned = try Samples.onlyCase(
        """
        target: { command: [./program] }
        steps: [{ start: }, { capture: { id: { stdout: "(x*)" } } }, { wait: exit }]
        responses:
          - { request: { host: h, \(pattern) }, reply: { status: 204 } }
        """)
      var queue = StubQueue(responses: try #require(planned.network).responses)
      var scope = scope
      scope.captures = CapturedValues()
      scope.captures.keep(.string(captured), as: "id")
      if case .reply = queue.claim(request, scope: scope) { return true }
      return false
    }
    let part = #"contains: "${{ capture.id }}""#
    #expect(try isAnswered(part, captured: "1"))
    #expect(try !isAnswered(part, captured: "2"))
    #expect(try !isAnswered(part, captured: ""))
    #expect(try !isAnswered("not: { \(part) }", captured: "1"))
    #expect(try isAnswered("not: { \(part) }", captured: "2"))
    #expect(try !isAnswered("not: { \(part) }", captured: ""))
  }

  @Test("Headers are case-blind, and lists")
  func headers() throws {
    let pattern =
      "{ url: https://h/x, headers: { Accept: [text/html, application/json], x-a: '1' } }"
    let list = [("accept", "application/json, text/html"), ("X-A", "1")]

    #expect(try isAnswered(pattern, try request("GET /x", list)))
    #expect(
      try isAnswered(
        pattern,
        try request(
          "GET /x", [("ACCEPT", "text/html"), ("Accept", "application/json"), ("x-a", "1")])))
    #expect(
      try !isAnswered(pattern, try request("GET /x", [("accept", "text/html"), ("x-a", "1")])))
  }

  @Test("Cookies are told apart")
  func cookies() throws {
    let pattern =
      "{ url: https://h/x, cookies: { session: { matches: '^s' }, old: { absent: true } } }"

    #expect(try isAnswered(pattern, try request("GET /x", [("cookie", "a=1; session=s7")])))
    #expect(try !isAnswered(pattern, try request("GET /x", [("cookie", "session=s7; old=1")])))
  }

  @Test("Forms are compared field by field")
  func forms() throws {
    let pattern = "{ url: https://h/x, form: { name: Ada Lovelace, tag: [a, b] } }"
    let type = [("content-type", "application/x-www-form-urlencoded; charset=utf-8")]

    #expect(
      try isAnswered(pattern, try request("POST /x", type, body: "tag=b&name=Ada+Lovelace&tag=a")))
    #expect(try !isAnswered(pattern, try request("POST /x", type, body: "name=Ada")))
    #expect(try !isAnswered(pattern, try request("POST /x", body: "tag=b&name=Ada+Lovelace&tag=a")))
  }

  @Test("Parts of a multipart body are compared by name")
  func multipart() throws {
    let pattern =
      "{ url: https://h/x, parts: { title: hello, photo: { filename: a.png, content_type: image/png, base64: iVBORw== } } }"
    let type = [("content-type", "multipart/form-data; boundary=\"b b\"")]
    func body(_ title: String) -> [UInt8] {
      Array(
        ("--b b\r\ncontent-disposition: form-data; name=\"title\"\r\n\r\n\(title)\r\n--b b\r\n"
          + "Content-Disposition: form-data; name=photo; filename=\"a.png\"\r\n"
          + "Content-Type: image/png\r\n\r\n").utf8) + [0x89, 0x50, 0x4E, 0x47]
        + Array("\r\n--b b--\r\n".utf8)
    }
    func request(_ title: String) throws -> IncomingRequest {
      IncomingRequest(
        method: "POST", target: try RequestTarget(scheme: "https", authority: "h", target: "/x"),
        headers: type.map { .init(name: $0.0, value: $0.1) }, body: body(title))
    }

    #expect(try isAnswered(pattern, try request("hello")))
    #expect(try !isAnswered(pattern, try request("hello ")))
  }

  @Test("JSON by paths and by schema, bodies byte for byte")
  func bodies() throws {
    let paths =
      "{ url: https://h/x, json: { '$.items[0].sku': { matches: '^A' }, $.total: { less_than: 9 } } }"
    let schema =
      "{ url: https://h/x, json: { schema: { required: [sku], properties: { sku: { type: string } } } } }"

    #expect(
      try isAnswered(paths, try request("POST /x", body: #"{"items":[{"sku":"A1"}],"total":3}"#)))
    #expect(try !isAnswered(paths, try request("POST /x", body: #"{"items":[],"total":3}"#)))
    #expect(try isAnswered(schema, try request("POST /x", body: #"{"sku":"A1"}"#)))
    #expect(try !isAnswered(schema, try request("POST /x", body: #"{"sku":1}"#)))
    #expect(
      try isAnswered(
        "{ url: https://h/x, body: { base64: YWI= } }", try request("POST /x", body: "ab")))
    #expect(
      try !isAnswered(
        "{ url: https://h/x, body: { base64: YWI= } }", try request("POST /x", body: "abc")))
  }

  @Test("Requests are told apart by the program that sends them")
  func process() throws {
    let pattern = "{ url: https://h/x, from: { process: 'python*' } }"

    #expect(try isAnswered(pattern, try request("GET /x", process: "python3")))
    #expect(try !isAnswered(pattern, try request("GET /x", process: "curl")))
    #expect(try !isAnswered(pattern, try request("GET /x")))
  }

  @Test(
    "Mistakes in requests and replies are reported",
    arguments: [
      ("{ url: https://h/x, headers: { a: { matches: '(' } } }", "is not a regular expression"),
      ("{ url: https://h/x, body: { matches: '(?=a)b' } }", "holds a lookahead"),
      ("{ url: { matches: '[' } }", "is not a regular expression"),
      ("{ url: https://h/x, json: { '$.a[': 1 } }", "\"$.a[\" is not a path"),
      (
        "{ url: https://h/x, json: { schema: { typ: string } } }",
        "the keyword \"typ\" is not known"
      ),
      ("{ url: https://h/x, json: { schema: missing } }", "the file \"missing\" does not exist"),
      ("{ url: https://h/x, body: { file: missing } }", "the file \"missing\" does not exist"),
      ("{ path: '/a/{b}/{b}' }", "stands twice"),
    ])
  func mistakes(request: String, message: String) throws {
    let errors = try Samples.errors(
      "target: { command: [./program] }\nresponses:\n  - request: \(request)\n    reply: {}\n")

    #expect(errors.contains { $0.message.contains(message) }, "\(errors.map(\.message))")
    #expect(errors.allSatisfy { $0.range?.line == 3 && $0.help?.isEmpty == false })
  }

  @Test("An entry behind one that answers for ever is refused; one that asks for less is not")
  func reach() throws {
    func errors(_ first: String, _ second: String) throws -> [String] {
      try Samples.plan(
        "target: { command: [./program] }\nresponses:\n  - \(first)\n  - \(second)\n"
      ).diagnostics.map(\.message)
    }
    let all = "GET https://h/users/{id}: {}"
    let cycle = "{ request: { url: https://h/** }, reply: [{}], then: cycle }"

    #expect(
      try errors(all, "GET https://h/users/7: {}").first?.contains("is never used") == true)
    #expect(try errors(all, "GET https://h/users/{name}: {}").count == 1)
    #expect(try errors(cycle, "GET https://h/x: {}").count == 1)
    #expect(try errors(all, "POST https://h/users/7: {}").isEmpty)
    #expect(try errors(all, "GET https://h/users/**: {}").isEmpty)
    #expect(try errors("{ request: GET https://h/x, reply: {} }", "GET https://h/x: {}").isEmpty)
  }
}
