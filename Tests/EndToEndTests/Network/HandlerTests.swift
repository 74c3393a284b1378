import Testing

@Suite("Targets that answer requests")
struct HandlerTests {
  /// Answers each request by its path.
  private static let app = [
    "import base64, hashlib, http.server, os, socket, sys, time",
    "if sys.argv[1] == 'client':",
    "    line = socket.create_connection(('api.test', 80))",
    "    line.sendall(b'GET /socket HTTP/1.1\\r\\nHost: api.test\\r\\nConnection: Upgrade\\r\\n'",
    "        b'Upgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n'",
    "        b'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n')",
    "    data = b''",
    "    while not data.endswith(b'hello\\x88\\x00'): data += line.recv(99) or sys.exit(1)",
    "    accepted = b's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' in data",
    "    print(data[9:12].decode(), accepted, time.strftime('%T'))",
    "    sys.exit()",
    "class App(http.server.BaseHTTPRequestHandler):",
    "    protocol_version = 'HTTP/1.1'",
    "    def do_GET(self):",
    "        name = self.path.split('/')[-1]",
    "        if name == 'slow': time.sleep(5)",
    "        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))",
    "        if name == 'late': time.sleep(10)",
    "        if name == 'die': os._exit(3)",
    "        if name == 'nonsense': return self.wfile.write(b'hello\\r\\n\\r\\n')",
    "        if name == 'broken':",
    "            return self.wfile.write(b'HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nhalf')",
    "        if name == 'events':",
    "            self.wfile.write(b'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n')",
    "            self.close_connection = True",
    "            for number in range(3):",
    "                self.wfile.write(b'2\\r\\n%d\\n\\r\\n' % number)",
    "                time.sleep(60)",
    "            return self.wfile.write(b'0\\r\\n\\r\\n')",
    "        if name == 'socket':",
    "            key = self.headers['Sec-WebSocket-Key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'",
    "            self.send_response(101)",
    "            self.send_header('Upgrade', 'websocket')",
    "            self.send_header('Connection', 'Upgrade')",
    "            self.send_header('Sec-WebSocket-Accept',",
    "                base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())",
    "            self.end_headers()",
    "            time.sleep(60)",
    "            return self.wfile.write(b'\\x81\\x05hello\\x88\\x00')",
    "        if name == 'long': text = b'x' * 10_000_000",
    "        elif name in ('length', 'slow'): text = b'%d' % len(body)",
    "        else:",
    "            said = self.headers['Host'] + ' ' + self.headers.get('X-Forwarded-Proto', '-')",
    "            cookies = ','.join(self.headers.get_all('Cookie', []))",
    "            text = f'{self.command} {self.path} {said} {cookies} {body.decode()}'.encode()",
    "        self.send_response(201)",
    "        self.send_header('X-App', name)",
    "        self.send_header('Content-Length', str(len(text)))",
    "        self.end_headers()",
    "        if self.command != 'HEAD': self.wfile.write(text)",
    "    do_POST = do_HEAD = do_GET",
    "    def log_message(self, *arguments): pass",
    "http.server.ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), App).serve_forever()",
  ]

  private func scenario(
    _ client: String, handler: String = "app", port: UInt16? = nil, entry: String? = nil,
    network: String = "offline", start: String = "{ start: app }, ", expect: String
  ) -> String {
    let script = Self.app.map { "          " + $0 }.joined(separator: "\n")
    return """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      network: { \(network == "offline" ? "mode: offline" : network) }
      targets:
        app:
          \(port == nil ? "host: app.test" : "env: { A: b }")
          command: [python3, -u, app.py, '\(port == nil ? "" : "127.0.0.1")', '\(port ?? 8000)']
          ready: { port: \(port ?? 8000) }
          files:
            app.py:
              text: |
      \(script)
        client: { command: [sh, -c, '\(client)'] }
      responses:
        \(entry ?? "- request: { url: \"https://api.test/**\" }\n    reply: { handler: \(handler) }\n    then: repeat")
      steps: [ \(start){ run: client } ]
      expect: { \(expect) }

      """
  }

  private func run(_ text: String, _ command: String = "run") throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "handlers.yaml")
    let outcome = try BuiltRunner.run([command, path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private func output(_ text: String) -> String {
    "targets: { client: { exit: 0, stdout: \"\(text)\" } }"
  }

  @Test(
    "A target answers requests for any host, by its status, headers and body",
    arguments: [
      ("--http1.1", true, "app"), ("--http2", true, "{ target: app, port: 8000 }"),
      ("--http2", false, "app"),
    ])
  func answers(version: String, host: Bool, handler: String) throws {
    let client = """
      curl --silent \(version) --write-out " %{http_code} %header{x-app}" --cookie "a=1; b=2" \
      --data hi https://api.test/v1/orders
      """
    // Whoever is no host shares the ports of the machine.
    let port = host ? nil : try RealBackends.freePort()
    func text(_ status: Int) -> String {
      scenario(
        client, handler: handler, port: port,
        expect: output("POST /v1/orders api.test https a=1; b=2 hi \(status) orders"))
    }

    let outcome = try run(text(201))
    outcome.expectExit(0)
    try run(text(200)).expectExit(1)
  }

  @Test("The time that a target takes is the client's, and a head has no body")
  func time() throws {
    let client = """
      curl --silent --head --write-out "%{http_code} %{size_download}" --output /dev/null \
      https://api.test/late; date +" %T"
      """
    let outcome = try run(scenario(client, expect: output("201 0 09:00:10\\n")))
    outcome.expectExit(0)
    try run(scenario(client, expect: output("201 0 09:00:00\\n"))).expectExit(1)
  }

  @Test("Long bodies pass in both directions, for many clients at once")
  func longBodies() throws {
    let client = """
      head -c 100000 /dev/zero > body; head -c 10000000 /dev/zero > long; \
      for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \
      curl --silent --data-binary @body https://api.test/length > length.$number & done; \
      curl --silent --data-binary @long https://api.test/length; \
      curl --silent https://api.test/long | wc -c; wait; cat length.* | fold -w 6 | sort -u
      """
    let outcome = try run(scenario(client, expect: output("1000000010000000\\n100000")))
    outcome.expectExit(0)
  }

  @Test("A target may let time pass before it reads a long body")
  func slowReader() throws {
    let client =
      "head -c 10000000 /dev/zero | curl --silent --data-binary @- https://api.test/slow; date +\" %T\""
    let outcome = try run(scenario(client, expect: output("10000000 09:00:05\\n")))
    outcome.expectExit(0)
  }

  @Test("Pieces of a body and messages of a WebSocket come when the target sends them")
  func streams() throws {
    let client = """
      curl --silent --no-buffer https://api.test/events \
      | while read -r line; do echo "$line $(date +%T)"; done; date +%T
      """
    let outcome = try run(
      scenario(client, expect: output("0 09:00:00\\n1 09:01:00\\n2 09:02:00\\n09:03:00\\n")))
    outcome.expectExit(0)

    let spoken = try run(
      scenario(
        "python3 app.py client", entry: "- GET http://api.test/socket: { handler: app }",
        expect: output("101 True 09:01:00\\n")))
    spoken.expectExit(0)
  }

  @Test("A target may answer what no entry does, and a reply of a queue")
  func elsewhere() throws {
    let client =
      "for i in 1 2; do curl --silent --write-out \" %{http_code};\" http://b.test/x; done"
    let unmatched = scenario(
      client, entry: "[]", network: "unmatched: { handler: app }",
      expect: output("GET /x b.test http   201;GET /x b.test http   201;"))
    let outcome = try run(unmatched)
    outcome.expectExit(0)

    let queue = scenario(
      client,
      entry: "- request: GET http://b.test/x\n    reply: [ { status: 503 }, { handler: app } ]",
      expect: output(" 503;GET /x b.test http   201;"))
    let second = try run(queue)
    second.expectExit(0)
  }

  @Test(
    "A target that gives no answer fails the case, which names it",
    arguments: [
      ("die", "app", "{ start: app }, ", "502", "gave no answer: the connection was"),
      ("nonsense", "app", "{ start: app }, ", "502", "gave no answer: the answer is not HTTP/1"),
      ("broken", "app", "{ start: app }, ", "200", "broke off: the connection was closed"),
      (
        "late", "{ target: app, within: 5s }", "{ start: app }, ", "504",
        "gave no answer: no answer came within 5s"
      ),
      ("any", "app", "", "502", "gave no answer: no process of it listens at port 8000"),
    ])
  func noAnswer(path: String, handler: String, start: String, status: String, reason: String) throws
  {
    let client =
      "curl --silent --output /dev/null --write-out \"%{http_code}\" https://api.test/\(path); true"
    let outcome = try run(
      scenario(
        client, handler: handler, start: start,
        expect: "targets: { client: { stdout: \"\(status)\" } }"))

    outcome.expectExit(1)
    #expect(outcome.output.contains("the handler \"app\" \(reason)"), "\(outcome.text)")
  }

  @Test(
    "A target that gives no answer fails nothing where that is asked",
    arguments: ["warn", "ignore"])
  func unanswered(word: String) throws {
    let outcome = try run(
      scenario(
        "curl --silent --output /dev/null --write-out %{http_code} https://api.test/nonsense",
        handler: "{ target: app, unanswered: \(word) }", expect: output("502")))

    outcome.expectExit(0)
    #expect(outcome.output.contains("gave no answer") == (word == "warn"), "\(outcome.text)")
  }

  @Test(
    "A client that leaves before the target has answered, and one that the end of the case finds waiting, fail nothing",
    arguments: [
      ("curl --silent --http1.1 --max-time 2 https://api.test/late; test $? = 28", "run: client"),
      ("curl --silent --http2 --max-time 2 https://api.test/late; test $? = 28", "run: client"),
      ("curl --silent https://api.test/late", "start: client"),
    ])
  func impatient(client: String, step: String) throws {
    let text = scenario(client, expect: "requests: [ { request: { path: /late }, count: 1 } ]")
    let outcome = try run(text.replacing("run: client", with: step))
    outcome.expectExit(0)
  }

  @Test("A client that leaves while the reply is held back takes the target's connection with it")
  func leavesLate() throws {
    let client = "curl --silent --max-time 2 https://api.test/events; test $? = 28; sleep 1h"
    let text = scenario(
      client, entry: "- GET https://api.test/events: { handler: app, after: 30s }",
      expect: "targets: { client: { exit: 0 }, app: { stderr: { contains: Error } } }")
    let outcome = try run(text)
    outcome.expectExit(0)
  }

  @Test("A target that accepts no more connections for a while gets them later")
  func fullQueue() throws {
    let client = """
      for number in 1 2 3 4 5 6 7 8 9 10; do \
      curl --silent --output /dev/null --write-out "%{http_code} " https://api.test/late & done; wait
      """
    let text = scenario(
      client, handler: "{ target: app, within: 10m }",
      expect: output(String(repeating: "201 ", count: 10)))
    let outcome = try run(
      text.replacing("ThreadingHTTPServer(", with: "HTTPServer(").replacing(
        "HTTP/1.1'", with: "HTTP/1.0'"))
    outcome.expectExit(0)
    #expect(outcome.output.contains("1m40s virtual"), "\(outcome.text)")
  }

  @Test(
    "What cannot be is an error with its place",
    arguments: [
      ("other", "unknown target \"other\" in \"handler\""),
      ("{ target: client }", "the port of \"client\" is unknown"),
      ("{ target: app, port: 70000 }", "\"70000\" is not a port"),
      ("{ port: 80 }", "names nobody who answers"),
      ("app, status: 200", "\"status\" cannot be combined with \"handler\""),
      ("app, text: hi", "cannot be combined with"),
    ])
  func mistakes(handler: String, message: String) throws {
    let outcome = try run(scenario("true", handler: handler, expect: output("")), "check")
    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
    #expect(outcome.text.contains("handlers.yaml:"), "\(outcome.text)")
  }
}
