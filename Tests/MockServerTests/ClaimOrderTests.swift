import Foundations
import MockEngine
import MockServer
import ScenarioPlan
import Testing

/// Who gets which reply of a queue, where several ask at once.
struct ClaimOrderTests {
  private let replies = ["first", "second", "third"].map { PlannedReply.text($0) }

  private func server(
    _ replies: [PlannedReply], rests: Bool = true, repeats: Bool = false
  ) throws -> TestServer {
    try TestServer(
      [.entry("GET", "/n", replies: replies, repeats: repeats)],
      world: ManualWorld(restsWhenTold: rests))
  }

  /// A client at a place of the tree.
  private func client(_ lineage: [UInt32], _ ordinal: UInt32 = 0, of test: TestServer) throws
    -> Client
  {
    let port = try test.port()
    let client = try Client(port: port)
    test.server.recordClient(
      ClientOrigin(connection: Int(ordinal) + lineage.count, process: 1, arguments: ["a"]),
      at: CausalOrder(lineage: lineage, ordinal: ordinal), sourcePort: try client.sourcePort,
      port: port)
    return client
  }

  private let request = "GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n"

  /// Returns once the loop has read all that was sent: a stranger's request goes at once.
  private func passBy(_ test: TestServer) throws {
    _ = try test.client().get("/other")
  }

  @Test(
    "Whoever was made first is answered first, although asked last",
    arguments: [true, false])
  func places(rests: Bool) throws {
    let test = try server(replies, rests: rests)
    let clients = try [
      client([1], of: test), client([0, 7], 3, of: test), client([0], 9, of: test),
    ]

    for client in clients {
      try client.send(request)
      try passBy(test)
    }
    #expect(clients.map(\.hasBytes) == Array(repeating: !rests, count: 3))
    test.world.rest()

    let expected = rests ? ["third", "second", "first"] : ["first", "second", "third"]
    #expect(try clients.map { try $0.response().text } == expected)
  }

  @Test("Connections of one thread go as they were made, and their requests as they came")
  func connections() throws {
    let test = try server(replies)
    let late = try client([], 1, of: test)
    let early = try client([], 0, of: test)

    try late.send(request)
    try passBy(test)
    try early.send(request + request)
    try passBy(test)
    test.world.rest()

    #expect(try early.response().text == "first")
    #expect(try early.response().text == "second")
    #expect(try late.response().text == "third")
  }

  @Test("Where order means nothing, nobody waits")
  func stateless() throws {
    let test = try server([.text("x")], repeats: true)

    #expect(try client([0], of: test).get("/n").text == "x")
    #expect(try client([1], of: test).get("/n").text == "x")
  }

  @Test("A client that leaves before its turn has asked all the same")
  func left() throws {
    let test = try server([.text("x", after: .seconds(5)), .text("y")])
    let leaver = try client([0], of: test)
    let other = try client([1], of: test)

    try leaver.send(request)
    try passBy(test)
    leaver.close()
    try other.send(request)
    try passBy(test)
    test.world.rest()

    #expect(try other.response().text == "y")
    #expect(
      test.world.wait { world in
        world.events.contains { if case .clientClosed = $0 { true } else { false } }
      })
    #expect(test.server.requests().filter { $0.url.hasSuffix("/n") }.count == 2)
  }

  @Test("A client that closes its own side before its turn still reads its reply")
  func halfClosed() throws {
    let test = try server([.text("x")])
    let client = try client([0], of: test)

    try client.send(request)
    client.closeOutput()
    try passBy(test)
    test.world.rest()

    #expect(try client.response().text == "x")
    #expect(try client.receiveToEnd().isEmpty)
  }

  @Test("What is pipelined behind a reply that ends the connection claims nothing")
  func behindTheEnd() throws {
    var closing = PlannedReply.text("bye")
    closing.headers = [PlannedVariable(name: "connection", value: PlannedText("close"))]
    let test = try server([closing, .text("y")])
    let client = try client([0], of: test)

    try client.send(request + request)
    try passBy(test)
    test.world.rest()

    #expect(try client.response().text == "bye")
    #expect(try client.receiveToEnd().isEmpty)
    #expect(test.server.requests().filter { $0.url.hasSuffix("/n") }.count == 1)
  }

  @Test("At the end of a step nobody waits any longer")
  func catchUp() throws {
    let test = try server([.text("x")])
    let client = try client([0], of: test)

    try client.send(request)
    try passBy(test)
    #expect(!client.hasBytes)
    test.server.catchUp()

    #expect(try client.response().text == "x")
  }

  // MARK: - Slow heads

  private var malformed: (TestServer) -> [String] {
    { test in
      test.world.events.compactMap {
        if case .malformedRequest(_, let message) = $0 { message } else { nil }
      }
    }
  }

  @Test("The head of a request that takes a minute of virtual time is refused, and at once told of")
  func slowHead() throws {
    let test = try server([.text("x")], rests: false)
    let client = try test.client()

    try client.send("GET /n HTTP/1.1\r\nhost: ")
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(59))
    try client.send("api")
    try passBy(test)
    #expect(!client.hasBytes)
    test.world.advance(by: .seconds(1))

    let response = try client.response()
    #expect(response.status == 408)
    #expect(response.headers["connection"] == "close")
    #expect(try client.receiveToEnd().isEmpty)
    #expect(malformed(test) == ["the head of a request is not complete 1m after it began"])
  }

  @Test("A head that is complete in time is served, and so is a body that takes an hour")
  func slowBody() throws {
    let test = try TestServer([.entry("POST", "/n", replies: [.text("x")], repeats: true)])
    let client = try test.client()

    try client.send("POST /n HTTP/1.1\r\nhost: ")
    #expect(test.world.wait { $0.timerCount == 1 })
    try client.send("api.test\r\ncontent-length: 2\r\n\r\na")
    try passBy(test)
    test.world.advance(by: .seconds(3600))
    try client.send("b")

    #expect(try client.response().text == "x")
    #expect(malformed(test).isEmpty)
  }
}
