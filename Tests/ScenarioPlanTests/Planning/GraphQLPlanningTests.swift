import Foundations
import GraphQL
import MockEngine
import OrderedCollections
import Patterns
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("GraphQL in a plan")
struct GraphQLPlanningTests {
  private static let schema = """
    type Query { user(id: ID!): User node: Node }
    type Subscription { tick: Int! }
    interface Node { id: ID! }
    type User implements Node { id: ID! name: String! age: Int role: Role friends: [User!] }
    type Team implements Node { id: ID! size: Int }
    enum Role { ADMIN GUEST }
    """

  private func plan(
    _ responses: String, schema: String = schema, network: String = "{ schema: s.graphql }"
  ) -> (network: PlannedNetwork?, problems: [String]) {
    let text = """
      version: 2
      target: { command: [a] }
      network: { graphql: \(network) }
      responses:
      \(responses)
      """
    let (file, found) = ScenarioFile.parse(text: text, path: "f.yaml")
    guard let file, found.isEmpty else { return (nil, found.map(\.message)) }
    let files = ["s.graphql": schema, "m.json": #"{"a": 1}"#]
    let (plan, diagnostics) = Planner.plan(
      files: [file],
      options: PlannerOptions(
        fileExists: { files[$0] != nil }, readFile: { files[$0].map { Array($0.utf8) } }))
    let lines = diagnostics.map { "\($0.range?.description ?? "-"): \($0.message)" }
    return (plan?.cases.first?.network, lines)
  }

  @Test("Replies that fit the schema are planned")
  func fits() {
    let (network, problems) = plan(
      """
        - query: A
          reply:
            - data: { user: { id: 1, name: Ada, age: null, role: ADMIN, friends: [{ id: 2, name: B }] } }
            - data: { user: null }
            - data: { node: { __typename: Team, size: 3 } }
            - data: { node: { size: 3 } }
            - errors: [{ message: boom }]
            - data: { user: { name: "${{ request.variables.name }}" } }
        - subscription: S
          reply: { stream: [{ next: { data: { tick: 1 } } }, { after: 1m, next: { data: { tick: 2 } } }] }
      """)

    #expect(problems == [])
    #expect(network?.graphQL?.schemaPath == "s.graphql")
    guard case .graphQLStream(let events)? = network?.responses.last?.replies.first?.body else {
      Issue.record("no stream")
      return
    }
    #expect(events.map(\.delay) == [.zero, .seconds(60)])
  }

  @Test("A scenario's settings keep what the file's top says of replies")
  func inheritedReplies() throws {
    let text = """
      version: 2
      target: { command: [a] }
      seed: 5
      network: { graphql: { schema: s.graphql, replies: examples } }
      scenarios:
        - { name: plain }
        - { name: url, network: { graphql: { url: "https://a.test/graphql" } } }
        - { name: none, network: { graphql: { replies: none } } }

      """
    let (file, found) = ScenarioFile.parse(text: text, path: "f.yaml")
    #expect(found.isEmpty)
    let (plan, diagnostics) = Planner.plan(
      files: [try #require(file)],
      options: PlannerOptions(
        fileExists: { $0 == "s.graphql" },
        readFile: { $0 == "s.graphql" ? Array(Self.schema.utf8) : nil }))
    let seeds = try #require(plan, "\(diagnostics.map(\.message))").cases.map {
      $0.network?.graphQL?.sampleSeed
    }
    #expect(seeds == [5, 5, nil])
  }

  @Test(
    "Replies by a schema need one, and a word that is known",
    arguments: [
      ("{ replies: examples }", "\"replies\" has no effect without a schema"),
      ("{ schema: s.graphql, replies: exmples }", "unknown value \"exmples\" for \"replies\""),
    ])
  func wrongReplies(network: String, message: String) {
    let (_, problems) = plan("  - { query: A, reply: { data: {} } }", network: network)
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test(
    "What a reply has wrong is told where it stands",
    arguments: [
      ("query: A, reply: { data: { user: { nme: Ada } } }", "\"nme\" is not a field of User"),
      ("query: A, reply: { data: { usr: null } }", "\"usr\" is not a field of Query"),
      ("query: A, reply: { data: { user: { name: null } } }", "null cannot be a String!"),
      ("query: A, reply: { data: { user: { name: 5 } } }", "expected String, got the number 5"),
      (
        "query: A, reply: { data: { user: { role: ADMN } } }",
        "\"ADMN\" is no value of the enum Role"
      ),
      ("query: A, reply: { data: { user: [] } }", "expected a User, got a list"),
      (
        "query: A, reply: { data: { user: { friends: { } } } }",
        "expected a list [User!], got a map"
      ),
      ("query: A, reply: { data: { user: { friends: [null] } } }", "null cannot be a User!"),
      (
        "query: A, reply: { data: { node: { __typename: Role } } }",
        "\"Role\" is not a type of Node"
      ),
      (
        "subscription: S, reply: { stream: [{ next: { data: { tick: x } } }] }",
        "expected Int, got the text \"x\""
      ),
      ("mutation: M, reply: { data: null }", "the schema has no mutation type"),
      (
        "document: \"query Q { user }\", reply: { data: null }",
        "the document does not fit the schema: Field \"user\" argument \"id\" of type \"ID!\" is required, but it was not provided."
      ),
      (
        "document: \"query Q {\", reply: { data: null }",
        "the document is malformed: expected a field, found the end of the document"
      ),
      (
        "query: Q, document: \"query R { node { id } }\", reply: { data: null }",
        "the document has no operation \"Q\""
      ),
      (
        "mutation: Q, document: \"query Q { node { id } }\", reply: { data: null }",
        "the document's operation is a query, not a mutation"
      ),
    ])
  func mistakes(entry: String, expected: String) {
    let problems = plan("  - { \(entry) }").problems

    #expect(
      problems.contains { $0.hasPrefix("f.yaml:5:") && $0.hasSuffix(": \(expected)") },
      "\(problems)")
  }

  @Test("A mistake points to its column")
  func columns() {
    let problems = plan("  - { query: A, reply: { data: { user: { nme: Ada, age: x } } } }")
      .problems

    #expect(
      problems == [
        "f.yaml:5:42: \"nme\" is not a field of User",
        "f.yaml:5:57: expected Int, got the text \"x\"",
      ])
  }

  @Test("A mistake in a document points into the document")
  func documentPlaces() {
    let block = plan(
      """
        - document: |
            query A {
              user(id: 1) {
                nme
              }
            }
          reply: { data: { user: null } }
        - document: "query B { user(id: 1) { id }"
          reply: { data: { user: null } }
        - document: "query C {\\n  node { size }\\n}"
          reply: { data: { node: null } }
        - document: >
            query D {
            node { size } }
          reply: { data: { node: null } }
      """
    ).problems

    #expect(
      block == [
        "f.yaml:8:11: the document does not fit the schema: "
          + "Cannot query field \"nme\" on type \"User\". Did you mean \"name\"?",
        "f.yaml:12:44: the document is malformed: expected a field, found the end of the document",
        "f.yaml:14:36: the document does not fit the schema: "
          + "Cannot query field \"size\" on type \"Node\". "
          + "Did you mean to use an inline fragment on \"Team\"?",
        "f.yaml:16:15: the document does not fit the schema at its line 1, column 18: "
          + "Cannot query field \"size\" on type \"Node\". "
          + "Did you mean to use an inline fragment on \"Team\"?",
      ])
  }

  @Test("What depends on a variable may be missing, unless the entry says what it is")
  func conditionalFields() {
    let document =
      "document: \"query A($all: Boolean!) { user(id: 1) { name age @include(if: $all) } }\""
    let reply = "reply: { data: { user: { name: Ada } } }"

    #expect(plan("  - { \(document), \(reply) }").problems == [])
    #expect(plan("  - { \(document), variables: { all: false }, \(reply) }").problems == [])
    #expect(
      plan("  - { \(document), variables: { all: true }, \(reply) }").problems.map {
        $0.drop { $0 != "\"" }
      }
        == ["\"age\" of User is asked for and not there"])
  }

  @Test(
    "Variables that no client can send are reported",
    arguments: [
      ("variables: { idd: 1 }", "the document has no variable \"$idd\""),
      ("variables: { idd: { matches: x } }", "the document has no variable \"$idd\""),
      (
        "variables: { id: true }",
        "invalid variables: Variable \"$id\" got invalid value true; "
          + "ID cannot represent value: true"
      ),
    ])
  func impossibleVariables(variables: String, expected: String) {
    let document = "document: \"query A($id: ID!) { user(id: $id) { name } }\""

    let problems = plan("  - { \(document), \(variables), reply: { data: { user: null } } }")
      .problems
    let fine = plan("  - { \(document), variables: { id: 7 }, reply: { data: { user: null } } }")

    #expect(problems.contains { $0.hasSuffix(": \(expected)") }, "\(problems)")
    #expect(fine.problems == [])
  }

  @Test(
    "Errors, extensions and streams that no client understands are reported",
    arguments: [
      ("reply: { errors: [boom] }", "the error \"boom\" must be a map"),
      ("reply: { errors: [{ path: [user] }] }", "the error has no \"message\""),
      ("reply: { errors: [{ mesage: x }] }", "unknown key \"mesage\" in an error"),
      (
        "reply: { errors: [{ message: x, path: user.name }] }",
        "the path of an error must be a list"
      ),
      ("reply: { data: null, extensions: [1] }", "\"extensions\" must be a map, not a list"),
      ("reply: { after: 1s }", "the reply has no result"),
      (
        "reply: { stream: [{ data: null }] }",
        "\"data\" belongs below \"next\", not directly in an entry of \"stream\""
      ),
      (
        "reply: { stream: [{ close: 4403 }, { complete: true }] }",
        "nothing can follow the end of a stream"
      ),
      ("reply: { stream: [{ close: 99 }] }", "\"close\" must be from 1000 to 4999, not 99"),
      (
        "reply: { encoding: gzip, data: null, fault: reset }",
        "\"encoding\" cannot be combined with \"fault: reset\", which does not send it"
      ),
    ])
  func malformedReplies(reply: String, expected: String) {
    let problems = plan("  - { query: A, \(reply) }").problems

    #expect(problems.contains { $0.hasSuffix(expected) }, "\(problems)")
  }

  @Test("How a WebSocket begins is planned, and so are codings and trailers of replies")
  func wire() {
    let (network, problems) = plan(
      """
        - query: A
          reply: { data: null, encoding: gzip, trailers: { x-cost: 7 } }
        - subscription: S
          reply: { stream: [{ after: 1s, close: { code: 4500, reason: boom } }] }
        - subscription: T
          reply: { stream: [{ close: reset }] }
      """,
      network: "{ schema: s.graphql, init: { within: 3s, payload: { a: 1 }, reply: { b: 2 } } }")

    #expect(problems == [])
    #expect(network?.graphQL?.initialisation?.within == .seconds(3))
    #expect(
      network?.graphQL?.initialisation?.payload?.variables
        == .value(.map(["a": .integer(1)])))
    #expect(
      network?.graphQL?.initialisation?.acknowledgement == .value(.map(["b": .integer(2)])))
    let replies = network?.responses.compactMap(\.replies.first) ?? []
    #expect(replies.first?.encoding == .gzip)
    #expect(replies.first?.trailers.map(\.name) == ["x-cost"])
    let contents = replies.dropFirst().map { reply -> [PlannedGraphQLEvent.Content] in
      if case .graphQLStream(let events) = reply.body { events.map(\.content) } else { [] }
    }
    #expect(contents == [[.close(code: 4500, reason: "boom")], [.leave(.reset)]])
  }

  @Test("An alias is known from the entry's document")
  func aliases() {
    let document = "query A { me: user(id: 1) { label: name } }"

    #expect(
      plan("  - { document: \"\(document)\", reply: { data: { me: { label: x } } } }").problems
        == [])
    #expect(plan("  - { query: A, reply: { data: { me: { label: x } } } }").problems.count == 1)
  }

  @Test("With a document, what is asked for and missing is found before anything runs")
  func missing() {
    let document = "query A($b: Boolean!) { user(id: 1) { name age @skip(if: $b) } }"

    let problems = plan(
      "  - { variables: { b: false }, document: \"\(document)\", "
        + "reply: { data: { user: { id: 1, name: x } } } }"
    ).problems
    #expect(problems == ["f.yaml:5:133: \"age\" of User is asked for and not there"])
  }

  @Test("Mistakes of a schema, and of a manifest, point into their own files")
  func files() {
    let broken = plan(
      "  - { query: A, reply: { data: null } }", schema: "type Query {\n  a: Intt\n}")
    let missing = plan("  - { query: A, reply: { data: null } }", network: "{ schema: t.graphql }")
    let manifest = plan("  - { query: A, reply: { data: null } }", network: "{ persisted: m.json }")

    #expect(broken.problems == ["s.graphql:2:6: there is no type \"Intt\""])
    #expect(missing.problems == ["f.yaml:3:31: the file \"t.graphql\" does not exist"])
    #expect(manifest.problems == ["f.yaml:3:34: \"m.json\" is not a manifest of documents"])
  }
}

@Suite("GraphQL entries")
struct GraphQLEntryTests {
  private func claim(_ response: String, _ body: String) throws -> MatchResult {
    let planned = try Samples.onlyCase("target: { command: [a] }\nresponses:\n  - " + response)
    var queue = StubQueue(responses: try #require(planned.network).responses)
    let request = IncomingRequest(
      method: "POST",
      target: try RequestTarget(scheme: "https", authority: "h", target: "/graphql"),
      headers: [], body: Array(body.utf8))
    return queue.claim(request, scope: CaseScope(directory: "/case"))
  }

  @Test(
    "An entry may name an operation by kind, by name, or by its document",
    arguments: [
      ("query: \"*\"", "{ a }", true), ("query: \"*\"", "mutation M { a }", false),
      ("operation: M", "mutation M { a }", true), ("operation: M", "query N { a }", false),
      ("operation: \"*\"", "subscription { a }", true),
      ("subscription: S", "subscription S { a }", true),
      ("subscription: S", "query S { a }", false),
      ("document: \"query Q { a(b: [1, 2]) }\"", "query  Q{a(b:[1 2])}# x", true),
      ("document: \"query Q { a(b: [1, 2]) }\"", "query Q{a(b:[1 3])}", false),
      ("document: \"{ a }\"", "query { a }", true),
    ])
  func patterns(pattern: String, document: String, isMatch: Bool) throws {
    let body = Value.map(["query": .string(document)]).jsonText()

    let claim = try claim("{ \(pattern), reply: { data: 1 } }", body)

    if case .reply = claim { #expect(isMatch) } else { #expect(!isMatch) }
  }

  @Test(
    "Variables may have matchers, at any depth, beside values",
    arguments: [
      ("{ id: { matches: \"^p-\" } }", #"{"id":"p-1"}"#, true),
      ("{ id: { matches: \"^p-\" } }", #"{"id":"q-1"}"#, false),
      ("{ id: { matches: \"^p-\" } }", "{}", false),
      ("{ in: { n: { greater_than: 3 }, s: x } }", #"{"in":{"n":4,"s":"x","t":1}}"#, true),
      ("{ in: { n: { greater_than: 3 }, s: x } }", #"{"in":{"n":4,"s":"y"}}"#, false),
      ("{ in: { n: { greater_than: 3 }, s: x } }", #"{"in":{"n":3,"s":"x"}}"#, false),
      ("{ exact: { in: { n: { greater_than: 3 } } } }", #"{"in":{"n":4}}"#, true),
      ("{ exact: { in: { n: { greater_than: 3 } } } }", #"{"in":{"n":4,"m":1}}"#, false),
      ("{ exact: { n: { greater_than: 3 } } }", #"{"n":4,"m":1}"#, false),
      ("{ exact: { n: { greater_than: 3 } } }", #"{"n":4}"#, true), ("{ exact: {} }", "{}", true),
      ("{ exact: {} }", #"{"n":4}"#, false),
    ])
  func matchers(variables: String, actual: String, isMatch: Bool) throws {
    let body = #"{"query":"query Q { a }","variables":\#(actual)}"#

    let claim = try claim("{ query: Q, variables: \(variables), reply: { data: 1 } }", body)

    if case .reply = claim { #expect(isMatch) } else { #expect(!isMatch) }
  }

  @Test("A miss tells the operation, the endpoint, and every variable that differs")
  func nearMiss() throws {
    let body = #"{"query":"query Q { a }","variables":{"a":1,"b":2,"c":3}}"#

    let claim = try claim(
      "{ query: Q, variables: { exact: { a: 1, b: 3 } }, reply: { data: null } }", body)

    guard case .unmatched(let lines, _) = claim else {
      Issue.record("a match")
      return
    }
    #expect(lines.first == #"query "Q" at https://h/graphql with {"a":1,"b":2,"c":3}"#)
    #expect(lines.contains("  variables.b: expected 3, got 2"))
    #expect(lines.contains("  variables.c: expected nothing, got 3"))
    #expect(!lines.contains { $0.contains("variables.a") })
  }
}
