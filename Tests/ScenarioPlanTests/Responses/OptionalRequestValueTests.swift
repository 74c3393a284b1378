import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Values that a request may lack")
struct OptionalRequestValueTests {
  private static let bare = IncomingRequest(
    method: "GET",
    target: RequestTarget(
      scheme: "https", host: "h", port: 443, path: "/o/7", query: []), headers: [], body: [])

  /// What a reply's text tells a request.
  private func told(
    _ expression: String, request: IncomingRequest = bare, captures: CapturedValues = .init()
  ) throws -> Value {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      steps: [ { start: }, { capture: { seen: { stdout: { json: $.a } } } }, { wait: exit } ]
      responses:
        - GET https://h/o/{id}: { json: "${{ \(expression) }}" }
      """)
    guard case .json(let data)? = planned.network?.responses.first?.replies.first?.body else {
      Issue.record("no JSON")
      return .null
    }
    return try data.resolve(
      in: RequestScope(
        request: request, captures: ["id": "7"],
        base: CaseScope(directory: "/case", captures: captures)))
  }

  @Test(
    "What is missing has a default",
    arguments: [
      "request.query.page ?? '1'", "request.query?.page ?? '1'", "default(request.query.page, '1')",
      "coalesce(request.query.page, request.form.page, '1')", "request.headers['X-None'] ?? '1'",
      "request.headers?['X-None'] ?? '1'", "request.headers.accept ?? '1'",
      "request.cookies.session ?? '1'", "request.form.a ?? '1'", "request.json.a ?? '1'",
      "request.json?.a ?? '1'", "request.json?.a.b[0].c ?? '1'", "request.json.a[3] ?? '1'",
      "request.variables.id ?? '1'", "request.operation ?? '1'", "capture.seen ?? '1'",
      "capture.seen?.a ?? '1'", "request.query.a ?? request.query.b ?? '1'",
      "request.query['a' + 'b'] ?? '1'", "request?.query?.page ?? '1'",
      "request?.query.page ?? '1'", "request?['query']?.page ?? '1'", "request?.json?.a ?? '1'",
    ])
  func missing(expression: String) throws {
    #expect(try told(expression) == .string("1"))
  }

  @Test("What is there is taken")
  func present() throws {
    let request = IncomingRequest(
      method: "GET",
      target: try RequestTarget(scheme: "https", authority: "h", target: "/o/7?page=2"),
      headers: [.init(name: "X-Trace", value: "t1")], body: Array(#"{"a":{"b":[3]},"n":null}"#.utf8)
    )

    #expect(try told("request.query.page ?? '1'", request: request) == .string("2"))
    #expect(try told("request.query?.page", request: request) == .string("2"))
    #expect(try told("request?.query?.page", request: request) == .string("2"))
    #expect(try told("request?.headers['X-Trace']", request: request) == .string("t1"))
    #expect(try told("request.headers?['X-Trace'] ?? '1'", request: request) == .string("t1"))
    #expect(try told("request.headers['x-' + 'Trace']", request: request) == .string("t1"))
    #expect(try told("request.json?.a?.b?[0] ?? 1", request: request) == .integer(3))
    #expect(try told("request.json.n ?? 'null'", request: request) == .string("null"))
    #expect(try told("request.path.id ?? '1'", request: request) == .string("7"))
  }

  @Test("A step with a question mark alone gives null, and one without is an error that names it")
  func alone() throws {
    #expect(try told("request.query?.page") == .null)
    #expect(try told("request?.query?.page") == .null)
    #expect(try told("request.json?.a") == .null)
    let error = #expect(throws: RunScopeError.self) { try told("request.query.page") }
    #expect(error?.message == "\"request.query\" has no key \"page\"")
    // What is computed from it is no optional value.
    #expect(throws: RunScopeError.self) { try told("upper(request.query.page) ?? '1'") }
    // The value that stands in for another must be there.
    #expect(throws: RunScopeError.self) { try told("default(request.query.a, request.query.b)") }
    #expect(throws: RunScopeError.self) { try told("request.query.a ?? request.query.b") }
  }

  @Test(
    "A name that no request can have is found before the run all the same",
    arguments: [
      ("request.path?.idd ?? '1'", "the entry's URL has no template \"{idd}\""),
      ("request.pth.id ?? '1'", "\"request\" has no \"pth\""),
      ("request.query", "\"request.query\" needs one name behind it"),
      ("capture.sen ?? '1'", "\"capture\" has no \"sen\""),
    ])
  func unknown(expression: String, message: String) throws {
    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      steps: [ { start: }, { capture: { seen: { stdout: { json: $.a } } } }, { wait: exit } ]
      responses:
        - GET https://h/o/{id}: { json: "${{ \(expression) }}" }
      """)

    #expect(errors.map(\.message) == [message])
  }
}
