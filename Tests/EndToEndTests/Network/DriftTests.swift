import Testing

@Suite("Drift")
struct DriftTests {
  private let backends: RealBackends

  init() throws {
    backends = try RealBackends()
  }

  private func drift(_ text: String, _ options: [String]) throws -> BuiltRunner.Outcome {
    let path = try backends.scenario(text, named: "drift.yaml")
    return try BuiltRunner.run(
      ["drift", path] + options,
      prefix: ["/usr/bin/env", "SSL_CERT_FILE=\(backends.authorityPath)"])
  }

  private func file(_ responses: String, upstream: UInt16? = nil) -> String {
    """
    version: 2
    target: { command: ["true"] }
    network:
      upstreams: { "api.example.com": "127.0.0.1:\(upstream ?? backends.securePort)" }
    responses:
    \(responses)

    """
  }

  private static let user =
    "  - GET https://api.example.com/shape: { json: { id: 7, name: Ada, tags: [a] } }"

  @Test("A backend that looks as it did is no drift, whatever its values")
  func same() throws {
    _ = try backends.scenario(#"{"id": 8, "name": "Bob", "tags": []}"#, named: "shape.json")

    let outcome = try drift(file(Self.user), ["--against", "live"])

    outcome.expectExit(0)
    #expect(!outcome.text.contains("warning"), "\(outcome.text)")
  }

  @Test("What is new is a note, what is gone a warning, another type an error and exit code 1")
  func changed() throws {
    _ = try backends.scenario(#"{"id": 8, "name": "Bob", "new": 1}"#, named: "shape.json")
    let mild = try drift(file(Self.user), ["--against", "live"])
    _ = try backends.scenario(#"{"id": "8", "name": "Bob", "tags": []}"#, named: "shape.json")
    let report = "\(backends.folder)/drift.xml"
    let bad = try drift(file(Self.user), ["--against", "live", "--report", "junit=\(report)"])

    mild.expectExit(0)
    #expect(mild.output.contains("note: $.new is new"))
    #expect(mild.output.contains("$.tags is missing"))
    bad.expectExit(1)
    #expect(bad.output.contains("error: $.id was integer, but is now text"))
    #expect(TemporaryFolder.read(report)?.contains("$.id was integer, but is now text") == true)
    // No run would show it again.
    #expect(!bad.output.contains("scenario run"), "\(bad.output)")
    #expect(TemporaryFolder.read(report)?.contains("scenario run") == false)
  }

  @Test("A recording is compared as well as a reply that was written by hand")
  func recording() throws {
    _ = try backends.scenario(#"{"id": 1}"#, named: "shape.json")
    let text = """
      version: 2
      name: r
      network:
        mode: record
        upstreams: { "api.example.com": "127.0.0.1:\(backends.plainPort)" }
      target: { command: [curl, --silent, "http://api.example.com/shape"] }

      """
    let path = try backends.scenario(text)
    let recorded = try BuiltRunner.run(["run", path])
    let same = try BuiltRunner.run(["drift", path, "--against", "live"])
    _ = try backends.scenario(#"{"id": "1"}"#, named: "shape.json")

    // The file still says that it records.
    let outcome = try BuiltRunner.run(["drift", path, "--against", "live"])

    recorded.expectExit(0)
    same.expectExit(0)
    outcome.expectExit(1)
    #expect(outcome.output.contains("__recordings__/r.yaml:"))
  }

  @Test("Replies without JSON are listed as not compared, in text and in reports")
  func uncompared() throws {
    _ = try backends.scenario(#"{"id": 8, "name": "Bob", "tags": []}"#, named: "shape.json")
    let others = """
        - GET https://api.example.com/bytes: { base64: AAE= }
        - GET https://api.example.com/events: { stream: [{ send: x }] }
        - GET https://api.example.com/gone: { status: 204 }
      """
    let report = "\(backends.folder)/drift.jsonl"
    let mixed = try drift(
      file(Self.user + "\n" + others), ["--against", "live", "--report", "jsonl=\(report)"])
    let none = try drift(file(others), ["--against", "live"])

    mixed.expectExit(0)
    for reason in [
      "the reply with status 200 has bytes", "the reply with status 200 is a stream",
      "the reply with status 204 has no body",
    ] {
      #expect(mixed.text.contains("is not compared: \(reason)"), "\(mixed.text)")
      #expect(TemporaryFolder.read(report)?.contains("not compared: \(reason)") == true)
      #expect(none.text.contains("is not compared: \(reason)"), "\(none.text)")
    }
    #expect(none.text.contains("no response has a JSON body to compare"), "\(none.text)")
    none.expectExit(4)
  }

  @Test("Of an entry with several replies, those without JSON are listed")
  func uncomparedReply() throws {
    _ = try backends.scenario(#"{"id": 8}"#, named: "shape.json")
    let outcome = try drift(
      file(
        """
          - request: GET https://api.example.com/shape
            reply: [{ json: { id: 7 } }, { status: 500, text: broken }]
        """), ["--against", "live"])

    outcome.expectExit(0)
    #expect(
      outcome.text.contains("not compared: the reply with status 500 has text that is not JSON"),
      "\(outcome.text)")
  }

  @Test("What may change something is asked only where that is allowed")
  func unsafe() throws {
    let text = file(
      "  - request: POST https://api.example.com/orders\n    reply: { status: 201, json: { a: 1 } }"
    )

    let careful = try drift(text, ["--against", "live"])
    let bold = try drift(text, ["--against", "live", "--unsafe", "POST"])

    #expect(careful.output.contains("--unsafe POST allows it"), "\(careful.text)")
    bold.expectExit(1)
    #expect(bold.output.contains("the reply was JSON"))
  }

  @Test("A host that is not there leaves it undecided, another status is drift")
  func unreachable() throws {
    let gone = try drift(file(Self.user, upstream: 1), ["--against", "live"])
    let missing = try drift(
      file("  - GET https://api.example.com/nothing: { json: { a: 1 } }"), ["--against", "live"])

    gone.expectExit(3)
    #expect(gone.output.contains("refused"))
    missing.expectExit(1)
    #expect(missing.output.contains("the status was 200, but is now 404"))
  }

  @Test("A description that cannot be read is invalid input, with its place")
  func badDescription() throws {
    let broken = try backends.scenario(
      "{\"openapi\": \"3.0.0\",\n \"paths\": [}", named: "api.json")
    let outcome = try drift(file(Self.user), ["--against", broken])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("api.json:2:12"), "\(outcome.errorOutput)")
  }

  @Test(
    "A query is asked of a GraphQL server; its schema says the same without it",
    .enabled(if: RealBackends.pythonWithGraphQL != nil, "no Python has graphql-core"))
  func graphQL() throws {
    let schema = "type Query { user: User }\ntype User { name: String! age: String }\n"
    let port = try backends.startGraphQL(
      schema: schema, data: #"{"user": {"name": "Ada", "age": "36"}}"#)
    let text = file(
      """
        - name: the user
          request:
            method: POST
            url: https://api.example.com/graphql
            json: { contains: { query: "query U { user { name age } }" } }
          reply: { json: { data: { user: { name: Bob, age: 3 } } } }
      """, upstream: port
    ).replacing("https://", with: "http://")

    let live = try drift(text, ["--against", "live"])
    let declared = try drift(text, ["--against", "\(backends.folder)/server.graphql"])
    let right = try drift(text.replacing("age: 3 ", with: "age: three "), ["--against", "live"])

    for outcome in [live, declared] {
      outcome.expectExit(1)
      #expect(outcome.output.contains("$.data.user.age was integer, but is now text"))
    }
    right.expectExit(0)
  }

  @Test(
    "A field that a GraphQL server has no more is reported in its own words",
    .enabled(if: RealBackends.pythonWithGraphQL != nil, "no Python has graphql-core"))
  func goneField() throws {
    let port = try backends.startGraphQL(
      schema: "type Query { user: User }\ntype User { name: String! }\n",
      data: #"{"user": {"name": "Ada"}}"#)
    let text = """
      version: 2
      target: { command: ["true"] }
      network: { upstreams: { "api.example.com": "127.0.0.1:\(port)" } }
      responses:
        - query: U
          url: http://api.example.com/graphql
          document: "query U { user { name age } }"
          reply: [ { data: { user: { name: Bob, age: 3 } } } ]

      """

    let gone = try drift(text, ["--against", "live"])
    let there = try drift(
      text.replacing(" age }", with: " }").replacing(", age: 3", with: ""), ["--against", "live"])

    #expect(gone.text.contains("the host reports \"Cannot query field 'age'"), "\(gone.text)")
    there.expectExit(0)
    #expect(!there.text.contains("the host reports"), "\(there.text)")
  }

  @Test("A description is reported with the place of what is wrong in it")
  func wrongPlace() throws {
    let open = try backends.scenario(
      "openapi: 3.0.0\npaths:\n  /a: { $ref: '#/components/no' }\n", named: "open.yaml")
    let old = try backends.scenario("{\"a\": 1,\n \"openapi\": \"2.0\"}", named: "old.json")
    let schema = try backends.scenario("type Query {\n  a: No\n}\n", named: "no.graphql")

    for (path, place) in [
      (open, "open.yaml:3:15"), (old, "old.json:2:13"), (schema, "no.graphql:2:6"),
    ] {
      let outcome = try drift(file(Self.user), ["--against", path])
      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains(place), "\(outcome.errorOutput)")
    }
  }
}
