import Testing

@Suite("Modes of the network")
struct ModeTests {
  private let backends: RealBackends

  init() throws {
    backends = try RealBackends()
  }

  private func run(
    _ text: String, _ options: [String] = [], trusts: Bool = true
  ) throws -> BuiltRunner.Outcome {
    let path = try backends.scenario(text)
    let prefix = trusts ? ["SSL_CERT_FILE=\(backends.authorityPath)"] : []
    return try BuiltRunner.run(
      ["run", path, "--timeout", "10m"] + options, prefix: ["/usr/bin/env"] + prefix)
  }

  /// A file whose target asks with curl, one URL after the other.
  private func file(
    mode: String, urls: String, network: String = "", rest: String = ""
  ) -> String {
    """
    version: 2
    name: asks
    network:
      mode: \(mode)
      upstreams:
        "api.example.com:443": "127.0.0.1:\(backends.securePort)"
        "api.example.com:80": "127.0.0.1:\(backends.plainPort)"
    \(network.split(separator: "\n").map { "  \($0)\n" }.joined())
    target: { command: "for url in \(urls); do curl --silent --show-error $url; echo \\" $?\\"; done" }
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    \(rest)

    """
  }

  /// What sha256sum has printed.
  private static func digest(in report: String?) -> Substring? {
    guard let report, let end = report.firstRange(of: "  -\\n") else { return nil }
    return report[..<end.lowerBound].suffix(64)
  }

  // MARK: - Record and replay

  @Test("What is recorded over real TLS is replayed without the host, to the byte")
  func recordAndReplay() throws {
    let text = file(
      mode: "record",
      urls: "https://api.example.com/chunks https://api.example.com/chunks "
        + "https://api.example.com/bytes",
      rest: "expect: { stdout: { contains: 'one,two,three 0' } }"
    ).replacing("curl --silent", with: "curl --silent --output - ")
    let hashed = text.replacing("done", with: "done | sha256sum").replacing(
      "one,two,three 0", with: "  -")

    let recorded = try run(hashed, ["--report", "jsonl=\(backends.folder)/first.jsonl"])
    let first = backends.text("__recordings__/asks.yaml")
    // Nobody is there any more.
    let replayed = try run(
      hashed.replacing("127.0.0.1:\(backends.securePort)", with: "127.0.0.1:1"),
      ["--network", "offline", "--report", "jsonl=\(backends.folder)/second.jsonl"])

    recorded.expectExit(0)
    replayed.expectExit(0)
    #expect(first?.contains("url: https://api.example.com/chunks\n      exact: true") == true)
    #expect(first?.contains("times: 2") == true, "\(first ?? "none")")
    #expect(first?.contains("file: asks/1.bin") == true)
    let digest = try #require(Self.digest(in: backends.text("first.jsonl")))
    #expect(digest == Self.digest(in: backends.text("second.jsonl")))
    #expect(first == backends.text("__recordings__/asks.yaml"))
  }

  @Test("A scenario with a new name is told where its recording is, and is recorded again")
  func renamed() throws {
    let text = file(mode: "record", urls: "http://api.example.com/chunks")
    let renamed = text.replacing("name: asks", with: "name: gets")
    try run(text).expectExit(0)

    let lost = try run(renamed, ["--network", "offline"])
    lost.expectExit(1)
    let place = "\(backends.folder)/__recordings__"
    #expect(
      lost.text.contains(
        "\(place)/asks.yaml is of \"asks\", a scenario that is gone, and has this request"),
      "\(lost.text)")
    #expect(
      lost.text.contains("rename it: mv \(place)/asks.yaml \(place)/gets.yaml"), "\(lost.text)")

    _ = try BuiltRunner.command(["mv", "\(place)/asks.yaml", "\(place)/gets.yaml"])
    try run(renamed, ["--network", "offline"]).expectExit(0)
    try run(renamed).expectExit(0)
    #expect(backends.text("__recordings__/gets.yaml")?.hasPrefix("# recording of gets ") == true)
  }

  @Test("A recording with a name of its own is found whatever the scenario is called")
  func named() throws {
    func text(_ name: String, _ place: String, _ mode: String) -> String {
      file(
        mode: mode, urls: "http://api.example.com/chunks", network: "recording: \(place)",
        rest: "expect: { stdout: { contains: 'one,two,three 0' } }"
      ).replacing("name: asks", with: "name: \(name)")
    }
    try run(text("asks", "__recordings__/chunks.yaml", "record")).expectExit(0)
    try run(text("gets", "__recordings__/chunks.yaml", "offline")).expectExit(0)
    let missing = try run(text("gets", "__recordings__/none.yaml", "offline"))
    missing.expectExit(2)
    #expect(missing.text.contains("none.yaml\" does not exist"), "\(missing.text)")
  }

  @Test("A real host that does not speak TLS is told so, with what to write")
  func plainHost() throws {
    let text = file(
      mode: "spy", urls: "https://api.example.com/counted",
      rest: "expect: { stdout: { not: { contains: ' 0' } } }"
    ).replacing("127.0.0.1:\(backends.securePort)", with: "127.0.0.1:\(backends.plainPort)")
    let outcome = try run(text)

    outcome.expectExit(0)
    #expect(outcome.text.contains("TLS failed: the server does not speak TLS"), "\(outcome.text)")
    #expect(outcome.text.contains("upstreams: { HOST: http://HOST:PORT }"))
    #expect(!outcome.text.contains(".build/checkouts"))
    try run(
      text.replacing(
        "\"127.0.0.1:\(backends.plainPort)", with: "\"http://127.0.0.1:\(backends.plainPort)")
    )
    .expectExit(1)
  }

  @Test("A replay that is asked for more than was recorded fails")
  func replayOfTooMuch() throws {
    let url = "http://api.example.com/counted"
    _ = try run(file(mode: "record", urls: url))

    let outcome = try run(file(mode: "offline", urls: "\(url) \(url)"))

    outcome.expectExit(1)
    #expect(outcome.output.contains("queue is empty"), "\(outcome.text)")
  }

  @Test("The same traffic leaves the same bytes, and secrets are in none of them")
  func stableAndRedacted() throws {
    let text = file(
      mode: "record", urls: "http://api.example.com/session?api_key=secret-in-query")

    _ = try run(text)
    let first = try #require(backends.text("__recordings__/asks.yaml"))
    _ = try run(text)

    #expect(first == backends.text("__recordings__/asks.yaml"))
    #expect(!first.contains("secret"), "\(first)")
    #expect(first.contains("id: 7"))
    #expect(first.contains("a=REDACTED; Path=/"))
  }

  @Test("A case that fails leaves its recording as it was, and lays beside what it heard")
  func failedRecording() throws {
    _ = try run(file(mode: "record", urls: "http://api.example.com/counted"))
    let first = backends.text("__recordings__/asks.yaml")

    let outcome = try run(
      file(
        mode: "record", urls: "http://api.example.com/counted http://api.example.com/chunks",
        rest: "expect: { exit: 9 }"))

    outcome.expectExit(1)
    #expect(backends.text("__recordings__/asks.yaml") == first)
    #expect(backends.text("__recordings__/asks.partial.yaml")?.contains("/chunks") == true)
    #expect(outcome.text.contains("asks.partial.yaml"))

    let again = try run(file(mode: "record", urls: "http://api.example.com/counted"))

    again.expectExit(0)
    #expect(backends.text("__recordings__/asks.partial.yaml") == nil)
    #expect(backends.text("__recordings__/asks.yaml") != nil)
  }

  @Test("A body that the host packs all the same is recorded unpacked, without its secrets")
  func packedBody() throws {
    let text = file(mode: "record", urls: "http://api.example.com/packed").replacing(
      "curl", with: "curl --compressed")
    let recorded = try run(text)
    let recording = try #require(backends.text("__recordings__/asks.yaml"))
    let replayed = try run(text, ["--network", "offline"])

    recorded.expectExit(0)
    replayed.expectExit(0)
    #expect(recording.contains("packed: true"), "\(recording)")
    #expect(recording.contains("token: REDACTED"))
    #expect(!recording.contains("content-encoding"))
  }

  @Test("An archive holds no secret of packed bodies and of texts either")
  func archiveOfTexts() throws {
    let urls = "http://api.example.com/packed http://api.example.com/xml"
    let text = file(mode: "spy", urls: urls).replacing("curl", with: "curl --compressed")

    let outcome = try run(text, ["--report", "har=\(backends.folder)/run.har"])
    let archive = try #require(backends.text("run.har"))

    outcome.expectExit(0)
    #expect(archive.contains("packed"), "\(archive)")
    #expect(archive.contains("<xml>true"), "\(archive)")
    #expect(!archive.contains("secret"), "\(archive)")
  }

  @Test("The command line's mode leaves the words of a file right that lets some hosts out")
  func offlineWithLiveQueues() throws {
    let text = """
      version: 2
      network: { hosts: { api.example.com: spy } }
      responses:
        - { request: GET http://api.example.com/a, reply: [{ text: a }], then: live }
      target: { command: [curl, --silent, "http://api.example.com/a"] }
      expect: { stdout: a }

      """

    let outcome = try run(text, ["--network", "offline"])

    outcome.expectExit(0)
  }

  @Test("Another scenario's recording is not overwritten")
  func otherRecording() throws {
    let text = file(mode: "record", urls: "http://api.example.com/counted")
    _ = try run(text)
    let path = try backends.scenario(text, named: "other.yaml")

    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(3)
    #expect(outcome.text.contains("is the recording of another scenario"), "\(outcome.text)")
  }

  @Test("A recording takes the place neither of a file by hand nor of one of another folder")
  func keptFiles() throws {
    let text = file(mode: "record", urls: "http://api.example.com/counted")
    _ = try BuiltRunner.command(
      ["mkdir", "-p", "\(backends.folder)/__recordings__", "\(backends.folder)/b"])
    _ = try backends.scenario("responses: []\n", named: "__recordings__/asks.yaml")
    let byHand = try run(text)
    byHand.expectExit(3)
    #expect(byHand.text.contains("asks.yaml\" is no recording"), "\(byHand.text)")
    #expect(backends.text("__recordings__/asks.yaml") == "responses: []\n")

    let shared = file(
      mode: "record", urls: "http://api.example.com/counted",
      network: "recording: \(backends.folder)/shared.yaml")
    try run(shared).expectExit(0)
    try run(shared).expectExit(0)
    let first = backends.text("shared.yaml")
    let path = try backends.scenario(shared, named: "b/backend.yaml")
    let other = try BuiltRunner.run(["run", path])
    other.expectExit(3)
    #expect(other.text.contains("another scenario: asks (./backend.yaml)"), "\(other.text)")
    #expect(other.text.contains("rm \(backends.folder)/shared.yaml"), "\(other.text)")
    #expect(first != nil && backends.text("shared.yaml") == first)
  }

  // MARK: - Real hosts

  @Test("A host whose certificate the runner does not trust is not asked")
  func untrusted() throws {
    let outcome = try run(
      file(
        mode: "spy", urls: "https://api.example.com/counted",
        rest: "expect: { stdout: { not: { contains: ' 0' } } }"), trusts: false)

    outcome.expectExit(0)
    #expect(outcome.text.contains("TLS failed"))
  }

  @Test("A spy's own responses come first, and the real host answers the rest")
  func spy() throws {
    let outcome = try run(
      file(
        mode: "spy", urls: "http://api.example.com/mine http://api.example.com/chunks",
        rest: """
          responses: [ { GET http://api.example.com/mine: { text: mine } } ]
          expect: { stdout: "mine 0\\none,two,three 0\\n", requests: [ { request: GET /chunks, count: 1 } ] }
          """))

    outcome.expectExit(0)
    #expect(backends.text("__recordings__/asks.yaml") == nil)
    // What the mock server asks for the target's sake leaves the machine as well as what the target asks.
    #expect(
      outcome.output.contains(
        "1 address reached for real: api.example.com at 127.0.0.1:\(backends.plainPort)"),
      "\(outcome.text)")
  }

  @Test(
    "Requests that the real host answers are compared with their document",
    arguments: ["spy", "record"])
  func described(mode: String) throws {
    _ = try backends.scenario(
      """
      openapi: 3.1.0
      servers: [{ url: http://api.example.com }]
      paths: { /counted: { get: { parameters: [{ name: n, in: query, required: true }] } } }

      """, named: "api.yaml")

    let wrong = try run(
      file(mode: mode, urls: "http://api.example.com/counted", network: "openapi: api.yaml"))
    let right = try run(
      file(mode: mode, urls: "http://api.example.com/counted?n=1", network: "openapi: api.yaml"))

    wrong.expectExit(1)
    #expect(wrong.text.contains("query parameter \"n\" is missing"), "\(wrong.text)")
    #expect(right.exitCode == 0, "\(right.text)")
  }

  @Test("Offline, the same request is no one's")
  func offline() throws {
    let outcome = try run(file(mode: "offline", urls: "http://api.example.com/chunks"))

    outcome.expectExit(1)
    #expect(outcome.output.contains("no response for GET http://api.example.com/chunks"))
    #expect(outcome.output.contains("0 addresses reached for real"), "\(outcome.text)")
  }

  @Test("Virtual time stands still while a real host thinks")
  func timeStandsStill() throws {
    let text = file(
      mode: "spy", urls: "http://api.example.com/slow",
      rest: "expect: { duration: 0s, stdout: \"late 0\\n\" }")

    let outcome = try run(text.replacing("curl --silent", with: "curl --max-time 0.2 --silent"))

    outcome.expectExit(0)
  }

  @Test("Nobody there, and one who leaves without a word, are what the client meets")
  func faults() throws {
    let outcome = try run(
      file(
        mode: "record", urls: "http://dead.example.com/ http://api.example.com/vanish",
        network: "  \"dead.example.com\": \"127.0.0.1:1\"",
        rest: "expect: { stdout: { matches: '^ 7\\n 52\\n$' } }"))

    outcome.expectExit(0)
    let recording = backends.text("__recordings__/asks.yaml")
    #expect(recording?.contains("- host: dead.example.com:80\n    fault: refuse") == true)
    #expect(recording?.contains("- fault: empty") == true, "\(recording ?? "none")")
  }

  @Test("Headers of one hop stay on their hop")
  func hopHeaders() throws {
    let outcome = try run(
      file(
        mode: "spy", urls: "http://api.example.com/hop",
        rest: "expect: { stdout: { contains: x-kept, not: { matches: 'x-private|keep-alive' } } }"
      ).replacing(
        "curl --silent",
        with:
          "curl -i -H 'Connection: keep-alive, x-mine' -H 'X-Mine: 1' -H 'TE: trailers' --silent"
      ).replacing(
        "not: { matches: 'x-private|keep-alive' }", with: "not: { matches: 'x-private|x-mine' }"))

    outcome.expectExit(0)
  }

  @Test(
    "Letters that no URL may have reach the real host as the client sent them, and are replayed")
  func rawLetters() throws {
    let text = file(
      mode: "record", urls: "'http://api.example.com/target?q={a|b}^'",
      rest: "expect: { stdout: { contains: '/target?q={a|b}^ 0' } }"
    ).replacing("curl --silent", with: "curl --globoff --silent")

    let recorded = try run(text)
    let replayed = try run(
      text.replacing("127.0.0.1:\(backends.plainPort)", with: "127.0.0.1:1"),
      ["--network", "offline"])
    let other = try run(text.replacing("{a|b}", with: "{a|c}"), ["--network", "offline"])

    recorded.expectExit(0)
    replayed.expectExit(0)
    other.expectExit(1)
  }

  // MARK: - Hosts

  @Test("Each host has the mode of the first pattern that fits it")
  func hosts() throws {
    let outcome = try run(
      file(
        mode: "offline", urls: "http://api.example.com/chunks http://mine.test/",
        network: "hosts: { api.example.com: record, \"*.test\": offline }",
        rest: """
          responses: [ { GET http://mine.test/: { text: mine } } ]
          expect: { stdout: "one,two,three 0\\nmine 0\\n" }
          """))

    outcome.expectExit(0)
    #expect(backends.text("__recordings__/asks.yaml")?.contains("/chunks") == true)
  }

  @Test("A live host is reached through TLS of its own, and nothing of it is seen")
  func liveHost() throws {
    let text = file(
      mode: "offline", urls: "https://api.example.com/chunks",
      network: "hosts: { api.example.com: live }",
      rest: "expect: { stdout: \"one,two,three 0\\n\" }"
    ).replacing("at: 2026-03-01T09:00:00Z, ", with: "")

    let trusting = try run(
      text.replacing("curl --silent", with: "curl --cacert \(backends.authorityPath) --silent"))
    let doubting = try run(text)

    trusting.expectExit(0)
    doubting.expectExit(1)
    #expect(doubting.output.contains("60"), "\(doubting.text)")
  }

  // MARK: - Archives

  @Test("The archive that a run writes answers another run, and holds no secret")
  func archive() throws {
    let archive = "\(backends.folder)/run.har"
    let first = try run(
      file(
        mode: "spy",
        urls: "http://api.example.com/chunks http://api.example.com/session?token=secret-q "
          + "http://mine.test/",
        rest: """
          responses: [ { GET http://mine.test/: { headers: { x-api-key: secret-k }, json: { a: 1 } } } ]
          """), ["--report", "har=\(archive)"])
    let text = try #require(TemporaryFolder.read(archive))
    let second = try run(
      file(
        mode: "offline",
        urls:
          "http://mine.test/ http://api.example.com/session?token=x http://api.example.com/chunks",
        network: "import: [run.har]",
        rest:
          "expect: { stdout: { all_of: [ { contains: 'one,two,three 0' }, { contains: '\"id\":7' } ] } }"
      ).replacing("?token=x", with: "?token=REDACTED"))

    first.expectExit(0)
    #expect(text.contains("\"startedDateTime\":\"2026-03-01T09:00:00"))
    #expect(!text.contains("secret"), "\(text)")
    second.expectExit(0)
  }

  // MARK: - Mistakes

  @Test(
    "What is no mode, host or place is refused where it stands",
    arguments: [
      ("mode: recrod", "unknown value \"recrod\"", "did you mean \"record\"?"),
      ("hosts: { 'https://a.test': live }", "\"https://a.test\" is not a host", "without scheme"),
      ("hosts: { 'a.test:80': live }", "\"a.test:80\" is not a host", "remove the port"),
      ("hosts: { a.test: lively }", "unknown value \"lively\"", "live"),
      ("upstreams: { a.test: 127.0.0.1 }", "\"127.0.0.1\" is not a host with a port", "HOST:PORT"),
      ("upstreams: { a.test: http://b/c }", "\"http://b/c\" is not a host with a port", "http://"),
      ("import: [nowhere.har]", "nowhere.har\" cannot be read", "scenario file's folder"),
      ("recrd: 1", "unknown key \"recrd\"", ""),
    ])
  func mistakes(network: String, message: String, help: String) throws {
    let path = try backends.scenario(
      "version: 2\ntarget: { command: [\"true\"] }\nnetwork: { \(network) }\n")

    let outcome = try BuiltRunner.run(["check", path])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains(message), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains(help), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("backend.yaml:3:"))
  }

  @Test("A mistake in an imported file is shown with its own line")
  func importedMistake() throws {
    _ = try backends.scenario(
      "[\n  { \"identifier\": \"https://a.test/\", \"mock\": { \"status\": 1 } }\n]\n",
      named: "d.json")
    let path = try backends.scenario(
      "version: 2\ntarget: { command: [\"true\"] }\nnetwork: { import: [d.json] }\n")

    let outcome = try BuiltRunner.run(["check", path])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("d.json:2:"), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("\"mock\": { \"status\": 1 }"))
  }

  @Test("Own responses are asked before imported ones, and each of those answers once")
  func importedQueue() throws {
    _ = try backends.scenario(
      """
      [ {"identifier": "http://a.test/x", "mock": {"json": {"n": 1}}},
        {"identifier": "http://a.test/x", "mock": {"json": {"n": 2}}},
        {"identifier": "http://a.test/y", "mock": {"json": {"n": 3}}} ]
      """, named: "d.json")

    let text = file(
      mode: "offline", urls: "http://a.test/x http://a.test/x http://a.test/y http://a.test/y",
      network: "import: [d.json]",
      rest: """
        responses: [ { request: GET http://a.test/y, reply: { text: own } } ]
        expect: { stdout: "{\\"n\\":1} 0\\n{\\"n\\":2} 0\\nown 0\\n{\\"n\\":3} 0" }
        """)
    let outcome = try run(text)
    let once = try run(
      text.replacing("x http://a.test/x", with: "x").replacing("{\\\"n\\\":2} 0\\n", with: ""))

    outcome.expectExit(0)
    once.expectExit(1)
    #expect(once.output.contains("d.json:2:"), "\(once.text)")
  }
}
