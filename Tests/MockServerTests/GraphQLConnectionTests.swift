import Foundations
import MockServer
import OrderedCollections
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

/// How the mock server's GraphQL goes over the wire: codings, trailers, codes, and what is told of misses.
@Suite("GraphQL connections")
struct GraphQLConnectionTests {
  private func entry(
    _ operation: String, _ body: PlannedReply.Body, url: String? = nil,
    change: (inout PlannedReply) -> Void = { _ in }
  ) throws -> PlannedResponse {
    var reply = PlannedReply(
      status: 200, headers: [], body: body, delay: .zero, times: 1, range: anywhere)
    change(&reply)
    var match = PlannedGraphQLMatch(kind: nil, operation: operation)
    match.url = try url.map { try URLPattern(parsing: $0) }
    return PlannedResponse(
      name: "operation \(operation)", match: .graphQL(match), replies: [reply], repeats: false,
      range: anywhere)
  }

  private static let data = PlannedReply.Body.json(
    .value(.map(["data": .map(["a": .string(String(repeating: "x", count: 500))])])))

  private func post(
    _ body: String, headers: String = "", to test: TestServer
  ) throws -> Client {
    let client = try test.client()
    try client.send(
      "POST /graphql HTTP/1.1\r\nhost: api.test\r\ncontent-type: application/json\r\n\(headers)"
        + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
    return client
  }

  // MARK: - Replies

  @Test("A reply is packed as its encoding says, and a fault breaks the packed body")
  func encoding() throws {
    let test = try TestServer([
      entry("A", Self.data) { $0.encoding = .gzip }, entry("B", Self.data),
      entry("C", Self.data) {
        $0.encoding = .gzip
        $0.fault = .truncate(bytes: 3)
      },
    ])

    let packed = try post(#"{"query":"query A { a }"}"#, to: test).response()
    let plain = try post(#"{"query":"query B { a }"}"#, to: test).response()
    let broken = try post(#"{"query":"query C { a }"}"#, to: test)
    let rest = try broken.receiveToEnd()

    #expect(packed.headers["content-encoding"] == "gzip")
    #expect(packed.body.starts(with: [0x1F, 0x8B]))
    #expect(plain.headers["content-encoding"] == nil)
    #expect(plain.text.hasPrefix(#"{"data":{"a":"xxx"#))
    #expect(rest.suffix(3).elementsEqual([0x1F, 0x8B, 0x08]))
  }

  @Test("Trailers stand behind a result")
  func trailers() throws {
    let test = try TestServer([
      entry("A", Self.data) {
        $0.trailers = [
          PlannedVariable(name: "x-cost", value: PlannedText(segments: [.literal("7")]))
        ]
      }
    ])

    let response = try post(
      #"{"query":"query A { a }"}"#, headers: "te: trailers\r\n", to: test
    ).response()

    #expect(response.text.hasPrefix(#"{"data":{"a":"xxx"#))
    #expect(response.trailers == ["x-cost: 7"])
  }

  @Test("A batch has the headers, trailers and the encoding of its members, each once")
  func batchHeaders() throws {
    func header(_ name: String, _ value: String) -> PlannedVariable {
      PlannedVariable(name: name, value: PlannedText(segments: [.literal(value)]))
    }
    let test = try TestServer([
      entry("A", Self.data) {
        $0.headers = [header("x-a", "1"), header("x-both", "2"), header("content-type", "a/b")]
      },
      entry("B", Self.data) {
        $0.headers = [header("x-both", "2"), header("set-cookie", "c=1")]
        $0.encoding = .gzip
      },
    ])

    let client = try post(
      #"[{"query":"query A { a }"},{"query":"query B { a }"}]"#, to: test)
    let head = try client.receive(until: "\r\n\r\n")

    #expect(head.split(separator: "\r\n").filter { $0.hasPrefix("x-both:") }.count == 1)
    #expect(head.contains("x-a: 1") && head.contains("set-cookie: c=1"))
    #expect(head.contains("content-type: application/json") && !head.contains("a/b"))
    #expect(head.contains("content-encoding: gzip"))
  }

  @Test("Over server-sent events a refusal is an event, elsewhere a status")
  func refusals() throws {
    let test = try TestServer([entry("A", Self.data)])

    let streamed = try post(
      #"{"query":"query A { "}"#, headers: "accept: text/event-stream\r\n", to: test)
    let text = try streamed.receive(until: "0\r\n\r\n")
    let plain = try post(
      #"{"query":"query A { "}"#, headers: "accept: application/graphql-response+json\r\n", to: test
    ).response()

    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(text.contains("content-type: text/event-stream"))
    #expect(text.contains("event: next\ndata: {\"errors\":[{\"message\":\"Syntax Error: "))
    #expect(text.contains("event: complete\ndata:\n\n"))
    #expect(plain.status == 400)
  }

  @Test("What is no GraphQL after all is compared with the entries for HTTP, once")
  func ambiguities() throws {
    let search = PlannedRequest(
      methods: ["POST"], url: try URLPattern(parsing: "http://api.test/search"))
    let http = PlannedResponse(
      name: "search", match: .http(search),
      replies: [
        PlannedReply(
          status: 200, headers: [], body: .empty, delay: .zero, times: 1, range: anywhere)
      ], repeats: false, range: anywhere)
    let test = try TestServer([http, entry("A", Self.data)])

    let response = try post(#"{"query":"shoes {"}"#, to: test).response()

    #expect(response.status == 200)
    guard case .unmatched(_, let lines) = test.world.events.last else {
      Issue.record("no finding: \(test.world.events)")
      return
    }
    #expect(lines.first?.contains("GraphQL: ") == true)
    #expect(lines.contains { $0.hasPrefix("\"search\"") })
  }

  // MARK: - WebSockets

  private func settings(
    _ initialisation: PlannedGraphQLInitialisation, url: String? = nil
  ) throws -> PlannedGraphQL {
    var settings = PlannedGraphQL()
    settings.initialisation = initialisation
    settings.url = try url.map { try URLPattern(parsing: $0) }
    return settings
  }

  @Test("Who does not introduce itself in virtual time is sent away")
  func initialisationTimeout() throws {
    let graphQL = try settings(PlannedGraphQLInitialisation(within: .seconds(3)))
    let test = try TestServer([entry("A", Self.data)], graphQL: graphQL)
    let silent = try test.client()
    let prompt = try test.client()
    try silent.upgradeToWebSocket("/graphql", subprotocol: "graphql-transport-ws")
    try prompt.upgradeToWebSocket("/graphql", subprotocol: "graphql-transport-ws")
    try prompt.sendText(#"{"type":"connection_init"}"#)
    let greeting = try prompt.receiveText()
    #expect(test.world.wait { $0.timerCount == 2 })

    test.world.advance(by: .seconds(2))
    // Answered by the same thread, behind whatever that time has brought.
    try prompt.sendText(#"{"type":"ping"}"#)
    #expect(try prompt.receiveText() == #"{"type":"pong"}"#)
    let isPatient = !silent.hasBytes
    test.world.advance(by: .seconds(1))
    let close = try silent.receiveClose()
    try prompt.sendText(#"{"type":"ping"}"#)

    #expect(greeting == #"{"type":"connection_ack"}"#)
    #expect(isPatient)
    #expect(close.code == 4408)
    #expect(close.reason == "Connection initialisation timeout")
    #expect(try prompt.receiveText() == #"{"type":"pong"}"#)
  }

  @Test("Who says the wrong thing is forbidden, and who says the right one is told so")
  func payload() throws {
    var match = PlannedGraphQLMatch(kind: nil, operation: nil)
    match.variables = .value(.map(["token": .string("x")]))
    let graphQL = try settings(
      PlannedGraphQLInitialisation(
        payload: match, acknowledgement: .value(.map(["user": .integer(1)]))))
    let test = try TestServer([entry("A", Self.data)], graphQL: graphQL)
    let stranger = try test.client()
    let friend = try test.client()
    try stranger.upgradeToWebSocket("/graphql", subprotocol: "graphql-transport-ws")
    try friend.upgradeToWebSocket("/graphql", subprotocol: "graphql-transport-ws")

    try stranger.sendText(#"{"type":"connection_init","payload":{"token":"y"}}"#)
    try friend.sendText(#"{"type":"connection_init","payload":{"token":"x","more":1}}"#)

    #expect(try stranger.receiveClose().code == 4403)
    #expect(try friend.receiveText() == #"{"type":"connection_ack","payload":{"user":1}}"#)
  }

  @Test("A client that speaks nothing that is spoken is reported over the WebSocket")
  func subprotocols() throws {
    let test = try TestServer([entry("A", Self.data, url: "http://api.test/graphql")])
    let stranger = try test.client()
    let elsewhere = try test.client()

    try stranger.upgradeToWebSocket("/graphql", subprotocol: "soap", isChosen: false)
    let close = try stranger.receiveClose()
    try elsewhere.send(
      "GET /other HTTP/1.1\r\nhost: api.test\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
        + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "sec-websocket-protocol: soap\r\n\r\n")

    #expect(close.code == 4406)
    #expect(close.reason == "Subprotocol not acceptable")
    #expect(try elsewhere.response().status == 501)
  }

  @Test("An author closes a WebSocket with a code, in its time; a connection may just end")
  func authorsCodes() throws {
    func stream(_ end: PlannedGraphQLEvent.Content) -> PlannedReply.Body {
      .graphQLStream([
        PlannedGraphQLEvent(
          delay: .zero, content: .next(.value(.map(["data": .integer(1)]))), range: anywhere),
        PlannedGraphQLEvent(delay: .seconds(5), content: end, range: anywhere),
      ])
    }
    let test = try TestServer([
      entry("A", stream(.close(code: 4499, reason: "Terminated"))),
      entry("B", stream(.close(code: 4499, reason: "Terminated"))),
    ])
    let client = try test.client()
    try client.upgradeToWebSocket("/graphql", subprotocol: "graphql-transport-ws")
    try client.sendText(#"{"type":"connection_init"}"#)
    try client.sendText(
      #"{"id":"1","type":"subscribe","payload":{"query":"subscription A { a }"}}"#)
    let opening = try (0..<2).map { _ in try client.receiveText() }
    let events = try post(
      #"{"query":"subscription B { a }"}"#, headers: "accept: text/event-stream\r\n", to: test)
    _ = try events.receive(until: "{\"data\":1}\n\n\r\n")

    #expect(test.world.wait { $0.timerCount == 2 })
    test.world.advance(by: .seconds(5))
    let close = try client.receiveClose()

    #expect(opening.last == #"{"id":"1","type":"next","payload":{"data":1}}"#)
    #expect(close.code == 4499)
    #expect(close.reason == "Terminated")
    #expect(try events.receiveToEnd().isEmpty)
  }
}

extension Client {
  /// Everything up to a text.
  fileprivate func receive(until end: String) throws -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { bytes += try receive(count: 1) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Opens a WebSocket (RFC 6455, section 4.1).
  fileprivate func upgradeToWebSocket(
    _ path: String, subprotocol: String, isChosen: Bool = true
  ) throws {
    try send(
      "GET \(path) HTTP/1.1\r\nhost: api.test\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
        + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "sec-websocket-protocol: \(subprotocol)\r\n\r\n")
    let head = try receive(until: "\r\n\r\n").lowercased()
    #expect(head.hasPrefix("http/1.1 101"))
    #expect(head.contains("sec-websocket-protocol: \(subprotocol)") == isChosen)
  }

  /// Sends a text frame, masked with zeros.
  fileprivate func sendText(_ text: String) throws {
    let bytes = Array(text.utf8)
    try send([0x81, 0x80 | UInt8(min(125, bytes.count)), 0, 0, 0, 0] + bytes)
  }

  /// The next text frame.
  fileprivate func receiveText() throws -> String {
    let head = try receive(count: 2)
    #expect(head[0] == 0x81)
    return String(decoding: try receive(count: Int(head[1])), as: UTF8.self)
  }

  /// The next frame, which ends the WebSocket.
  fileprivate func receiveClose() throws -> (code: Int, reason: String) {
    let head = try receive(count: 2)
    #expect(head[0] == 0x88)
    let bytes = try receive(count: Int(head[1]))
    let reason = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    return (bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }, reason)
  }
}
