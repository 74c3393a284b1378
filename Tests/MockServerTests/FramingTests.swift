import MockServer
import Patterns
import ScenarioPlan
import Testing

struct FramingTests {
  @Test("HEAD gets the length and no body")
  func head() throws {
    let test = try TestServer([
      .entry("HEAD", "/n", replies: [.text("four")]), .entry("GET", "/n", replies: [.text("x")]),
    ])
    let client = try test.client()

    try client.send("HEAD /n HTTP/1.1\r\nhost: api.test\r\n\r\n")
    let response = try client.response(hasBody: false)

    #expect(response.headers["content-length"] == "4")
    #expect(try client.get("/n").text == "x")
  }

  @Test("204 and 304 have no body and no length", arguments: [204, 304])
  func noBody(status: Int) throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("ignored", status: status), .text("next")])
    ])
    let client = try test.client()

    let response = try client.get("/n")

    #expect(response.status == status)
    #expect(response.headers["content-length"] == nil)
    #expect(try client.get("/n").text == "next")
  }

  @Test("An empty reply says that it is empty")
  func empty() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.with(.empty, status: 202)])])

    let response = try test.client().get("/n")

    #expect(response.headers["content-length"] == "0")
    #expect(response.headers["content-type"] == nil)
  }

  @Test("A wrong length in the scenario is put right")
  func wrongLength() throws {
    let headers = [PlannedVariable(name: "Content-Length", value: PlannedText("99"))]
    let test = try TestServer([.entry("GET", "/n", replies: [.text("four", headers: headers)])])

    #expect(try test.client().get("/n").text == "four")
  }

  @Test("A chunked body arrives whole")
  func chunked() throws {
    let test = try TestServer([.entry("POST", "/n", replies: [.text("ok")])])
    let client = try test.client()

    try client.send("POST /n HTTP/1.1\r\nhost: api.test\r\ntransfer-encoding: chunked\r\n\r\n")
    try client.send("5\r\nhello\r\n")
    try client.send("6\r\n world\r\n0\r\n\r\n")

    #expect(try client.response().status == 200)
    #expect(test.server.requests().map(\.body) == [Array("hello world".utf8)])
  }

  @Test("A client that waits for 100 Continue gets it before it sends the body")
  func expectContinue() throws {
    let test = try TestServer([.entry("POST", "/n", replies: [.text("ok")])])
    let client = try test.client()

    try client.send(
      "POST /n HTTP/1.1\r\nhost: api.test\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
    #expect(try client.response().status == 100)
    try client.send("hi")

    #expect(try client.response().status == 200)
    #expect(test.server.requests().map(\.bodyLength) == [2])
  }

  @Test("Ten megabytes go both ways")
  func large() throws {
    let body = [UInt8](repeating: UInt8(ascii: "b"), count: 10_000_000)
    let text = String(repeating: "r", count: 10_000_000)
    let test = try TestServer([.entry("POST", "/n", replies: [.text(text)])])
    let client = try test.client()

    try client.send(
      "POST /n HTTP/1.1\r\nhost: api.test\r\ncontent-length: \(body.count)\r\n\r\n")
    try client.send(body)
    let response = try client.response()

    #expect(response.body.count == text.utf8.count)
    let request = try #require(test.server.requests().first)
    #expect(request.bodyLength == body.count)
    #expect(request.body == body)
  }

  @Test("Of a body beyond the bound the beginning is kept, and the whole is counted")
  func beyondBound() throws {
    let test = try TestServer([.entry("POST", "/n", replies: [.text("ok")])])
    let client = try test.client()
    let megabyte = [UInt8](repeating: UInt8(ascii: "b"), count: 1 << 20)

    try client.send("POST /n HTTP/1.1\r\nhost: api.test\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in 0..<65 {
      try client.send("100000\r\n")
      try client.send(megabyte)
      try client.send("\r\n")
    }
    try client.send("0\r\n\r\n")

    #expect(try client.response().status == 200)
    #expect(test.server.requests().map(\.bodyLength) == [65 << 20])
  }

  @Test("No condition on a body holds of a beginning")
  func beyondBoundUnmatched() throws {
    let anything = PlannedResponse(
      name: "any body",
      match: .http(
        PlannedRequest(
          methods: ["POST"], url: URLPattern(scheme: nil, host: "api.test", port: nil, path: "/n"),
          body: PlannedMatcher(.empty(false), at: anywhere))),
      replies: [.text("ok", times: 2)], repeats: false, range: anywhere)
    let test = try TestServer([anything])
    let client = try test.client()
    let length = 64 << 20

    for extra in [0, 1] {
      try client.send(
        "POST /n HTTP/1.1\r\nhost: api.test\r\ncontent-length: \(length + extra)\r\n\r\n")
      try client.send([UInt8](repeating: UInt8(ascii: "b"), count: length + extra))
      #expect(try client.response().status == (extra == 0 ? 200 : 501))
    }

    guard case .unmatched(_, let lines) = test.world.events.last else {
      Issue.record("no event")
      return
    }
    #expect(lines.contains { $0.contains("67108865 bytes, of which only 67108864 are kept") })
  }

  @Test("A head beyond the limit is refused")
  func headTooLarge() throws {
    let test = try TestServer([])
    let client = try test.client()
    let value = String(repeating: "v", count: 100_000)

    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\nx-long: \(value)\r\n\r\n")

    #expect(try client.response().status == 431)
  }

  @Test(
    "What is not HTTP is refused and reported",
    arguments: ["hello\r\n\r\n", "GET\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"])
  func garbage(bytes: String) throws {
    let test = try TestServer([])
    let client = try test.client()

    try client.send(bytes)

    #expect(try client.response().status == 400)
    guard case .malformedRequest("api.test:80", _) = test.world.events.first else {
      Issue.record("no event: \(test.world.events)")
      return
    }
  }
}
