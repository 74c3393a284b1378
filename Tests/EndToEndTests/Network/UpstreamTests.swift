import Glibc
import Testing

/// Real hosts that speak more than plain HTTP: seen, recorded, and replayed.
@Suite("Upstreams", .enabled(if: access("\(BuiltRunner.root)/.build/python/bin/python", X_OK) == 0))
struct UpstreamTests {
  private static let python = "\(BuiltRunner.root)/.build/python/bin/python"

  private let backends: RealBackends

  init() throws {
    backends = try RealBackends()
  }

  /// Clients in Python may take minutes to start where others have the processor.
  private static let patience = ["--timeout", "10m"]

  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let path = try backends.scenario(text)
    return try BuiltRunner.run(
      ["run", path] + Self.patience + options,
      prefix: ["/usr/bin/env", "SSL_CERT_FILE=\(backends.authorityPath)"])
  }

  /// A file whose target is a program of Python's.
  private func file(
    _ program: String, mode: String, upstreams: [String: UInt16], rest: String = ""
  ) -> String {
    let lines = program.split(separator: "\n").map { "      \($0)\n" }.joined()
    let places = upstreams.map { "    \"\($0)\": \"127.0.0.1:\($1)\"\n" }.joined()
    return "version: 2\nname: talks\nnetwork:\n  mode: \(mode)\n  upstreams:\n\(places)"
      + "clock: { at: 2026-03-01T09:00:00Z, flow: auto }\n"
      + "target:\n  command: [\(Self.python), client.py]\n  files:\n    client.py: |\n\(lines)"
      + rest + "\n"
  }

  /// What the target printed, as the report has it.
  private func output(_ outcome: BuiltRunner.Outcome, _ expected: String) -> String {
    "expect: { stdout: \(expected) }"
  }

  // MARK: - WebSocket

  private static func chat(_ url: String, _ rest: String = "") -> String {
    """
    import asyncio, aiohttp
    async def main():
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect("\(url)", protocols=["chat.v1", "chat.v2"],
                    headers={"x-user": "ada"}, autoping=False, autoclose=False) as socket:
                print(socket.protocol)
                async def hear():
                    message = await socket.receive()
                    print(message.type.name, message.data, message.extra)
                await hear()
                for said in ["one", "fragments"]:
                    await socket.send_str(said)
                    await hear()
                    if said == "fragments": await hear()
                await socket.send_bytes(b"\\x00\\x01\\xff")
                await hear()
                await socket.send_str("ping")
                await hear()
                await socket.pong(b"are you there")
    \(rest.split(separator: "\n").map { "            " + $0 + "\n" }.joined())
    asyncio.run(main())
    """
  }

  private static let said = [
    "chat.v2", "TEXT welcome ada", "TEXT you said one", "PING b''", "TEXT onetwothree",
    #"BINARY b'\xff\x01\x00'"#, "PING b'are you there'",
  ]

  private static func expectation(_ lines: [String]) -> String {
    "expect: { stdout: { all_of: ["
      + lines.map { "{ contains: '\($0.replacing("'", with: "''"))' }" }.joined(separator: ", ")
      + "] } }"
  }

  @Test(
    "A WebSocket goes through to the real host and back, and its recording replays the same",
    arguments: ["ws", "wss"])
  func webSocket(scheme: String) throws {
    let isSecure = scheme == "wss"
    let port = try backends.startPython(
      Backends.webSocket, named: "chat", isSecure ? [backends.folder] : [])
    let goodbye = "await socket.send_str(\"bye\")\nawait hear()\nawait socket.close()"
    let text = file(
      Self.chat("\(scheme)://api.example.com/chat", goodbye), mode: "record",
      upstreams: ["api.example.com:\(isSecure ? 443 : 80)": port],
      rest: Self.expectation(Self.said + ["CLOSE 4001 enough"]))

    let spied = try run(text.replacing("mode: record", with: "mode: spy"))
    let recorded = try run(text)
    let recording = backends.text("__recordings__/talks.yaml") ?? ""
    let replayed = try run(
      text.replacing("127.0.0.1:\(port)", with: "127.0.0.1:1"), ["--network", "offline"])

    spied.expectExit(0)
    recorded.expectExit(0)
    #expect(recording.contains("- expect:\n              equals: one"), "\(recording)")
    #expect(recording.contains("sec-websocket-protocol: chat.v2"), "\(recording)")
    #expect(recording.contains("code: 4001"), "\(recording)")
    #expect(replayed.exitCode == 0, "\(replayed.text)\n\(recording)")
  }

  @Test(
    "A host that is written with a scheme is asked with TLS or without, whatever the client speaks",
    arguments: [
      ("https", "http", true), ("http", "http", true), ("http", "https", true),
      ("https", "https", true), ("https", nil, false),
    ])
  func schemes(client: String, scheme: String?, isAnswered: Bool) throws {
    let port = scheme == "https" ? backends.securePort : backends.plainPort
    let place = scheme.map { "\($0)://" } ?? ""
    let outcome = try run(
      """
      version: 2
      network: { mode: spy, upstreams: { api.example.com: "\(place)127.0.0.1:\(port)" } }
      target: { command: [curl, -sf, -o, /dev/null, "\(client)://api.example.com/chunks"] }
      expect: { exit: 0 }

      """)

    #expect((outcome.exitCode == 0) == isAnswered, "\(outcome.text)")
  }

  @Test(
    "Of pieces of a real host's reply, in which a secret may be cut in two, reports tell the length alone"
  )
  func pieces() throws {
    let port = try backends.startPython(Backends.pieces, named: "pieces")
    let text = """
      version: 2
      network: { mode: spy, upstreams: { api.example.com: "127.0.0.1:\(port)" } }
      target: { command: [curl, -s, -o, reply.json, "http://api.example.com/"] }
      expect: { exit: 0, files: { reply.json: { json: { $.token: sesame-open-now } } } }

      """
    let report = "\(backends.folder)/pieces.jsonl"
    let outcome = try run(text, ["--report", "jsonl=\(report)"])
    let stream = try #require(TemporaryFolder.read(report))
    let messages = stream.split(separator: "\n").filter { $0.contains("\"event\":\"message\"") }

    outcome.expectExit(0)
    #expect(messages.count == 2 && messages[0].contains("\"byteCount\":18"), "\(messages)")
    #expect(messages.allSatisfy { $0.contains("\"text\":\"\"") }, "\(messages)")
    // What is expected of the file stands in the plan.
    #expect(messages.allSatisfy { !$0.contains("sesame") && !$0.contains("open-now") })
  }

  @Test("A replayed WebSocket whose client says something else fails")
  func otherWords() throws {
    let port = try backends.startPython(Backends.webSocket, named: "chat")
    let text = file(
      Self.chat("ws://api.example.com/chat", "await socket.close()"), mode: "record",
      upstreams: ["api.example.com:80": port])
    _ = try run(text)

    let outcome = try run(text.replacing("\"one\"", with: "\"two\""), ["--network", "offline"])
    let more = try run(
      text.replacing(
        "await socket.close()", with: "await socket.send_str(\"more\"); await socket.close()"),
      ["--network", "offline"])

    outcome.expectExit(1)
    #expect(outcome.output.contains("did not go as the scenario expects"), "\(outcome.text)")
    more.expectExit(1)
    #expect(
      more.output.contains("expected the end of the client's messages, got the message \"more\""),
      "\(more.text)")
  }

  @Test("A refused handshake, and a host that vanishes, are what the client meets, twice")
  func brokenSockets() throws {
    let port = try backends.startPython(Backends.webSocket, named: "chat")
    let program = """
      import asyncio, aiohttp
      async def main():
          async with aiohttp.ClientSession() as session:
              try:
                  await session.ws_connect("ws://api.example.com/chat?no=1")
              except aiohttp.WSServerHandshakeError as error:
                  print("refused", error.status)
              async with session.ws_connect("ws://api.example.com/chat") as socket:
                  print((await socket.receive()).data)
                  await socket.send_str("vanish")
                  print("then", (await socket.receive()).type.name, socket.close_code)
      asyncio.run(main())
      """
    let text = file(
      program, mode: "record", upstreams: ["api.example.com:80": port],
      rest: Self.expectation(["refused 403", "welcome nobody", "then CLOSED 1006"]))

    let recorded = try run(text)
    let recording = backends.text("__recordings__/talks.yaml") ?? ""
    let replayed = try run(text, ["--network", "offline"])

    #expect(recorded.exitCode == 0, "\(recorded.text)\n\(recording)")
    #expect(recording.contains("close: abrupt"), "\(recording)")
    #expect(replayed.exitCode == 0, "\(replayed.text)\n\(recording)")
  }

  // MARK: - gRPC

  private static func calls(_ rest: String, secure: Bool = false) -> String {
    let open =
      secure
      ? "grpc.secure_channel(\"198.51.100.7:443\", grpc.ssl_channel_credentials(), options=options)"
      : "grpc.insecure_channel(\"198.51.100.7:80\", options=options)"
    return """
      import grpc, queue
      options = [("grpc.default_authority", "api.example.com"), ("grpc.enable_http_proxy", 0),
          ("grpc.ssl_target_name_override", "api.example.com")]
      channel = \(open)
      same = lambda value: value
      words = queue.SimpleQueue()
      def outgoing():
          while (word := words.get()) is not None: yield word

      """ + rest
  }

  /// The client waits for each message before it sends its next.
  private static let talk = """
    call = channel.stream_stream("/shop.Cart/Talk", same, same)(outgoing(), timeout=60)
    print(next(call))
    for word in [b"one", b"two"]:
        words.put(word)
        print(next(call))
    words.put(None)
    print(list(call), call.code())
    """

  private static let all = """
    answer, state = channel.unary_unary("/shop.Cart/Add", same, same).with_call(b"abc", timeout=60)
    print(answer, state.code(), state.trailing_metadata())
    try:
        channel.unary_unary("/shop.Cart/Add", same, same)(b"bad", timeout=60)
    except grpc.RpcError as error:
        print(error.code(), error.details())
    print(list(channel.unary_stream("/shop.Cart/Watch", same, same)(b"w", timeout=60)))

    """

  @Test(
    "Calls of gRPC in every direction reach the real host, and their recording replays them",
    arguments: [false, true])
  func calls(secure: Bool) throws {
    let port = try backends.startPython(
      Backends.calls, named: "calls", secure ? [backends.folder] : [])
    let text = file(
      Self.calls(Self.all + Self.talk, secure: secure), mode: "record",
      upstreams: ["api.example.com:\(secure ? 443 : 80)": port],
      rest: Self.expectation([
        "b'ABC' StatusCode.OK", "x-cost", "StatusCode.NOT_FOUND 100 % gone",
        "[b'w0', b'w1', b'w2']", "b'welcome'", "b'you said one'", "b'you said two'",
        "[b'bye'] StatusCode.OK",
      ]))

    let spied = try run(text.replacing("mode: record", with: "mode: spy"))
    let recorded = try run(text)
    let recording = backends.text("__recordings__/talks.yaml") ?? ""
    let replayed = try run(text, ["--network", "offline"])

    spied.expectExit(0)
    recorded.expectExit(0)
    #expect(recording.contains("expect: end"), "\(recording)")
    #expect(recording.contains("status: NOT_FOUND"), "\(recording)")
    #expect(replayed.exitCode == 0, "\(replayed.text)\n\(recording)")
  }

  @Test(
    "A conversation of gRPC is written as a script, and a client that says something else fails",
    arguments: [("one", 0), ("other", 1)])
  func conversation(word: String, exitCode: Int32) throws {
    let text = file(
      Self.calls(Self.talk), mode: "offline", upstreams: ["api.example.com:80": 1],
      rest: """
        responses:
          - request: POST http://api.example.com/shop.Cart/Talk
            reply:
              grpc:
                messages:
                  - welcome
                  - expect: \(word)
                  - { after: 30s, text: first }
                  - expect: { base64: dHdv }
                  - second
                  - expect: end
        expect:
          duration: { between: [30s, 31s] }
          stdout: "b'welcome'\\nb'first'\\nb'second'\\n[] StatusCode.OK\\n"
        """)

    let outcome = try run(text)

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    if exitCode == 1 {
      #expect(outcome.output.contains("did not go as the scenario expects"), "\(outcome.text)")
      #expect(outcome.output.contains("backend.yaml:"), "\(outcome.text)")
    }
  }

  @Test(
    "What a conversation cannot be is refused where it stands",
    arguments: [
      ("{ messages: [ { expect: end, after: 1s } ] }", "\"expect\" cannot be combined with"),
      ("{ messages: [ { expekt: a } ] }", "did you mean \"expect\"?"),
      ("{ messages: [ { expect: a } ] }, times: 2", "conditions on its body"),
    ])
  func mistakes(grpc: String, message: String) throws {
    let path = try backends.scenario(
      "version: 2\ntarget: { command: [\"true\"] }\nresponses:\n"
        + "  - request: { url: 'http://a.test/', body: { contains: x } }\n"
        + "    reply: [ { grpc: \(grpc) } ]\n")

    let outcome = try BuiltRunner.run(["check", path])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains(message), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("backend.yaml:5:"), "\(outcome.errorOutput)")
  }

  // MARK: - GraphQL

  private static let schema =
    "type Query { user(id: Int): User, n: Int }\ntype User { id: Int, name: String }\n"

  private func graphQLBackend() throws -> UInt16 {
    try backends.startGraphQL(
      schema: Self.schema, data: #"{"user": {"id": 42, "name": "Ada"}, "n": 7}"#)
  }

  private static let asks = """
    import json, urllib.request
    def ask(body):
        request = urllib.request.Request("http://api.example.com/graphql", json.dumps(body).encode(),
            {"content-type": "application/json"})
        return json.load(urllib.request.urlopen(request))

    """

  @Test("GraphQL is recorded as operations with variables, and replays")
  func recordedOperations() throws {
    let port = try graphQLBackend()
    let text = file(
      Self.asks + """
        user = "query User($id: Int) { person: user(id: $id) { name } }"
        print(ask({"query": user, "variables": {"id": 42}}), ask({"query": user, "variables": {"id": 1}}))
        print(ask({"query": "{ n }"}), ask({"query": "query Broken { nope }"}))
        """, mode: "record", upstreams: ["api.example.com:80": port],
      rest: Self.expectation([
        "{'data': {'person': {'name': 'Ada'}}} {'data': {'person': {'name': 'Ada'}}}",
        "{'data': {'n': 7}}", "Cannot query field",
      ]))

    let recorded = try run(text, ["--report", "har=\(backends.folder)/run.har"])
    let recording = backends.text("__recordings__/talks.yaml") ?? ""
    let replayed = try run(
      text, ["--network", "offline", "--report", "har=\(backends.folder)/two.har"])

    recorded.expectExit(0)
    #expect(
      recording.contains("- query: User\n    url: http://api.example.com/graphql\n"), "\(recording)"
    )
    #expect(recording.contains("variables:\n      exact:\n        id: 42\n"), "\(recording)")
    #expect(recording.contains("data:\n          person:\n            name: Ada"), "\(recording)")
    #expect(replayed.exitCode == 0, "\(replayed.text)\n\(recording)")
    // What the mock server answers by itself stands in the archive as well.
    #expect(backends.text("two.har")?.contains("Ada") == true)
  }

  @Test(
    "Members of a batch that no entry answers go to the real host, and the answers keep their order"
  )
  func batch() throws {
    let port = try backends.startPython(Backends.batches, named: "batches")
    let text = file(
      Self.asks + """
        print([answer["data"] for answer in ask([{"query": "query A { a }"}, {"query": "query B { b }"},
            {"query": "query C { c }"}])])
        """, mode: "spy", upstreams: ["api.example.com:80": port],
      rest: """
        responses: [ { query: B, reply: { data: { b: mine } } } ]
        expect: { stdout: "[{'real': 'query A { a }'}, {'b': 'mine'}, {'real': 'query C { c }'}]" }
        """)

    let spied = try run(text)
    let offline = try run(text, ["--network", "offline"])

    spied.expectExit(0)
    offline.expectExit(1)
  }

  // MARK: - Failures

  @Test("A name without an address is one to the client, and again in the replay")
  func unknownName() throws {
    let text = file(
      """
      import socket
      try:
          socket.getaddrinfo("nobody.invalid", 80)
      except socket.gaierror as error:
          print(error.errno in (socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_NODATA))
      """, mode: "record", upstreams: ["api.example.com:80": 1],
      rest: "expect: { stdout: { contains: 'True' } }")

    let recorded = try run(text)
    let recording = backends.text("__recordings__/talks.yaml") ?? ""
    let replayed = try run(text, ["--network", "offline"])

    recorded.expectExit(0)
    #expect(recorded.text.contains("nobody.invalid"), "\(recorded.text)")
    #expect(recording.contains("- host: nobody.invalid\n    fault:\n      dns: "), "\(recording)")
    #expect(replayed.exitCode == 0, "\(replayed.text)\n\(recording)")
  }

  @Test(
    "A refused connection and an untrusted certificate are met as such, and again in the replay",
    arguments: [
      ("http", "URLError ConnectionRefusedError"), ("https", "URLError SSLCertVerificationError"),
    ])
  func refusals(scheme: String, error: String) throws {
    let isSecure = scheme == "https"
    let text = file(
      """
      import urllib.request, urllib.error
      try:
          urllib.request.urlopen("\(scheme)://api.example.com/")
      except urllib.error.URLError as error:
          print(type(error).__name__, type(error.reason).__name__)
      """, mode: "record",
      upstreams: ["api.example.com:\(isSecure ? 443 : 80)": isSecure ? backends.securePort : 1],
      rest: Self.expectation([error]))
    let path = try backends.scenario(text)

    // Without the authority of the tests' own.
    let recorded = try BuiltRunner.run(["run", path] + Self.patience)
    let recording = backends.text("__recordings__/talks.yaml") ?? ""
    let replayed = try BuiltRunner.run(["run", path, "--network", "offline"] + Self.patience)

    #expect(recorded.exitCode == 0, "\(recorded.text)\n\(recording)")
    #expect(recorded.text.contains("help: "), "\(recorded.text)")
    #expect(recording.contains("- host: api.example.com:"), "\(recording)")
    #expect(replayed.exitCode == 0, "\(replayed.text)\n\(recording)")
  }
}
