import Testing

@Suite("Requests that no response answers")
struct UnmatchedTests {
  private func run(_ network: String, _ steps: String, responses: String = Self.known) throws
    -> BuiltRunner.Outcome
  {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [curl, --silent, --max-time, "10"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      network: { unused: ignore, \(network) }
      responses:
      \(responses)
      steps:
      \(steps)

      """, to: "unmatched.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let known = """
      - GET http://known.example.com/a: { text: a }
    """

  private static func step(_ url: String, _ expectation: String) -> String {
    "  - { run: [\"\(url)\"], expect: { \(expectation) } }\n"
  }

  @Test(
    "They fail a scenario that says nothing else",
    arguments: ["mode: offline", "unmatched: fail"])
  func fail(network: String) throws {
    let outcome = try run(network, Self.step("http://known.example.com/b", "exit: 0"))

    outcome.expectExit(1)
    #expect(outcome.output.contains("no response for GET http://known.example.com/b"))
  }

  @Test("They get the reply that the scenario has for them, and fail nothing")
  func reply() throws {
    let reply = "unmatched: { status: 404, headers: { x-a: b }, text: \"no ${{ request.path }}\" }"
    let steps =
      Self.step("http://known.example.com/a", "exit: 0, stdout: a")
      + Self.step("http://known.example.com/b", "exit: 0, stdout: { contains: \"no \" }")
      + "  - { run: [\"--fail\", \"https://other.example.com/\"], expect: { exit: 22 } }\n"
    let outcome = try run(
      reply.replacing("${{ request.path }}", with: "${{ request.method }}"), steps)

    outcome.expectExit(0)
  }

  @Test("They are refused, by the host where no response speaks of it")
  func refuse() throws {
    let steps =
      Self.step("http://known.example.com/a", "exit: 0, stdout: a")
      + Self.step("http://known.example.com/b", "exit: 56")
      + Self.step("http://known.example.com:8080/a", "exit: 7")
      + Self.step("https://other.example.com/a", "exit: 7")
    let outcome = try run("unmatched: refuse", steps)

    outcome.expectExit(0)
  }

  @Test("They wait for ever, in virtual time")
  func hang() throws {
    let outcome = try run(
      "unmatched: hang", Self.step("https://other.example.com/a", "exit: 28, duration: 10s"))

    outcome.expectExit(0)
  }

  @Test("Requests that find the same queue empty are one failure, however they differ")
  func spentForMany() throws {
    let queue = """
        - request: GET http://known.example.com/a
          reply: [ { text: a } ]
      """
    let urls = (1...4).map { "\"http://known.example.com/a?t=\($0)\"" }.joined(separator: ", ")
    let outcome = try run(
      "unmatched: { status: 404 }", "  - { run: [\(urls)], expect: { exit: 0 } }\n",
      responses: queue)

    outcome.expectExit(1)
    #expect(outcome.output.contains("2 more requests match it"), "\(outcome.text)")
    let failures = outcome.output.split(separator: "\n").filter {
      $0.contains("error: no response for")
    }
    #expect(failures.count == 1, "\(outcome.text)")
  }

  @Test("A queue that is empty is a failure whatever they get, but where it says otherwise")
  func spent() throws {
    let queue = """
        - request: GET http://known.example.com/a
          reply: [ { text: a } ]
      """
    let steps =
      Self.step("http://known.example.com/a", "exit: 0")
      + Self.step("http://known.example.com/a", "exit: 0")
    let outcome = try run("unmatched: { status: 404 }", steps, responses: queue)
    let next = try run(
      "unmatched: { status: 404 }", steps, responses: queue + "\n    then: next")

    outcome.expectExit(1)
    #expect(outcome.output.contains("its queue is empty"))
    #expect(outcome.output.contains("or `then: repeat`, which repeats the last one"))
    #expect(!outcome.output.contains("add this response:"), "\(outcome.text)")
    next.expectExit(0)
  }

  @Test(
    "Mistakes are reported before anything runs",
    arguments: [
      ("unmatched: refused", "did you mean \"refuse\"?"),
      ("unmatched: [fail]", "\"unmatched\" must be a text, not a list"),
      ("unmatched: { statu: 404 }", "did you mean \"status\"?"),
      ("unmatched: { status: 404, times: 2 }", "unknown key \"times\" in a reply"),
      ("unmatched: hang, mode: live", "\"unmatched\" has no effect: the network is live"),
      (
        "mode: live, upstreams: { a.test: 'b.test:80' }",
        "\"upstreams\" has no effect: the network is live"
      ),
    ])
  func mistakes(network: String, message: String) throws {
    let outcome = try run(network, Self.step("http://known.example.com/a", "exit: 0"))

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("One by https: is reported as such where all responses are for http:")
  func secure() throws {
    let outcome = try run("unmatched: fail", Self.step("https://known.example.com/a", "exit: 60"))

    outcome.expectExit(1)
    #expect(
      outcome.output.contains(
        "requests \"known.example.com\" by https:, but no response is for https:")
    )
    #expect(!outcome.output.contains("SSL_CERT_FILE"))
  }

  @Test("One that comes again is reported once")
  func again() throws {
    let steps = """
        - run: ["http://known.example.com/b", "http://known.example.com/b", "http://known.example.com/b", "http://known.example.com/c"]
      """
    let outcome = try run("unmatched: fail", steps)

    let count = outcome.output.split(separator: "no response for GET http://known.example.com/b")
    #expect(count.count == 2, "\(outcome.text)")
    #expect(outcome.output.contains("it was repeated 2 times, last at +"))
    #expect(outcome.output.contains("no response for GET http://known.example.com/c"))
  }

  private static let query = """
      - query: Q
        reply: [ { data: { a: 1 } } ]
    """

  private static func batch(_ operations: String..., expectation: String) -> String {
    let members = operations.map { "{\\\"query\\\":\\\"query \($0) { a }\\\"}" }
    let options =
      "\"-H\", \"content-type: application/json\", \"-d\", \"[\(members.joined(separator: ","))]\""
    return
      "  - { run: [\(options), \"http://api.example.com/graphql\"], expect: { \(expectation) } }\n"
  }

  @Test(
    "A batch with a member that no entry answers is one of them",
    arguments: [
      ("unmatched: refuse", "exit: 56"), ("unmatched: hang", "exit: 28, duration: 10s"),
      ("unmatched: { status: 404, text: none }", "exit: 0, stdout: none"),
    ])
  func batch(network: String, expectation: String) throws {
    let outcome = try run(
      network, Self.batch("Q", "R", expectation: expectation), responses: Self.query)

    outcome.expectExit(0)
  }

  @Test("A batch with a member whose queue is empty fails all the same")
  func spentBatch() throws {
    let outcome = try run(
      "unmatched: hang", Self.batch("Q", "Q", expectation: "exit: 0"), responses: Self.query)

    outcome.expectExit(1)
    #expect(outcome.output.contains("its queue is empty"), "\(outcome.text)")
  }
}
