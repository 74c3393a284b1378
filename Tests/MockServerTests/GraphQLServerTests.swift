import Foundations
import MockEngine
import MockServer
import OrderedCollections
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

/// What the mock server says as a GraphQL server, byte by byte.
struct GraphQLServerTests {
  private static let schema = """
    type Query { user(id: ID!): User }
    type Mutation { rename(name: String!): User }
    type User { id: ID! name: String! }
    """

  private func entry(
    _ kind: GraphQLOperationKind, _ operation: String?, data: String? = nil,
    events: [PlannedGraphQLEvent]? = nil, after delay: Nanoseconds = .zero, times: Int = 1
  ) throws -> PlannedResponse {
    let body: PlannedReply.Body =
      try events.map { .graphQLStream($0) }
      ?? .json(.value(.map(["data": try JSONText.parse(data ?? "null")])))
    let reply = PlannedReply(
      status: 200, headers: [], body: body, delay: delay, times: times, range: anywhere)
    return PlannedResponse(
      name: "\(kind.rawValue) \(operation ?? "*")",
      match: .graphQL(PlannedGraphQLMatch(kind: kind, operation: operation)), replies: [reply],
      repeats: false, range: anywhere)
  }

  private func post(
    _ body: String, type: String = "application/json", accept: String? = nil,
    path: String = "/graphql", to test: TestServer
  ) throws -> Client.Response {
    let client = try test.client()
    let accepted = accept.map { "accept: \($0)\r\n" } ?? ""
    try client.send(
      "POST \(path) HTTP/1.1\r\nhost: api.test\r\ncontent-type: \(type)\r\n\(accepted)"
        + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
    return try client.response()
  }

  @Test("A batch is answered member by member, in order, each from its own queue")
  func batch() throws {
    let test = try TestServer([
      entry(.query, "A", data: "1"), entry(.query, "A", data: "2"),
      entry(.mutation, "B", data: "3"),
    ])

    let response = try post(
      #"[{"query":"query A { a }"},{"query":"mutation B { b }"},{"query":"query A { a }"}]"#,
      to: test)

    #expect(response.text == #"[{"data":1},{"data":3},{"data":2}]"#)
    #expect(test.server.requests().map(\.operation) == ["A, B, A"])
    #expect(test.server.unused().isEmpty)
  }

  @Test("A member of a batch that nothing answers is an error in its place, and a finding")
  func brokenBatch() throws {
    let test = try TestServer([entry(.query, "A", data: "1")])

    let response = try post(#"[{"query":"query A { a }"},{"query":"query C { a }"}]"#, to: test)

    #expect(response.status == 200)
    #expect(response.text.hasPrefix(#"[{"data":1},{"errors":[{"message":"no response answers"#))
    guard case .unmatched(_, let nearMisses) = test.world.events.last else {
      Issue.record("no finding: \(test.world.events)")
      return
    }
    #expect(nearMisses.first?.hasPrefix("query \"C\" at http://api.test/graphql") == true)
  }

  @Test("A document may come as it is, and in the URL; a mutation may not")
  func forms() throws {
    let test = try TestServer([
      entry(.query, "A", data: "1", times: 2), entry(.mutation, "B", data: "2"),
    ])
    let client = try test.client()

    let plain = try post("query A { a }", type: "application/graphql", to: test)
    let query = try client.get("/graphql?query=query%20A%20%7B%20a%20%7D")
    let mutation = try client.get("/graphql?query=mutation%20B%20%7B%20b%20%7D")

    #expect(plain.text == #"{"data":1}"#)
    #expect(query.text == #"{"data":1}"#)
    #expect(mutation.status == 405)
    #expect(mutation.headers["allow"] == "POST")
    #expect(test.server.unused().map(\.name) == ["mutation B"])
  }

  @Test("A client that prefers the new media type gets it, and a status that tells of errors")
  func mediaTypes() throws {
    let test = try TestServer([entry(.query, "A", data: "1", times: 2)])
    let modern = "application/graphql-response+json, application/json;q=0.9"
    let body = #"{"query":"query A { a }"}"#
    let broken = #"{"query":"query A { a } query B { b }"}"#

    let new = try post(body, accept: modern, to: test)
    let old = try post(body, accept: "*/*", to: test)
    let newError = try post(broken, accept: modern, to: test)
    let oldError = try post(broken, to: test)

    #expect(new.headers["content-type"] == "application/graphql-response+json; charset=utf-8")
    #expect(old.headers["content-type"] == "application/json")
    #expect([newError.status, oldError.status] == [400, 200])
    #expect(newError.text.contains("Must provide operation name if query contains multiple"))
  }

  @Test("An entry for HTTP answers what only looks like GraphQL")
  func ambiguities() throws {
    let test = try TestServer([
      entry(.query, "A", data: "1"), .entry("POST", "/search", replies: [.text("found")]),
    ])

    let search = try post(#"{"query":"shoes"}"#, path: "/search", to: test)
    let broken = try post(#"{"query":"shoes"}"#, to: test)

    #expect(search.text == "found")
    #expect(broken.text.contains("Syntax Error"))
    #expect(broken.headers["x-scenario"] == "refused")
  }

  @Test("With a schema requests are validated before an entry is used, and replies are cut")
  func schema() throws {
    let file = try TemporaryFile(Self.schema, ending: ".graphql")
    let test = try TestServer(
      [entry(.query, "A", data: #"{"user":{"id":1,"name":"Ada","more":true}}"#)],
      graphQL: PlannedGraphQL(schemaPath: file.path))

    let wrong = try post(#"{"query":"query A { user(id: 1) { nme } }"}"#, to: test)
    let variables = try post(
      #"{"query":"query A($i: ID!) { user(id: $i) { name } }","variables":{"i":true}}"#, to: test)
    let introspection = try post(#"{"query":"{ __schema { queryType { name } } }"}"#, to: test)
    let right = try post(#"{"query":"query A { u: user(id: 1) { name __typename } }"}"#, to: test)

    #expect(
      wrong.text == """
        {"errors":[{"message":"Cannot query field \\"nme\\" on type \\"User\\". Did you mean \
        \\"name\\"?","locations":[{"line":1,"column":25}],"extensions":{"code":\
        "GRAPHQL_VALIDATION_FAILED"}}]}
        """)
    #expect(variables.text.contains("ID cannot represent value: true"))
    #expect(introspection.text == #"{"data":{"__schema":{"queryType":{"name":"Query"}}}}"#)
    #expect(right.text == #"{"data":{"u":{"name":"Ada","__typename":"User"}}}"#)
  }

  @Test("A reply that lacks what is asked for is the author's mistake, with its place")
  func missingField() throws {
    let file = try TemporaryFile(Self.schema, ending: ".graphql")
    let test = try TestServer(
      [entry(.query, "A", data: #"{"user":{"id":1}}"#)],
      graphQL: PlannedGraphQL(schemaPath: file.path))

    let response = try post(#"{"query":"query A { user(id: 1) { name } }"}"#, to: test)

    #expect(response.status == 500)
    #expect(response.text.contains("data.user.name: \"name\" of User is asked for and not there"))
    #expect(response.text.contains("test.yaml:1:1"))
  }

  @Test("A schema that is for one endpoint leaves the others alone")
  func endpoints() throws {
    let file = try TemporaryFile(Self.schema, ending: ".graphql")
    let url = URLPattern(scheme: nil, host: nil, port: nil, path: "/graphql")
    let test = try TestServer(
      [entry(.query, "A", data: "1")], graphQL: PlannedGraphQL(schemaPath: file.path, url: url))
    let body = #"{"query":"query A { nothing }"}"#

    let known = try post(body, to: test)
    let other = try post(body, path: "/other", to: test)

    #expect(known.text.contains("Cannot query field"))
    #expect(other.text == #"{"data":1}"#)
  }

  private func sampling(
    _ responses: [PlannedResponse]
  ) throws -> (server: TestServer, file: TemporaryFile) {
    let file = try TemporaryFile(Self.schema, ending: ".graphql")
    var settings = PlannedGraphQL(schemaPath: file.path)
    settings.sampleSeed = 1
    return (try TestServer(responses, graphQL: settings), file)
  }

  @Test(
    "The schema answers what no entry does, in batches and in streams as well, and no subscription")
  func samples() throws {
    let (test, file) = try sampling([entry(.query, "A", data: #"{"user":{"name":"Ada"}}"#)])
    defer { withExtendedLifetime(file) {} }
    let name = #"{"query":"query A { user(id: 1) { name } }"}"#
    let identifier = #"{"query":"query B { user(id: 7) { id } }"}"#
    let seven = #"{"data":{"user":{"id":"7"}}}"#

    let own = try post(name, to: test)
    let schemas = try post(identifier, to: test)
    let batch = try post("[\(identifier),\(identifier)]", to: test)
    let stream = try post(identifier, accept: "text/event-stream", to: test)
    let mutation = try post(
      #"{"query":"mutation { rename(name: \"Bob\") { name } }"}"#, to: test)

    #expect(own.text == #"{"data":{"user":{"name":"Ada"}}}"#)
    #expect(schemas.text == seven)
    #expect(batch.text == "[\(seven),\(seven)]")
    #expect(stream.headers["content-type"]?.hasPrefix("text/event-stream") == true)
    #expect(stream.text.contains(seven), "\(stream.text)")
    #expect(mutation.text == #"{"data":{"rename":{"name":"Bob"}}}"#)
    #expect(
      !test.world.events.contains { event in if case .unmatched = event { true } else { false } })

  }

  @Test("A reply that the schema cannot give is one that cannot be made")
  func noSample() throws {
    let file = try TemporaryFile(
      "type Query { orphan: Orphan } interface Orphan { id: ID! }", ending: ".graphql")
    var settings = PlannedGraphQL(schemaPath: file.path)
    settings.sampleSeed = 1
    let test = try TestServer([], graphQL: settings)
    let body = #"{"query":"{ orphan { id } }"}"#

    for text in [body, "[\(body)]"] {
      let response = try post(text, to: test)
      #expect(response.text.contains("no object type is a Orphan"), "\(response.text)")
      guard case .brokenReply? = test.world.events.last else {
        Issue.record("no finding: \(test.world.events)")
        return
      }
    }
    withExtendedLifetime(file) {}
  }

  @Test(
    "The schema answers nothing for a queue whose end is a failure, nor where it is not asked to")
  func noSamples() throws {
    var entry = try entry(.query, "A", data: #"{"user":{"name":"Ada"}}"#)
    entry.then = .fail
    let (test, file) = try sampling([entry])
    let plain = try TestServer(
      [self.entry(.query, "B", data: "1")], graphQL: PlannedGraphQL(schemaPath: file.path))
    let body = #"{"query":"query A { user(id: 1) { name } }"}"#

    #expect(try post(body, to: test).text == #"{"data":{"user":{"name":"Ada"}}}"#)
    for server in [test, plain] {
      let response = try post(body, to: server)
      #expect(response.status == 501, "\(response.text)")
      guard case .unmatched = server.world.events.last else {
        Issue.record("no finding: \(server.world.events)")
        return
      }
    }
    withExtendedLifetime(file) {}
  }

  // MARK: - Streams

  private static func event(_ number: Int64, after delay: Nanoseconds) -> PlannedGraphQLEvent {
    PlannedGraphQLEvent(
      delay: delay, content: .next(.value(.map(["data": .integer(number)]))), range: anywhere)
  }

  @Test("Server-sent events come in virtual time, and the connection goes on behind them")
  func events() throws {
    let end = PlannedGraphQLEvent(delay: .zero, content: .complete, range: anywhere)
    let test = try TestServer([
      entry(
        .subscription, "S",
        events: [Self.event(1, after: .zero), Self.event(2, after: .seconds(60)), end])
    ])
    let client = try test.client()
    let body = #"{"query":"subscription S { s }"}"#
    try client.send(
      "POST /graphql HTTP/1.1\r\nhost: api.test\r\naccept: text/event-stream\r\n"
        + "content-length: \(body.utf8.count)\r\n\r\n\(body)")

    let first = try client.receive(until: "{\"data\":1}\n\n\r\n")
    #expect(test.world.wait { $0.timerCount == 1 })
    #expect(!client.hasBytes)
    test.world.advance(by: .seconds(60))
    let rest = try client.receive(until: "0\r\n\r\n")

    #expect(first.contains("content-type: text/event-stream"))
    #expect(rest.contains("event: next\ndata: {\"data\":2}\n\n"))
    #expect(rest.contains("event: complete\ndata:\n\n"))
  }

  @Test("A WebSocket carries subscriptions in virtual time, and a stop ends them")
  func webSocket() throws {
    let events = [Self.event(1, after: .zero), Self.event(2, after: .seconds(60))]
    let test = try TestServer([
      entry(.subscription, "S", events: events, times: 2), entry(.query, "Q", data: "7"),
    ])
    let client = try test.client()
    try client.upgrade("/graphql", subprotocol: "graphql-transport-ws")
    func subscribe(_ identifier: String, _ document: String) throws {
      try client.sendText(
        #"{"id":"\#(identifier)","type":"subscribe","payload":{"query":"\#(document)"}}"#)
    }

    try client.sendText(#"{"type":"connection_init"}"#)
    try subscribe("1", "subscription S { s }")
    try subscribe("2", "subscription S { s }")
    let opening = try (0..<3).map { _ in try client.receiveText() }
    try client.sendText(#"{"id":"2","type":"complete"}"#)
    try subscribe("3", "query Q { q }")
    let answer = try (0..<2).map { _ in try client.receiveText() }
    #expect(test.world.wait { $0.timerCount == 2 })
    test.world.advance(by: .seconds(60))
    let later = try client.receiveText()
    try client.sendText(#"{"type":"ping"}"#)
    let pong = try client.receiveText()

    #expect(
      opening == [
        #"{"type":"connection_ack"}"#, #"{"id":"1","type":"next","payload":{"data":1}}"#,
        #"{"id":"2","type":"next","payload":{"data":1}}"#,
      ])
    #expect(
      answer == [
        #"{"id":"3","type":"next","payload":{"data":7}}"#, #"{"id":"3","type":"complete"}"#,
      ])
    #expect(later == #"{"id":"1","type":"next","payload":{"data":2}}"#)
    #expect(pong == #"{"type":"pong"}"#)
    #expect(test.server.requests().map(\.operation) == ["S", "S", "Q"])
  }

  @Test(
    "Each result tells when it is due: of the operation that asks, not of the WebSocket's beginning"
  )
  func times() throws {
    let now = PlannedData.map([
      "data": .text(
        PlannedText(segments: [
          .run(RunExpression(root: "clock", steps: [.key("unix")], range: anywhere))
        ]))
    ])
    func event(after delay: Nanoseconds) -> PlannedGraphQLEvent {
      PlannedGraphQLEvent(delay: delay, content: .next(now), range: anywhere)
    }
    let test = try TestServer([
      entry(
        .subscription, "S", events: [event(after: .zero), event(after: .seconds(60))], times: 2)
    ])
    let client = try test.client()
    try client.upgrade("/graphql", subprotocol: "graphql-transport-ws")
    try client.sendText(#"{"type":"connection_init"}"#)
    #expect(try client.receiveText() == #"{"type":"connection_ack"}"#)
    test.world.advance(by: .seconds(3_600))
    try client.sendText(
      #"{"id":"1","type":"subscribe","payload":{"query":"subscription S { s }"}}"#)

    #expect(try client.receiveText() == #"{"id":"1","type":"next","payload":{"data":784115377}}"#)
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(60))
    #expect(try client.receiveText() == #"{"id":"1","type":"next","payload":{"data":784115437}}"#)

    let other = try test.client()
    let body = #"{"query":"subscription S { s }"}"#
    try other.send(
      "POST /graphql HTTP/1.1\r\nhost: api.test\r\naccept: text/event-stream\r\n"
        + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
    _ = try other.receive(until: "{\"data\":784115437}\n\n\r\n")
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(60))
    _ = try other.receive(until: "{\"data\":784115497}\n\n")
  }

  @Test("What nothing answers over a WebSocket is an error for the client, and a finding")
  func unmatchedSocket() throws {
    let test = try TestServer([entry(.subscription, "S", events: [Self.event(1, after: .zero)])])
    let client = try test.client()
    try client.upgrade("/graphql", subprotocol: "graphql-ws")

    try client.sendText(#"{"type":"connection_init"}"#)
    try client.sendText(#"{"id":"1","type":"start","payload":{"query":"subscription T { t }"}}"#)
    let answers = try (0..<2).map { _ in try client.receiveText() }

    #expect(answers[0] == #"{"type":"connection_ack"}"#)
    #expect(answers[1].contains(#""type":"error""#))
    guard case .unmatched(_, let nearMisses) = test.world.events.last else {
      Issue.record("no finding: \(test.world.events)")
      return
    }
    #expect(nearMisses.contains { $0.contains("operation: expected S, got T") })
  }

  @Test("What nothing answers over a WebSocket hangs, or ends it, where the scenario says so")
  func agreedSocket() throws {
    for rule in [PlannedUnmatched.hang, .refuse] {
      let test = try TestServer(
        [entry(.subscription, "S", events: [Self.event(1, after: .zero)])], unmatched: rule)
      let client = try test.client()
      try client.upgrade("/graphql", subprotocol: "graphql-ws")
      try client.sendText(#"{"type":"connection_init"}"#)
      let greeting = try client.receiveText()

      try client.sendText(#"{"id":"1","type":"start","payload":{"query":"subscription T { t }"}}"#)

      #expect(greeting == #"{"type":"connection_ack"}"#)
      if rule == .refuse {
        #expect(throws: (any Error).self) { try client.receiveText() }
      } else {
        // The operation that is answered comes first: the other one is held for good.
        try client.sendText(
          #"{"id":"2","type":"start","payload":{"query":"subscription S { s }"}}"#)
        #expect(try client.receiveText().contains(#""id":"2""#))
      }
      #expect(test.server.requests().first?.fault == (rule == .hang ? .hang : .reset))
      #expect(test.world.events.allSatisfy { if case .unmatched = $0 { false } else { true } })
      #expect(test.world.connections == [false, true])
    }
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
  fileprivate func upgrade(_ path: String, subprotocol: String) throws {
    try send(
      "GET \(path) HTTP/1.1\r\nhost: api.test\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
        + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "sec-websocket-protocol: \(subprotocol)\r\n\r\n")
    let head = try receive(until: "\r\n\r\n").lowercased()
    #expect(head.hasPrefix("http/1.1 101"))
    // The answer to the key of the RFC's example.
    #expect(head.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="))
    #expect(head.contains("sec-websocket-protocol: \(subprotocol)"))
  }

  /// Sends a text frame, masked with zeros.
  fileprivate func sendText(_ text: String) throws {
    let bytes = Array(text.utf8)
    let length: [UInt8] =
      bytes.count < 126
      ? [0x80 | UInt8(bytes.count)] : [0xFE, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    try send([0x81] + length + [0, 0, 0, 0] + bytes)
  }

  /// The next text frame.
  fileprivate func receiveText() throws -> String {
    let head = try receive(count: 2)
    #expect(head[0] == 0x81)
    var length = Int(head[1])
    if length == 126 {
      let bytes = try receive(count: 2)
      length = Int(bytes[0]) << 8 | Int(bytes[1])
    }
    return String(decoding: try receive(count: length), as: UTF8.self)
  }
}
