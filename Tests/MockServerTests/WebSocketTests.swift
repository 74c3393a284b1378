import Foundations
import MockServer
import ScenarioPlan
import Testing

struct WebSocketTests {
  private typealias Step = PlannedWebSocketStep

  private func equals(_ text: String) -> Step {
    Step(.expect(PlannedMatcher(.equals(.value(.string(text))), at: anywhere)), at: anywhere)
  }

  private func send(_ text: String, after delay: Nanoseconds = .zero) -> Step {
    Step(delay: delay, .send(.text(PlannedText(text))), at: anywhere)
  }

  private func server(_ steps: [PlannedWebSocketStep]) throws -> TestServer {
    try TestServer([.entry("GET", "/n", replies: [.with(.webSocket(steps))])])
  }

  private static let brokenFrames: [([UInt8], UInt16)] = [
    ([0x81, 0x01, 0x41], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002),
    ([0x83, 0x80, 0, 0, 0, 0], 1002), ([0x80, 0x80, 0, 0, 0, 0], 1002),
    ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x88, 0x81, 0, 0, 0, 0, 0x03], 1002),
    ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xEE], 1002), ([0x09, 0x80, 0, 0, 0, 0], 1002),
    ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009),
  ]

  private let handshake =
    "GET /n HTTP/1.1\r\nhost: api.test\r\nupgrade: websocket\r\nconnection: keep-alive, Upgrade\r\n"
    + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

  private func open(_ test: TestServer) throws -> Client {
    let client = try test.client()
    try client.send(handshake)
    let response = try client.response(hasBody: false)
    #expect(response.status == 101)
    // The example of RFC 6455, section 1.3.
    #expect(response.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    return client
  }

  /// A masked frame whose mask changes nothing.
  private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
  }

  @Test("A script speaks and listens, in order, in virtual time")
  func script() throws {
    let test = try server([
      equals("hello"), send("welcome"), send("later", after: .seconds(15)),
      Step(.send(.bytes([1, 2])), at: anywhere),
      Step(.close(code: 1000, reason: "bye"), at: anywhere),
    ])
    let client = try open(test)

    try client.send(frame(0x81, Array("hello".utf8)))
    #expect(try client.receive(count: 9) == [0x81, 7] + Array("welcome".utf8))
    #expect(test.world.wait { $0.timerCount == 1 })
    #expect(!client.hasBytes)
    test.world.advance(by: .seconds(15))

    #expect(try client.receive(count: 7) == [0x81, 5] + Array("later".utf8))
    #expect(try client.receive(count: 4) == [0x82, 2, 1, 2])
    #expect(try client.receive(count: 7) == [0x88, 5, 0x03, 0xE8] + Array("bye".utf8))
    try client.send(frame(0x88, [0x03, 0xE8]))
    #expect(try client.receiveToEnd().isEmpty)
    #expect(
      test.server.messages().map { "\($0.isFromClient) \($0.isText) \($0.length) \($0.time)" } == [
        "true true 5 0s", "false true 7 0s", "false true 5 15s", "false false 2 15s",
      ])
  }

  @Test("A message tells the time at which it is sent, not that of the handshake")
  func time() throws {
    let now = PlannedText(segments: [
      .run(RunExpression(root: "clock", steps: [.key("unix")], range: anywhere))
    ])
    let test = try server([
      Step(.send(.text(now)), at: anywhere), equals("hello"), Step(.send(.text(now)), at: anywhere),
      Step(delay: .seconds(60), .send(.text(now)), at: anywhere),
    ])
    let client = try open(test)
    #expect(try client.receive(count: 11) == [0x81, 9] + Array("784111777".utf8))
    test.world.advance(by: .seconds(3_600))
    try client.send(frame(0x81, Array("hello".utf8)))
    #expect(try client.receive(count: 11) == [0x81, 9] + Array("784115377".utf8))
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(60))

    #expect(try client.receive(count: 11) == [0x81, 9] + Array("784115437".utf8))
  }

  @Test("Fragments are joined, and pings between them answered")
  func fragments() throws {
    let test = try server([equals("hello"), send("ok")])
    let client = try open(test)

    try client.send(
      frame(0x01, Array("he".utf8)) + frame(0x89, [7]) + frame(0x80, Array("llo".utf8)))

    #expect(try client.receive(count: 3) == [0x8A, 1, 7])
    #expect(try client.receive(count: 4) == [0x81, 2] + Array("ok".utf8))
  }

  @Test("What comes at once behind the handshake is not lost")
  func eager() throws {
    let test = try server([equals("hello"), send("ok")])
    let client = try test.client()

    try client.send(Array(handshake.utf8) + frame(0x81, Array("hello".utf8)))

    #expect(try client.response(hasBody: false).status == 101)
    #expect(try client.receive(count: 4) == [0x81, 2] + Array("ok".utf8))
  }

  @Test("A message that is not expected ends the session and is reported")
  func mismatch() throws {
    let test = try server([equals("hello"), send("welcome")])
    let client = try open(test)

    try client.send(frame(0x81, Array("hallo".utf8)))
    let close = try client.receive(count: 4)

    // 1008 (RFC 6455, section 7.4.1).
    #expect(close[0] == 0x88 && Array(close[2...]) == [0x03, 0xF0])
    guard case .brokenSession(_, let message, _) = test.world.events.last else {
      Issue.record("no event: \(test.world.events)")
      return
    }
    #expect(message.contains("hallo"))
  }

  @Test("A client that leaves before it has said what is expected is reported")
  func leaves() throws {
    let test = try server([equals("hello")])
    let client = try open(test)

    client.close()

    #expect(
      test.world.wait {
        if case .brokenSession = $0.events.last { return true }
        return false
      })
  }

  @Test(
    "Where the end is expected, another message is reported, and a client that leaves is not",
    arguments: [([UInt8](), false), (Array("more".utf8), true)])
  func end(more: [UInt8], isReported: Bool) throws {
    let test = try server([equals("hello"), Step(.expectEnd, at: anywhere)])
    let client = try open(test)

    try client.send(frame(0x81, Array("hello".utf8)))
    if !more.isEmpty {
      try client.send(frame(0x81, more))
      #expect(try Array(client.receive(count: 4)[2...]) == [0x03, 0xF0])
    }
    try client.send(frame(0x88, [0x03, 0xE8]))
    _ = try client.receiveToEnd()

    let reported = test.world.events.compactMap { event -> String? in
      if case .brokenSession(_, let message, _) = event { message } else { nil }
    }
    #expect(reported.isEmpty != isReported, "\(reported)")
    #expect(
      reported.allSatisfy {
        $0.hasSuffix("expected the end of the client's messages, got the message \"more\"")
      })
  }

  @Test("A message before the end that came while a step waited is reported")
  func endBehindDelay() throws {
    let test = try server([
      send("late", after: .seconds(60)), Step(.expectEnd, at: anywhere),
    ])
    let client = try open(test)

    try client.send(frame(0x81, Array("more".utf8)) + frame(0x88, [0x03, 0xE8]))
    _ = try client.receiveToEnd()

    #expect(
      test.world.wait {
        $0.events.contains { if case .brokenSession = $0 { true } else { false } }
      })
  }

  @Test(
    "Frames against the rules end the connection with the code for it",
    arguments: brokenFrames)
  func broken(bytes: [UInt8], code: UInt16) throws {
    let test = try server([send("hi")])
    let client = try open(test)
    _ = try client.receive(count: 4)

    try client.send(bytes)
    let close = try client.receive(count: 4)
    _ = try client.receiveToEnd()

    #expect(close[0] == 0x88)
    #expect(UInt16(close[2]) << 8 | UInt16(close[3]) == code)
    #expect(
      test.world.events.contains {
        if case .malformedRequest = $0 { return true }
        return false
      })
  }

  @Test(
    "What is no handshake is refused with the status for it",
    arguments: [
      ("upgrade: websocket\r\n", "", 426), ("version: 13", "version: 8", 426),
      ("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ=", 400),
    ])
  func handshakes(wrong: String, right: String, status: Int) throws {
    let test = try server([send("hi")])
    let client = try test.client()
    let parts = handshake.split(separator: wrong, maxSplits: 1, omittingEmptySubsequences: false)

    try client.send(parts.joined(separator: right))
    let response = try client.response()

    #expect(response.status == status)
    #expect(response.headers["sec-websocket-version"] == (status == 426 ? "13" : nil))
  }

  @Test("An offer of a WebSocket may be answered as any request")
  func plain() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("no", status: 403)])])
    let client = try test.client()

    try client.send(handshake)

    #expect(try client.response().status == 403)
    #expect(test.world.events.count == 1)
  }

  @Test("The websockets package of Python talks to a script", .enabled(if: RealClients.hasPython))
  func python() throws {
    let headers = [PlannedVariable(name: "Sec-WebSocket-Protocol", value: PlannedText("chat"))]
    let reply = PlannedReply(
      status: 200, headers: headers,
      body: .webSocket([
        equals("hello"), send(String(repeating: "w", count: 100_000)),
        Step(.ping("are you there"), at: anywhere), equals("bye"),
        Step(.close(code: 4001, reason: "done"), at: anywhere),
      ]), delay: .zero, times: 1, range: anywhere)
    let test = try TestServer([.entry("GET", "/n", replies: [reply])])

    let result = try RealClients.run(
      """
      import socket, sys
      from websockets.sync.client import connect
      from websockets.exceptions import ConnectionClosed
      way = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
      with connect("ws://api.test/n", sock=way, proxy=None, subprotocols=["other", "chat"]) as talk:
          print(talk.subprotocol)
          talk.send(["hel", "lo"])
          print(len(talk.recv(timeout=20)))
          talk.send("bye")
          try:
              talk.recv(timeout=20)
          except ConnectionClosed as error:
              print(error.rcvd.code, error.rcvd.reason)
      """, ["\(test.port())"])

    #expect(result.output == "chat\n100000\n4001 done\n")
    #expect(test.world.events.count == 4)
  }
}
