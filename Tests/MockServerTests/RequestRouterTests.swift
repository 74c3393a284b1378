import Foundations
import NIOCore
import NIOHTTP1
import OrderedCollections
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

@testable import MockServer

/// What answers a request, with fakes around the router.
struct RequestRouterTests {
  private func network(
    _ responses: [PlannedResponse], mode: NetworkSettings.Mode = .offline
  ) -> PlannedNetwork {
    PlannedNetwork(mode: mode, unused: .ignore, responses: responses)
  }

  private let stub = PlannedResponse.entry("GET", "/n", replies: [.text("one"), .text("two")])

  @Test("Stubs answer in their order, and the log holds request and stub")
  func stubs() throws {
    let harness = try RouterHarness(network([stub]))

    let first = try harness.answer(harness.request())?.get()
    let second = try harness.answer(harness.request())?.get()

    #expect(first?.text == "one")
    #expect(second?.text == "two")
    #expect(harness.log.requests().map(\.entry) == ["GET /n", "GET /n"])
    #expect(harness.log.requests().map(\.number) == [1, 2])
    #expect(first?.record?.number == 1)
    #expect(harness.upstream.forwarded.isEmpty)
  }

  @Test(
    "A DNS query by HTTP is answered by the scenario, and other requests by the real host",
    arguments: [NetworkSettings.Mode.spy, .record])
  func nameQueries(mode: NetworkSettings.Mode) throws {
    var planned = network([], mode: mode)
    planned.names = PlannedNames()
    let harness = try RouterHarness(planned)
    harness.router.names = DNSOverHTTPS(
      DNSResponder(resolver: DNSResolver(planned)), loop: harness.loop)
    let query = harness.request(
      .POST, "/dns-query", headers: ["content-type": "application/dns-message"],
      body: NameQuery.bytes("a.test"))

    let answer = try harness.answer(query)?.get()
    let other = try harness.answer(harness.request(.GET, "/dns-query"))?.get()

    guard case .body(.bytes(let bytes))? = answer?.reply.content else {
      Issue.record("there is no answer in memory")
      return
    }
    #expect(NameQuery.parse(Array(bytes.readableBytesView))?.data == [198, 18, 0, 1])
    #expect(other?.reply.status == 203)
    #expect(harness.upstream.forwarded.map(\.head.method) == [.GET])
  }

  @Test("A request that no stub answers gets status 501, and is reported")
  func unmatched() throws {
    let harness = try RouterHarness(network([stub]))

    let answer = try harness.answer(harness.request(.GET, "/m"))?.get()

    #expect(answer?.reply.status == 501)
    #expect(harness.log.requests().map(\.status) == [501])
    #expect(
      harness.world.events.contains { if case .unmatched = $0 { true } else { false } })
  }

  @Test("The scenario's own answer to unmatched requests ends with the queue of a stub")
  func agreed() throws {
    var planned = network([.entry("GET", "/n", replies: [.text("only")])])
    planned.unmatched = .reply(.text("else", status: 404))
    let harness = try RouterHarness(planned)

    let statuses = try ["/m", "/n", "/n"].map {
      try harness.answer(harness.request(.GET, $0))?.get().reply.status
    }

    #expect(statuses == [404, 200, 501])
  }

  @Test("In mode record the real host gets each request as it came, before any stub")
  func record() throws {
    let harness = try RouterHarness(network([stub], mode: .record))
    let packed = ContentEncoder(.gzip)?.encode(ByteBuffer(string: "plain"), isLast: true)
    let body = Array(try #require(packed).readableBytesView)

    let answer = try harness.answer(
      harness.request(.POST, "/n", headers: ["content-encoding": "gzip"], body: body))?.get()

    #expect(answer?.reply.status == 203)
    #expect(harness.upstream.forwarded.map { Array($0.body.readableBytesView) } == [body])
    #expect(harness.log.requests().isEmpty)
  }

  @Test("A batch of which the real host answers some members is compared with its document")
  func describedBatch() throws {
    let reply = PlannedReply(
      status: 200, headers: [], body: .json(.value(.map(["data": .null]))), delay: .zero,
      times: 1, range: anywhere)
    let entry = PlannedResponse(
      name: "query A", match: .graphQL(PlannedGraphQLMatch(kind: .query, operation: "A")),
      replies: [reply], repeats: false, range: anywhere)
    var operation = PlannedOpenAPI.Operation(method: "POST", path: "/graphql", range: anywhere)
    var tenant = PlannedOpenAPI.Parameter(name: "x-tenant", place: .header, range: anywhere)
    tenant.isRequired = true
    operation.parameters = [tenant]
    var planned = network([entry], mode: .spy)
    planned.openAPI = [try document(operation)]
    let harness = try RouterHarness(planned)

    let body = #"[{"query":"query A { a }"},{"query":"query B { b }"}]"#
    _ = try harness.answer(
      harness.request(
        .POST, "/graphql", headers: ["content-type": "application/json"], body: Array(body.utf8)))

    #expect(harness.upstream.forwarded.count == 1)
    let problems = harness.world.events.compactMap { event in
      if case .undescribed(_, _, let problems, false, _) = event { problems } else { nil }
    }
    #expect(problems == [["header \"x-tenant\" is missing, but required"]])
  }

  @Test("A reply for HTTP is compared with its document also where the request is one of GraphQL")
  func describedReply() throws {
    let graphQL = PlannedResponse(
      name: "query Other",
      match: .graphQL(PlannedGraphQLMatch(kind: .query, operation: "Other")),
      replies: [.text("{}")], repeats: false, range: anywhere)
    var planned = network([
      graphQL, .entry("POST", "/graphql", replies: [.text("made up", status: 418)]),
    ])
    var operation = PlannedOpenAPI.Operation(method: "POST", path: "/graphql", range: anywhere)
    operation.responses = [PlannedOpenAPI.Response(status: "200", range: anywhere)]
    planned.openAPI = [try document(operation)]
    let harness = try RouterHarness(planned)

    _ = try harness.answer(
      harness.request(
        .POST, "/graphql", headers: ["content-type": "application/json"],
        body: Array(#"{"query":"query B { b }"}"#.utf8)))

    let areReplies = harness.world.events.compactMap { event in
      if case .undescribed(_, _, _, let isReply, _) = event { isReply } else { nil }
    }
    #expect(areReplies == [true])
  }

  private func document(_ operation: PlannedOpenAPI.Operation) throws -> PlannedOpenAPI {
    let schemas = try JSONSchema(.map([:]))
    return PlannedOpenAPI(
      path: "api.yaml", servers: [.init(scheme: "http", host: "api.test", port: 80)],
      operations: [operation], requestSchemas: schemas, replySchemas: schemas)
  }

  @Test("In mode spy the real host gets what no stub answers")
  func spy() throws {
    let harness = try RouterHarness(network([stub], mode: .spy))

    let own = try harness.answer(harness.request())?.get()
    let other = try harness.answer(harness.request(.GET, "/m"))?.get()

    #expect(own?.text == "one")
    #expect(other?.reply.status == 203)
    #expect(harness.upstream.forwarded.map(\.head.uri) == ["/m"])
  }

  @Test(
    "A request that cannot be read claims no reply",
    arguments: [("/n", ["content-encoding": "gzip"]), ("ftp://api.test/n", [:])])
  func unreadable(uri: String, fields: [String: String]) throws {
    let harness = try RouterHarness(network([stub]))
    let headers = HTTPHeaders(fields.map { ($0.key, $0.value) })

    let answer = try harness.answer(harness.request(.GET, uri, headers: headers, body: [1]))

    #expect(throws: PatternError.self) { try answer?.get() }
    #expect(harness.log.requests().isEmpty)
    #expect(try harness.answer(harness.request())?.get().text == "one")
  }

  @Test("A range of the body is what the request asks for")
  func range() throws {
    let harness = try RouterHarness(network([stub]))

    let answer = try harness.answer(harness.request(headers: ["range": "bytes=1-2"]))?.get()

    #expect(answer?.reply.status == 206)
    #expect(answer?.text == "ne")
  }

  @Test("A fault that ends the connection keeps later errors of the client from being reported")
  func faults() throws {
    var broken = PlannedReply.text("x")
    broken.fault = .reset
    let harness = try RouterHarness(network([.entry("GET", "/n", replies: [broken, .text("y")])]))
    let connection = try harness.connection()
    let other = try harness.connection()

    try harness.route(harness.request(), on: connection) { _ in }
    try harness.route(harness.request(), on: other) { _ in }

    #expect(connection.isBroken)
    #expect(!other.isBroken)
  }

  @Test("A call of gRPC is answered before its end where a conversation is next, and only then")
  func calls() throws {
    var talk = PlannedGRPC(messages: [])
    talk.conversation = [PlannedCallStep(.expectEnd, at: anywhere)]
    let harness = try RouterHarness(
      network([.entry("POST", "/n", replies: [.with(.grpc(talk)), .text("later")])]))
    let connection = try harness.connection()
    var answers: [Answer] = []
    func open(_ type: String) -> RequestFeed? {
      let request = harness.request(.POST, "/n", headers: ["content-type": type], stream: 1)
      return harness.router.answerOpening(request, on: connection) { result in
        if case .success(let answer) = result { answers.append(answer) }
      }
    }

    #expect(open("application/json") == nil)
    #expect(open("application/grpc") != nil)
    #expect(open("application/grpc+proto") == nil)
    #expect(answers.map(\.record?.number) == [1])
  }

  @Test("In mode record a call of gRPC goes to the real host before its end")
  func recordedCalls() throws {
    let harness = try RouterHarness(network([], mode: .record))
    let request = harness.request(
      .POST, "/n", headers: ["content-type": "application/grpc"], stream: 1)

    let feed = harness.router.answerOpening(request, on: try harness.connection()) { _ in }

    #expect(feed != nil)
    #expect(harness.upstream.forwarded.count == 1)
  }
}

/// Whose request claims its reply first, with a signal of quiescence that the test gives.
struct RequestSequencerTests {
  private func harness() throws -> RouterHarness {
    try RouterHarness(
      PlannedNetwork(unused: .ignore, responses: []), world: ManualWorld(restsWhenTold: true))
  }

  @Test("Requests of several clients claim in causal order once all are quiescent")
  func order() throws {
    let harness = try harness()
    let late = try harness.connection(lineage: [1], port: 50_001)
    let early = try harness.connection(lineage: [0], port: 50_002)
    var claims: [String] = []

    harness.sequencer.enqueue(late, stream: 3) { claims.append("late 3") }
    harness.sequencer.enqueue(late, stream: 1) { claims.append("late 1") }
    harness.sequencer.enqueue(early, stream: nil) { claims.append("early") }

    #expect(claims.isEmpty)
    #expect(late.waitingClaims == 2)
    harness.rest()
    #expect(claims == ["early", "late 1", "late 3"])
    #expect(late.waitingClaims == 0)
  }

  @Test("A client that nobody knows waits for no turn")
  func unknown() throws {
    let harness = try harness()
    var hasClaimed = false

    harness.sequencer.enqueue(try harness.connection(), stream: nil) { hasClaimed = true }

    #expect(hasClaimed)
  }

  @Test("While a real host owes an answer, a request goes at once, behind those that wait")
  func upstream() throws {
    let harness = try harness()
    let first = try harness.connection(lineage: [1], port: 50_001)
    let second = try harness.connection(lineage: [0], port: 50_002)
    var claims: [Int] = []

    harness.sequencer.enqueue(first, stream: nil) { claims.append(1) }
    let call = harness.upstreamCalls.open()
    harness.sequencer.enqueue(second, stream: nil) { claims.append(2) }

    #expect(claims == [1, 2])
    call.close()
  }

  @Test("Behind a reply that ends its connection no request claims another")
  func ended() throws {
    let harness = try harness()
    let connection = try harness.connection(lineage: [0], port: 50_001)
    _ = try harness.connection(lineage: [1], port: 50_002)
    var claims: [Int] = []

    harness.sequencer.enqueue(connection, stream: nil) {
      claims.append(1)
      connection.takesNoMore = true
    }
    harness.sequencer.enqueue(connection, stream: nil) { claims.append(2) }
    harness.rest()

    #expect(claims == [1])
    #expect(connection.waitingClaims == 0)
  }

  @Test("Requests that come after one turn wait for the next")
  func turns() throws {
    let harness = try harness()
    let connection = try harness.connection(lineage: [0], port: 50_001)
    _ = try harness.connection(lineage: [1], port: 50_002)
    var claims: [Int] = []

    harness.sequencer.enqueue(connection, stream: nil) { claims.append(1) }
    harness.rest()
    harness.sequencer.enqueue(connection, stream: nil) { claims.append(2) }

    #expect(claims == [1])
    harness.rest()
    #expect(claims == [1, 2])
  }

  @Test("Nobody claims anything once the mock server closes")
  func closes() throws {
    let harness = try harness()
    let connection = try harness.connection(lineage: [0], port: 50_001)
    _ = try harness.connection(lineage: [1], port: 50_002)
    var hasClaimed = false

    harness.sequencer.enqueue(connection, stream: nil) { hasClaimed = true }
    harness.sequencer.close()
    harness.rest()

    #expect(!hasClaimed)
  }
}
