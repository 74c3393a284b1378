import Foundations
import MockServer
import Testing

struct ConversationTests {
  private func get(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nhost: api.test\r\n\r\n"
  }

  @Test("One connection serves several requests")
  func keepAlive() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x", times: 3)])])
    let client = try test.client()

    for _ in 0..<3 { #expect(try client.get("/n").status == 200) }
  }

  @Test("A client that asks for the end of the connection gets it")
  func close() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("bye")])])
    let client = try test.client()

    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\nconnection: close\r\n\r\n")
    let response = try client.response()

    #expect(response.headers["connection"] == "close")
    #expect(try client.receiveToEnd().isEmpty)
  }

  @Test("A delayed reply holds the later ones of its connection back, and none of another")
  func pipelining() throws {
    let test = try TestServer([
      .entry("GET", "/slow", replies: [.text("slow", after: .seconds(3))]),
      .entry("GET", "/fast", replies: [.text("fast", times: 2)]),
    ])
    let client = try test.client()

    try client.send(get("/slow") + get("/fast"))
    #expect(test.world.wait { $0.events.count == 2 && $0.timerCount == 1 })
    #expect(try test.client().get("/fast").text == "fast")
    #expect(!client.hasBytes)
    test.world.advance(by: .seconds(3))

    #expect(try client.response().text == "slow")
    #expect(try client.response().text == "fast")
    #expect(test.server.requests().map(\.time) == [.zero, .zero, .zero])
  }

  @Test("Delays run from the arrival of each request, side by side")
  func delaysSideBySide() throws {
    let test = try TestServer([
      .entry("GET", "/a", replies: [.text("a", after: .seconds(2))]),
      .entry("GET", "/b", replies: [.text("b", after: .seconds(1))]),
    ])
    let client = try test.client()

    try client.send(get("/a") + get("/b"))
    #expect(test.world.wait { $0.timerCount == 2 })
    test.world.advance(by: .seconds(1))
    #expect(!client.hasBytes)
    test.world.advance(by: .seconds(1))

    #expect(try client.response().text == "a")
    #expect(try client.response().text == "b")
    #expect(test.world.timerCount == 0)
  }

  @Test("A delayed reply carries the date of its departure")
  func date() throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("x"), .text("y", after: .seconds(60))])
    ])
    let client = try test.client()

    #expect(try client.get("/n").headers["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    try client.send(get("/n"))
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(60))
    #expect(try client.response().headers["date"] == "Sun, 06 Nov 1994 08:50:37 GMT")
  }

  @Test("A client that leaves before its reply is due is reported with how long it waited")
  func clientLeaves() throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("late", after: .seconds(30))])
    ])
    let client = try test.client()

    try client.send(get("/n"))
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(10))
    client.close()

    #expect(test.world.wait { $0.events.count == 2 })
    guard case .clientClosed(let request, let waited) = test.world.events.last else {
      Issue.record("no event: \(test.world.events)")
      return
    }
    #expect(request.number == 1)
    #expect(waited == .seconds(10))
    test.world.advance(by: .seconds(20))
  }

  @Test("A client that closes its own side still gets a reply that is not held back")
  func halfClose() throws {
    let text = String(repeating: "x", count: 5_000_000)
    let test = try TestServer([.entry("GET", "/n", replies: [.text(text)])])
    let client = try test.client()

    try client.send(get("/n"))
    client.closeOutput()

    #expect(try client.response().body.count == text.utf8.count)
    #expect(try client.receiveToEnd().isEmpty)
    #expect(test.world.events.count == 1)
  }

  @Test("An offered upgrade is not taken, and the connection ends behind the reply")
  func upgrade() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("plain")])])
    let client = try test.client()

    try client.send(
      "GET /n HTTP/1.1\r\nhost: api.test\r\nconnection: Upgrade, HTTP2-Settings\r\n"
        + "upgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n")
    let response = try client.response()

    #expect(response.text == "plain")
    #expect(response.headers["connection"] == "close")
    #expect(try client.receiveToEnd().isEmpty)
  }

  @Test("HTTP/1.0 ends the connection unless the client asks otherwise")
  func oldVersion() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x", times: 2)])])
    let client = try test.client()

    try client.send("GET /n HTTP/1.0\r\nconnection: keep-alive\r\n\r\n")
    let first = try client.response()
    try client.send("GET /n HTTP/1.0\r\n\r\n")
    let second = try client.response()

    #expect(first.version == "HTTP/1.0")
    #expect(first.headers["connection"] == "keep-alive")
    #expect(second.headers["connection"] == "close")
    #expect(try client.receiveToEnd().isEmpty)
  }
}
