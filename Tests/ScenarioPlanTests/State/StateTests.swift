import Foundations
@testable import MockEngine
import OrderedCollections
@testable import Patterns
import ScenarioPlan
import Testing

@Suite("State that responses share")
struct StateTests {
  private let scope = CaseScope(directory: "/case")

  private func network(_ responses: String) throws -> PlannedNetwork {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n" + responses)
    return try #require(planned.network)
  }

  private func queue(_ responses: String) throws -> StubQueue {
    StubQueue(responses: try network(responses).responses)
  }

  private func request(
    _ method: String, _ path: String, body: String = ""
  ) throws -> IncomingRequest {
    IncomingRequest(
      method: method, target: try RequestTarget(scheme: "https", authority: "h", target: path),
      headers: [], body: Array(body.utf8))
  }

  private func claim(
    _ queue: inout StubQueue, _ method: String, _ path: String, body: String = ""
  ) throws -> MatchedReply? {
    let result = queue.claim(try request(method, path, body: body), scope: scope)
    guard case .reply(let claimed) = result else { return nil }
    return claimed
  }

  private func status(
    _ queue: inout StubQueue, _ method: String, _ path: String, body: String = ""
  ) throws -> Int? {
    try claim(&queue, method, path, body: body)?.reply.status
  }

  private static let todo = """
      - { request: GET https://h/todos, when: { todo: added }, reply: { status: 201 }, then: repeat }
      - { request: POST https://h/todos, set: { todo: added }, reply: { status: 202 }, then: repeat }
      - { request: DELETE https://h/todos, set: { todo: gone }, reply: { status: 203 }, then: repeat }
      - GET https://h/todos: { status: 200 }
    """

  @Test("An entry answers only while the state is as it says, and others in between")
  func machine() throws {
    var queue = try queue(Self.todo)

    var statuses: [Int?] = []
    for method in ["GET", "GET", "POST", "GET", "GET", "DELETE", "GET", "POST", "GET"] {
      statuses.append(try status(&queue, method, "/todos"))
    }

    #expect(statuses == [200, 200, 202, 201, 201, 203, 200, 202, 201])
    #expect(queue.state["todo"] == .string("added"))
  }

  @Test("Each queue begins with the state unset, whatever happened to another one")
  func fresh() throws {
    var first = try queue(Self.todo)
    _ = try claim(&first, "POST", "/todos")
    var second = StubQueue(responses: first.responses)

    #expect(first.state.value == .map(["todo": .string("added")]))
    #expect(second.state.value == .map([:]))
    #expect(try status(&second, "GET", "/todos") == 200)
  }

  @Test("The state before the first request is what the scenario says, and steps change it")
  func given() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      vars: { first: 2 }
      state: { todo: added, count: "${{ vars.first + 1 }}" }
      responses:
      \(Self.todo)
      steps:
        - set: { count: "${{ state.count + 1 }}", todo: gone }
        - run:
      """)
    let network = try #require(planned.network)
    var queue = StubQueue(responses: network.responses, state: network.state ?? [])
    guard case .set(let changes)? = planned.steps.first?.action else {
      Issue.record("no step")
      return
    }

    #expect(try status(&queue, "GET", "/todos") == 201)
    #expect(queue.state["count"] == .integer(3))
    let made = try queue.set(changes, scope: scope)
    #expect(made.map(\.name) == ["count", "todo"])
    #expect(queue.state.value == .map(["todo": .string("gone"), "count": .integer(4)]))
    #expect(try status(&queue, "GET", "/todos") == 200)
  }

  @Test("A scenario's own state wins over its file's, name by name, and override leaves that out")
  func inherited() throws {
    let plan = try #require(
      Samples.plan(
        """
        target: { command: [./program] }
        state: { a: 1, b: 2 }
        responses: [ { GET https://h/: { text: "${{ state.a ?? 0 }}" } } ]
        scenarios:
          - { name: one, state: { b: 3, c: 4 } }
          - { name: two, state: { a: 5 }, override: state }
        """
      ).plan)
    let states = plan.cases.map { planned in
      (planned.network?.state ?? []).map { "\($0.name): \($0.value.literal?.textForm ?? "")" }
    }
    #expect(states == [["a: 1", "b: 3", "c: 4"], ["a: 5"]])
  }

  @Test("State that is a store's, that is no value yet, or that nothing asks is refused")
  func refused() throws {
    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      state: { todos: [], todo: opn, early: "${{ request.json }}" }
      responses:
        - { store: todos, at: https://h/todos }
        - { request: GET https://h/, when: { todo: open }, reply: { text: a } }
      steps:
        - set: { todos: [] }
        - set: { a: "${{ state.toodo }}" }
        - run:
      """)
    #expect(
      errors.map(\.message).sorted() == [
        "\"request\" is known only in replies", "\"state\" has no \"toodo\"",
        "\"todos\" is a store, which only requests change",
        "\"todos\" is a store, which only requests change",
        "nothing sets the state \"todo\" to \"open\"",
      ])
    #expect(
      try Samples.errors(
        "target: { command: [./program] }\nnetwork: { mode: live }\nstate: { a: 1 }"
      ).map(\.message) == ["the state \"a\" is never used: the network is live"])
  }

  @Test("An entry that is skipped keeps its replies, and does not fail at its end")
  func skipped() throws {
    var queue = try queue(
      """
        - request: GET https://h/a
          when: { door: open }
          reply: [{ status: 201 }]
          then: fail
        - { request: POST https://h/a, set: { door: open }, reply: {}, then: repeat }
        - { request: DELETE https://h/a, set: { door: closed }, reply: {}, then: repeat }
        - GET https://h/a: { status: 200 }
      """)

    #expect(try status(&queue, "GET", "/a") == 200)
    _ = try claim(&queue, "POST", "/a")
    #expect(try status(&queue, "GET", "/a") == 201)
    #expect(try status(&queue, "GET", "/a") == nil)
    #expect(queue.failsAtEnd(try request("GET", "/a"), scope: scope))
    _ = try claim(&queue, "DELETE", "/a")
    #expect(!queue.failsAtEnd(try request("GET", "/a"), scope: scope))
    #expect(!queue.hasSpentEntry(for: try request("GET", "/a"), scope: scope))
    #expect(try status(&queue, "GET", "/a") == 200)
  }

  @Test(
    "What is not set satisfies nothing but a question whether it is there",
    arguments: [
      ("added", false, true), ("{ not: other }", false, true), ("{ exists: false }", true, false),
      ("{ exists: true }", false, true), ("{ any_of: [added, { exists: false }] }", true, true),
      ("{ any_of: [gone, { exists: false }] }", true, false),
      ("{ in: [added, gone] }", false, true),
      ("{ starts_with: add }", false, true),
    ])
  func unset(condition: String, unset: Bool, added: Bool) throws {
    var queue = try queue(
      """
        - { request: GET https://h/a, when: { todo: \(condition) }, reply: {}, then: repeat }
        - { request: POST https://h/a, set: { todo: added }, reply: {}, then: repeat }
        - { request: PUT https://h/a, set: { todo: gone }, reply: {}, then: repeat }
        - { request: PATCH https://h/a, set: { todo: other }, reply: {}, then: repeat }
      """)

    #expect((try claim(&queue, "GET", "/a") != nil) == unset)
    _ = try claim(&queue, "POST", "/a")
    #expect((try claim(&queue, "GET", "/a") != nil) == added)
  }

  @Test("A reply sees the state before its request, and what it sets is seen by the next one")
  func transaction() throws {
    var queue = try queue(
      """
        - request: PUT https://h/{id}
          set:
            count: "${{ (state.count ?? 0) + 1 }}"
            last: "${{ request.path.id }}"
            before: "${{ state.last ?? 'nobody' }}"
          reply: { json: { count: "${{ state.count ?? 0 }}", last: "${{ state.last ?? 'none' }}" } }
          then: repeat
      """)

    var bodies: [String] = []
    for name in ["a", "b", "c"] {
      let claimed = try #require(try claim(&queue, "PUT", "/\(name)"))
      guard case .json(let data) = claimed.reply.body else { throw Unexpected() }
      let scope = RequestScope(
        request: try request("PUT", "/\(name)"), captures: claimed.captures, state: claimed.state,
        base: scope)
      bodies.append(try data.resolve(in: scope).jsonText())
    }

    #expect(
      bodies == [
        #"{"count":0,"last":"none"}"#, #"{"count":1,"last":"a"}"#, #"{"count":2,"last":"b"}"#,
      ])
    #expect(
      queue.state.value
        == .map(["count": .integer(3), "last": .string("c"), "before": .string("b")]))
  }

  @Test("What cannot be set is told, and sets nothing")
  func failing() throws {
    var queue = try queue(
      """
        - { request: PUT https://h/a, set: { one: 1, two: "${{ request.json.name }}" }, reply: {}, then: repeat }
      """)

    let claimed = try #require(try claim(&queue, "PUT", "/a", body: "{}"))

    #expect(
      claimed.problem?.message
        == "\"set\" failed: \"request.json\" has no key \"name\"")
    #expect(claimed.changes.isEmpty)
    #expect(queue.state.value == .map([:]))
  }

  @Test("A request that only another state keeps from its entry is told which one that is")
  func nearMiss() throws {
    var queue = try queue(
      """
        - GET https://h/other: {}
        - { request: GET https://h/todos, when: { todo: added }, reply: {} }
        - { request: POST https://h/todos, set: { todo: added }, reply: {} }
        - { request: PUT https://h/todos, set: { todo: none }, reply: {} }
      """)
    func lines() throws -> [String] {
      queue.claim(try request("GET", "/todos"), scope: scope).nearMisses
    }

    #expect(
      try lines().first
        == "\"GET https://h/todos\" (test.yaml:4:5) would answer if \"todo\" were \"added\"; it is not set"
    )
    _ = try claim(&queue, "PUT", "/todos")
    #expect(
      try lines().first
        == "\"GET https://h/todos\" (test.yaml:4:5) would answer if \"todo\" were \"added\"; it is \"none\""
    )
    #expect(
      queue.claim(try request("GET", "/x"), scope: scope).nearMisses.contains(
        "  state \"todo\": expected \"added\", got \"none\""))
  }

  @Test("An entry whose state never came is told from one that nobody asked for")
  func unused() throws {
    var queue = try queue(Self.todo)
    let get = try request("GET", "/todos")
    _ = queue.claim(get, scope: scope)

    let nearest = queue.nearest(to: 0, among: [get], scope: scope)

    #expect(queue.unused().map(\.entry) == [0, 1, 2])
    #expect(
      nearest.lines == [
        "the nearest request, GET https://h/todos at +0s, came while the state did not match \"when\": "
          + "\"todo\" equals \"added\""
      ])
    #expect(!nearest.isMatch)
  }

  @Test("Operations of GraphQL need and change state as requests do")
  func graphQL() throws {
    var queue = try queue(
      """
        - { query: Todos, when: { todo: added }, reply: { data: { todos: [milk] } } }
        - { mutation: Add, set: { todo: "${{ request.variables.title }}" }, reply: { data: { add: true } } }
        - { mutation: Reset, set: { todo: added }, reply: { data: { reset: true } } }
      """)
    func claim(_ query: String, _ variables: String = "{}") throws -> Bool {
      let body = "{\"query\":\"\(query)\",\"variables\":\(variables)}"
      return try self.claim(&queue, "POST", "/graphql", body: body) != nil
    }

    #expect(try !claim("query Todos { todos }"))
    #expect(try claim("mutation Add { add }", #"{"title":"added"}"#))
    #expect(try claim("query Todos { todos }"))
  }

  @Test(
    "Where a request changes what another one gets, their order matters",
    arguments: [
      ("- { request: PUT https://h/a, set: { a: 1 }, reply: {}, then: repeat }", true),
      ("- { store: todos, at: https://h/todos }", true), ("- GET https://h/a: {}", false),
    ])
  func order(entry: String, matters: Bool) throws {
    #expect(try network("  " + entry).dependsOnOrder == matters)
  }

  @Test("An entry that waits for a state hides none behind it")
  func reach() throws {
    _ = try network(
      """
        - { request: POST https://h/a, set: { todo: added }, reply: {} }
        - { request: GET https://h/a, when: { todo: added }, reply: {}, then: repeat }
        - GET https://h/a: {}
      """)
  }

  private struct Unexpected: Error {}
}
