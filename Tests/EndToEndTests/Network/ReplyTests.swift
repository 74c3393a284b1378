import Testing

@Suite("Replies and what they are not given to")
struct ReplyTests {
  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "replies.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "Faults break HTTP/2 as they break HTTP/1",
    arguments: [
      ("fault: reset", 56), ("fault: empty", 52), ("{ fault: { truncate: 3 }, text: cut here }", 0),
      ("fault: goaway", 0), ("fault: hang", 28),
      ("{ fault: { bandwidth: 5B/s }, text: 0123456789 }", 0),
    ])
  func http2(reply: String, exitCode: Int) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, --http2, --max-time, "9", "https://h2.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - { request: GET https://h2.example.com/, reply: \(reply.hasPrefix("{") ? reply : "{ \(reply) }") }
      expect: { exit: \(reply.contains("bandwidth") ? "0" : "{ not: 0 }") }

      """)

    outcome.expectExit(0)
  }

  @Test("An entry answers each of several methods, and no other")
  func methods() throws {
    func scenario(_ last: String) -> String {
      """
      version: 2
      target:
        command: >-
          for method in PUT PATCH \(last);
          do curl --silent --request $method http://api.test/item; done
      responses:
        - request: { method: [PUT, PATCH], url: http://api.test/item }
          reply: { text: "${{ request.method }} " }
          then: repeat
        - GET http://api.test/item: { text: read }
      network: { unused: ignore }
      expect:
        stdout: { contains: "PUT PATCH " }
        requests: [{ request: { method: [PATCH, PUT], url: http://api.test/item }, count: 2 }]

      """
    }
    let answered = try run(scenario("GET"))
    let other = try run(scenario("DELETE"))

    answered.expectExit(0)
    other.expectExit(1)
    #expect(
      other.output.contains("method: expected PUT or PATCH, got DELETE"), "\(other.text)")
  }

  @Test("A slow body takes its time to the nanosecond")
  func slow() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, "http://slow.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - { request: GET http://slow.example.com/, reply: { after: 500ms, fault: { bandwidth: 3B/s }, text: "0123456789" } }
      expect: { exit: 0, stdout: "0123456789", duration: { equals: 3833333333ns } }

      """)

    outcome.expectExit(0)
  }

  @Test(
    "An unmatched request shows the nearest entries, the entry that is missing, and tells the client"
  )
  func unmatched() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, --data, "a=1", "http://api.example.com/orders?page=3"] }
      responses:
        - GET http://api.example.com/orders: { text: a }
        - POST http://api.example.com/orders?page=2: { text: b }
      expect: { stdout: { contains: 'expected "2", got "3"' } }

      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains("query \"page\": expected \"2\", got \"3\""))
    #expect(outcome.output.contains("url: \"http://api.example.com/orders?page=3\""))
    #expect(outcome.output.contains("form: {\"a\":\"1\"}"))
    #expect(!outcome.output.contains("also"))
  }

  @Test("An entry that nobody asked for shows the nearest request, also in JUnit")
  func unused() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [curl, --silent, "http://api.example.com/users/7"] }
      responses:
        - GET http://api.example.com/users/{id}: { text: a }
        - { request: { url: "http://api.example.com/users/7", headers: { x-a: b } }, reply: {} }

      """, to: "unused.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--report", "junit=\(folder.path)/r.xml"])
    let report = TemporaryFolder.read("\(folder.path)/r.xml") ?? ""

    outcome.expectExit(1)
    for text in [outcome.output, report] {
      #expect(text.contains("the nearest request: GET http://api.example.com/users/7 at +"))
      #expect(text.contains("header") && text.contains("x-a") && text.contains("got nothing"))
    }
  }

  @Test(
    "A client that gave up is told of with both times",
    arguments: [
      ("{ after: 30s, text: late }", "the reply was due at +30s, but the client closed at +10s"),
      ("{ fault: hang }", "the entry never replies, but the client closed at +10s"),
    ])
  func gaveUp(reply: String, message: String) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, --max-time, "10", "http://late.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses: [ { request: GET http://late.example.com/, reply: \(reply) } ]
      expect: { exit: 0 }

      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains(message), "\(outcome.output)")
  }

  @Test("A client that gave up is no failure in itself")
  func gaveUpAsExpected() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, --max-time, "10", "http://late.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses: [ { request: GET http://late.example.com/, reply: { after: 30s } } ]
      expect: { exit: 28, duration: 10s }

      """)

    outcome.expectExit(0)
  }

  @Test("A name that never gets an answer costs the resolver's own patience, in virtual time")
  func silentResolver() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, "http://void.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses: [ { host: void.example.com, fault: { dns: timeout } } ]
      expect: { exit: 6, duration: { greater_than: 4s } }

      """)

    outcome.expectExit(0)
  }

  @Test("Requests in another order than expected are shown")
  func order() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, "http://a.example.com/one", "http://a.example.com/two"] }
      responses: [ GET http://a.example.com/*: { text: x } ]
      expect: { requests: [ { order: [GET /two, GET /one] } ] }

      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains("no request for \"GET /one\" behind \"GET /two\""))
    #expect(outcome.output.contains("it came earlier"))
  }
}
