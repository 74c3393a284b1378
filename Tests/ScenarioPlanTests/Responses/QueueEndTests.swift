import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("The end of a queue")
struct QueueEndTests {
  private let scope = CaseScope(directory: "/case")

  private func queue(_ responses: String) throws -> StubQueue {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n" + responses)
    return StubQueue(responses: try #require(planned.network).responses)
  }

  private func get(_ path: String) throws -> IncomingRequest {
    IncomingRequest(
      method: "GET", target: try RequestTarget(scheme: "https", authority: "h", target: path),
      headers: [], body: [])
  }

  private func statuses(_ queue: inout StubQueue, _ count: Int) throws -> [Int?] {
    try (0..<count).map { _ in
      guard case .reply(let claimed) = queue.claim(try get("/a"), scope: scope) else { return nil }
      return claimed.reply.status
    }
  }

  @Test(
    "A queue ends as it says",
    arguments: [
      ("fail", [201, 202, 202, nil, nil, nil, nil]), ("next", [201, 202, 202, nil, nil, nil, nil]),
      ("repeat", [201, 202, 202, 202, 202, 202, 202]),
      ("cycle", [201, 202, 202, 201, 202, 202, 201]),
    ])
  func ends(then: String, expected: [Int?]) throws {
    var queue = try queue(
      "  - request: GET https://h/a\n    reply: [{ status: 201 }, { status: 202, times: 2 }]\n    then: \(then)\n"
    )

    #expect(try statuses(&queue, 7) == expected)
    #expect(queue.unused().isEmpty)
  }

  @Test(
    "An end that says \"fail\" holds where a later entry matches; \"next\" and no word let that answer",
    arguments: [("then: fail", nil), ("then: next", 200), ("", 200)] as [(String, Int?)])
  func laterEntry(then: String, expected: Int?) throws {
    var queue = try queue(
      "  - request: GET https://h/a\n    reply: [{ status: 201 }]\n    \(then)\n"
        + "  - GET https://h/**: { status: 200 }\n")

    #expect(try statuses(&queue, 3) == [201, expected, expected])
    guard case .unmatched(let lines, _) = queue.claim(try get("/a"), scope: scope) else {
      #expect(expected != nil)
      return
    }
    #expect(expected == nil)
    #expect(
      lines.first?.hasSuffix("matches, but its queue is empty: its one reply is used") == true)
    #expect(lines.last == "  it has \"then: fail\", so no other entry answers")
    #expect(!lines.contains { $0.contains("**") })
    // Other requests are not meant.
    guard case .reply = queue.claim(try get("/b"), scope: scope) else {
      Issue.record("it was not answered")
      return
    }
  }

  @Test("What stands behind an end that fails can never be reached, behind one that goes on it can")
  func reach() throws {
    func text(_ then: String) -> String {
      """
      target: { command: [./program] }
      responses:
        - { request: GET https://h/a, reply: {}, \(then) }
        - GET https://h/a: {}
      """
    }

    #expect(try Samples.errors(text("then: fail")).map(\.code) == [.unreachableResponse])
    _ = try Samples.onlyCase(text("then: next"))
    _ = try Samples.onlyCase(text("name: first"))
  }

  @Test("A request that goes out is one that no other entry answers before")
  func live() throws {
    let errors = try Samples.errors(
      "target: { command: [./program] }\nresponses:\n  - { request: GET https://h/a, reply: {}, then: live }\n"
    )

    #expect(
      errors.map(\.message) == [
        "\"then: live\" sends requests to real hosts, but the network is offline"
      ])
  }

  @Test("An empty queue tells who took what, when")
  func consumers() throws {
    var queue = try queue("  - { request: GET https://h/a, reply: [{ status: 503 }, {}] }\n")
    for (number, program) in ["curl", "wget"].enumerated() {
      var request = try get("/a")
      request.time = .seconds(Int64(number) + 1)
      request.origin = ClientOrigin(
        connection: number + 1, process: Int32(number) + 40, arguments: [program])
      _ = queue.claim(request, scope: scope)
    }

    guard case .unmatched(let lines, _) = queue.claim(try get("/a"), scope: scope) else {
      Issue.record("it was answered")
      return
    }

    #expect(lines[0].hasSuffix("matches, but its queue is empty: all 2 replies are used"))
    #expect(
      lines.dropFirst() == [
        "  reply 1 (503) went to GET https://h/a at +1s, by curl (pid 40)",
        "  reply 2 (200) went to GET https://h/a at +2s, by wget (pid 41)",
      ])
  }

  @Test("Near misses are the three that come nearest, each place of a document with its difference")
  func nearMisses() throws {
    var queue = try queue(
      """
        - GET https://h/completely/other: {}
        - GET https://h/orders/8: {}
        - GET https://h/order: {}
        - GET https://h/orders: {}
        - request: { method: POST, url: https://h/orders, json: { sku: A1, count: 1, note: x } }
          reply: {}
      """)
    let post = IncomingRequest(
      method: "POST", target: try RequestTarget(scheme: "https", authority: "h", target: "/orders"),
      headers: [], body: Array(#"{"sku":"B2","count":1,"extra":[1]}"#.utf8))

    guard case .unmatched(let lines, _) = queue.claim(post, scope: scope),
      case .unmatched(let others, _) = queue.claim(try get("/orders/9"), scope: scope)
    else {
      Issue.record("it was answered")
      return
    }

    #expect(lines[0].hasSuffix(": 4 of 5 conditions are met"))
    #expect(
      lines[1...3] == [
        "  json $.sku: expected \"A1\", got \"B2\"", "  json $.note: expected \"x\", got nothing",
        "  json $.extra: expected nothing, got [1]",
      ])
    #expect(others.first?.hasPrefix("\"GET https://h/orders/8\"") == true)
    #expect(others.filter { !$0.hasPrefix("  ") }.count == 3)
    #expect(!others.contains { $0.contains("completely") })
  }

  @Test("The suggested entry answers the request that it was made for")
  func suggestion() throws {
    let bodies: [(String, String)] = [
      ("", ""), ("application/json", #"{"a":["${{ x }}",1],"contains":2}"#),
      ("application/x-www-form-urlencoded", "a=1&b=2&a=3"), ("text/plain", "it's: #1\n- \"x\""),
      (
        "multipart/form-data; boundary=x",
        "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f.txt\"\r\n\r\nhi\r\n--x--\r\n"
      ),
      // Parts too long to be shown, bytes, and two of one name.
      (
        "multipart/form-data; boundary=x",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
          + String(repeating: "y", count: 101)
          + "\r\n--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n\u{0}\u{1}"
          + "\r\n--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nz\r\n--x--\r\n"
      ),
      // What would generate data, or be an expression.
      ("application/json", ##"{"a":[{"$ref":"#/b"}]}"##), ("application/json", #"{"${{ a }}":1}"#),
      ("application/json", #"{"a":"${{ b }}"}"#),
    ]
    for (type, body) in bodies {
      let request = IncomingRequest(
        method: "POST",
        target: try RequestTarget(
          scheme: "https", authority: "h:8443", target: "/a%20b/%7Bx%7D?q=%7B1%7D&r=a%23"),
        headers: type.isEmpty ? [] : [.init(name: "content-type", value: type)],
        body: Array(body.utf8))
      let lines = RequestSuggestion.lines(for: request).map { "  " + $0 }.joined(separator: "\n")
      var queue = try queue(lines)

      guard case .reply = queue.claim(request, scope: scope) else {
        Issue.record("not answered by:\n\(lines)")
        continue
      }
    }
  }
}
