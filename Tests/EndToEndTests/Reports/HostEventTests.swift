import FoundationEssentials
import Testing

@Suite("Connections between hosts, partitions and messages are events")
struct HostEventTests {
  /// One line of a stream of events.
  private struct Line: Decodable {
    struct Content: Decodable {
      var from: String?
      var to: String?
      var port: Int?
      var began: Int64?
      var state: String?
      var error: String?
      var number: Int?
      var groups: [[String]]?
      var host: String?
      var text: String?
      var isFromTarget: Bool?
      var time: Int64?
      var processOrdinal: Int?
      var lastEvents: [Moment]?
    }
    struct Moment: Decodable {
      var kind: String
      var text: String
    }
    var event: String
    var elapsed: Int64?
    var data: Content
  }

  private static func events(of scenario: String) throws -> [Line] {
    let folder = try TemporaryFolder()
    let path = folder.write(scenario, to: "hosts.yaml")
    let outcome = try BuiltRunner.run([
      "run", path, "--report", "jsonl=\(folder.path)/run.jsonl",
    ])
    let text = try #require(TemporaryFolder.read("\(folder.path)/run.jsonl"), "\(outcome.text)")
    // Others have members of these names that are something else.
    let kinds = ["hostConnection", "partitionChanged", "processBorn", "message", "failed"]
    return try text.split(separator: "\n").filter { line in
      kinds.contains { line.contains("\"event\":\"\($0)\"") }
    }.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// The states of connections, each with its second and that at which it was asked for.
  private static func states(_ lines: [Line]) -> [String] {
    lines.filter { $0.event == "hostConnection" }.map { line in
      let second = { (time: Int64?) in "\((time ?? -1) / 1_000_000_000)" }
      let error = line.data.error.map { " \($0)" } ?? ""
      return
        "#\(line.data.number ?? 0) \(line.data.from ?? "") \(line.data.to ?? ""):\(line.data.port ?? 0)"
        + " \(line.data.state ?? "")\(error) \(second(line.data.began)) \(second(line.elapsed))"
    }
  }

  private static let server = """
    listener = socket.create_server(("", 7000))
    say("ready")
    while True:
        c, peer = listener.accept()
        c.recv(1)
        c.close()
    """

  @Test(
    "Hosts that reach each other directly: made at once, refused, and where the call does not wait")
  func direct() throws {
    let lines = try Self.events(
      of: HostScenario.head(
        Self.server,
        """
        time.sleep(2)
        c = socket.create_connection(("b.test", 7000))
        try: socket.create_connection(("b.test", 7001))
        except ConnectionRefusedError: pass
        for port in (7000, 7001):
            d = socket.socket()
            d.setblocking(False)
            d.connect_ex(("b.test", port))
        # The host itself is no other host, and the mock server is none.
        own = socket.create_server(("", 7002))
        socket.create_connection(("a.test", 7002))
        """) + """
          steps: [ { start: b }, { run: a } ]

          """)

    #expect(
      Self.states(lines) == [
        "#1 a.test b.test:7000 established 2 2",
        "#2 a.test b.test:7001 failed ECONNREFUSED 2 2",
        "#3 a.test b.test:7000 established 2 2",
        "#4 a.test b.test:7001 failed ECONNREFUSED 2 2",
      ])
    let born = lines.filter { $0.event == "processBorn" }.compactMap(\.data.host)
    #expect(Set(born) == ["a.test", "b.test"])
  }

  @Test("A cut link: no answer, made once it is healed, closed; and one whose time is over")
  func cut() throws {
    let lines = try Self.events(
      of: HostScenario.head(
        Self.server,
        """
        c = socket.create_connection(("b.test", 7000))
        c.sendall(b"x")
        say(c.recv(1))
        c.close()
        say("done")
        time.sleep(5)
        try: socket.create_connection(("b.test", 7000))
        except OSError as error: say(error.errno)
        """) + """
          steps:
            - start: b
            - partition: [[a], [b]]
            - start: a
            - tick: 10s
            - heal: all
            - wait: { stdout: done }
              target: a
            - partition: [[a], [b]]
            - wait: exit
              target: a
          expect: { targets: { a: { stdout: { contains: "110" } } } }

          """)
    let parts = lines.filter { $0.event == "partitionChanged" }

    #expect(
      Self.states(lines).prefix(5) == [
        "#1 a.test b.test:7000 pending 0 0", "#1 a.test b.test:7000 established 0 11",
        "#1 a.test b.test:7000 closed 0 11", "#2 a.test b.test:7000 pending 16 16",
        "#2 a.test b.test:7000 timedOut 16 147",
      ], "\(Self.states(lines))")
    #expect(
      parts.map(\.data.groups) == [[["a.test"], ["b.test"]], nil, [["a.test"], ["b.test"]]])
  }

  @Test("What a failure tells last has connections as well")
  func lastEvents() throws {
    let lines = try Self.events(
      of: HostScenario.head(
        Self.server,
        """
        try: socket.create_connection(("b.test", 7001))
        except OSError: pass
        """) + """
          steps: [ { start: b }, { run: a } ]
          expect: { targets: { a: { stdout: never } } }

          """)
    let moments = lines.flatMap { $0.data.lastEvents ?? [] }.filter { $0.kind == "connection" }

    #expect(moments.map(\.text) == ["cannot connect to b.test:7001: ECONNREFUSED"])
  }

  @Test("The pieces of a stream have their times, and an answer that is one body has none")
  func pieces() throws {
    func run(_ reply: String) throws -> [Line] {
      try Self.events(
        of: """
          version: 2
          clock: { flow: auto }
          target: { command: [curl, -sN, "http://api.test/feed"] }
          responses:
            - GET http://api.test/feed: \(reply)

          """
      ).filter { $0.event == "message" }
    }
    let pieces = try run(
      "{ stream: [ { send: one }, { after: 2s, send: two }, { after: 3s, send: three } ] }")

    #expect(pieces.map(\.data.text) == ["one", "two", "three"])
    #expect(pieces.map(\.data.time) == [0, 2_000_000_000, 5_000_000_000])
    #expect(pieces.allSatisfy { $0.data.isFromTarget == false })
    #expect(try run("{ text: onetwothree }").isEmpty)
  }
}
