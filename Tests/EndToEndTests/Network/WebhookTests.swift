import Testing

@Suite("Webhooks behind replies")
struct WebhookTests {
  /// Answers each webhook with the status of its first argument, so many seconds later as the second says.
  private static let shop = [
    "import http.server, sys, time",
    "class Hook(http.server.BaseHTTPRequestHandler):",
    "    def do_POST(self):",
    "        body = self.rfile.read(int(self.headers['Content-Length'])).decode()",
    "        print(time.strftime('%T'), self.path, self.headers['Host'], body, flush=True)",
    "        time.sleep(float(sys.argv[2]))",
    "        self.send_response(int(sys.argv[1]))",
    "        self.end_headers()",
    "    do_PUT = do_POST",
    "    def log_message(self, *arguments): pass",
    "http.server.HTTPServer((sys.argv[3], 8000), Hook).serve_forever()",
  ]

  private func scenario(
    _ webhook: String, status: Int = 204, takes: String = "0", host: Bool = true,
    flow: String = "auto", reply: String = "text: ok", body: String = "{}", steps: String,
    expected: String? = nil
  ) -> String {
    let script = Self.shop.map { "          " + $0 }.joined(separator: "\n")
    let stdout = expected.map { "expect: { targets: { shop: { stdout: \"\($0)\" } } }" } ?? ""
    return """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: \(flow) }
      targets:
        shop:
          \(host ? "host: shop.test" : "env: { A: b }")
          command: [python3, -u, shop.py, '\(status)', '\(takes)', '\(host ? "" : "127.0.0.1")']
          ready: { port: 8000 }
          files:
            shop.py:
              text: |
      \(script)
        client: { command: [sh, -c, 'curl --silent http://pay.test/charges --json "$1"; true', sh, '\(body)'] }
      responses:
        - request: POST http://pay.test/charges
          reply:
            \(reply)
            webhooks: [ \(webhook) ]
      steps: [ \(steps) ]
      \(stdout)

      """
  }

  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "hooks.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let url = "url: \"http://shop.test:8000/paid\""

  @Test(
    "A webhook comes when it is due, wherever its target is, and whether time flows or is held",
    arguments: [
      ("auto", true, "5s", "wait: { stdout: paid }, target: shop", "09:00:05"),
      ("held", true, "0s", "tick: 1s", "09:00:00"), ("held", true, "5s", "tick: 5s", "09:00:05"),
      ("auto", true, "0s", "tick: 1s", "09:00:00"), ("auto", false, "2m", "tick: 2m", "09:02:00"),
    ])
  func due(flow: String, host: Bool, after: String, step: String, time: String) throws {
    let place = host ? "shop.test:8000" : "localhost:8000"
    func text(_ time: String) -> String {
      scenario(
        "{ request: { url: \"http://\(place)/paid\", body: hi }, after: \(after) }", host: host,
        flow: flow, steps: "{ start: shop }, { run: client }, { \(step) }",
        expected: "\(time) /paid \(place) hi\\n")
    }

    let outcome = try run(text(time))
    outcome.expectExit(0)
    try run(text("08:59:59")).expectExit(1)
  }

  @Test(
    "A webhook counts from when the reply is due, though that is a fault or its client has left")
  func behindReply() throws {
    for reply in ["after: 10s", "{ after: 10s, fault: reset }", "after: 10s, text: late"] {
      let parts = reply.filter { !"{}".contains($0) }.split(separator: ",").map(String.init)
      let outcome = try run(
        scenario(
          "{ request: { \(Self.url), json: { at: \"${{ clock.now }}\" } }, after: 5s }",
          reply: parts.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "\n      "),
          steps: "{ start: shop }, { run: client }, { tick: 6s }",
          expected: #"09:00:15 /paid shop.test:8000 {\"at\":\"2026-03-01T09:00:15Z\"}\n"#))
      outcome.expectExit(0)
    }
  }

  @Test("Retries come in times that double, and each is an event")
  func retries() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      scenario(
        "{ request: { \(Self.url) }, retries: { times: 2, after: 3s } }", status: 503,
        steps: "{ start: shop }, { run: client }, { tick: 20s }"), to: "hooks.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--report", "jsonl=\(folder.path)/r.jsonl"])
    let lines = (TemporaryFolder.read("\(folder.path)/r.jsonl") ?? "").split(separator: "\n")
      .filter { $0.contains("\"event\":\"webhookSent\"") }

    outcome.expectExit(1)
    #expect(
      outcome.text.contains(
        "the webhook POST http://shop.test:8000/paid of \"POST http://pay.test/charges\" was not accepted: status 503, in the last of 3 attempts"
      ), "\(outcome.text)")
    #expect(outcome.text.contains("hooks.yaml:27:19"), "\(outcome.text)")
    #expect(lines.count == 3)
    #expect(
      lines.map {
        $0.contains("\"retry\":3000000000") ? 3 : $0.contains("\"retry\":6000000000") ? 6 : 0
      }
        == [3, 6, 0])
    #expect(lines.allSatisfy { $0.contains("\"status\":503") })
    #expect(outcome.text.contains("webhook POST http://shop.test:8000/paid → 503, again in 6s"))
  }

  @Test("A target that comes up meanwhile takes a webhook that is sent again")
  func comesUp() throws {
    func text(_ retries: Int) -> String {
      scenario(
        "{ request: { \(Self.url), body: hi }, retries: \(retries) }",
        steps: "{ run: client }, { tick: 2s }, { start: shop }, { tick: 5s }",
        expected: "09:00:03 /paid shop.test:8000 hi\\n")
    }
    let outcome = try run(text(2))
    outcome.expectExit(0)
    let early = try run(text(1))
    early.expectExit(1)
    #expect(
      early.text.contains("was not accepted: no target listens at port 8000"), "\(early.text)")
  }

  @Test("Time goes on while an answer is awaited, up to a bound")
  func slow() throws {
    func text(_ within: String) -> String {
      scenario(
        "{ request: { \(Self.url) }, within: \(within) }", takes: "10",
        steps: "{ start: shop }, { run: client }, { tick: 15s }")
    }
    let patient = try run(text("11s"))
    patient.expectExit(0)
    let hasty = try run(text("9s"))
    hasty.expectExit(1)
    #expect(hasty.text.contains("was not accepted: no answer came within 9s"), "\(hasty.text)")
  }

  @Test(
    "A webhook that is not due before the end fails, unless that is said to mean less",
    arguments: [("fail", 1), ("warn", 0), ("ignore", 0)])
  func pending(meaning: String, exitCode: Int) throws {
    let outcome = try run(
      scenario(
        "{ request: { \(Self.url) }, after: 1h, unanswered: \(meaning) }",
        steps: "{ start: shop }, { run: client }"))
    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(
      outcome.text.contains("was not sent: it is due at +1h, but the case ended at +0s")
        == (meaning != "ignore"), "\(outcome.text)")
    #expect(outcome.text.contains("as with the step \"tick: 1h\"") == (meaning == "fail"))
  }

  @Test(
    "A webhook that no target takes is a warning, or nothing, where that is said",
    arguments: [("warn", true), ("ignore", false)])
  func tolerated(meaning: String, isTold: Bool) throws {
    let outcome = try run(
      scenario(
        "{ request: { \(Self.url) }, unanswered: \(meaning) }", status: 410,
        steps: "{ start: shop }, { run: client }, { tick: 1s }"))
    outcome.expectExit(0)
    #expect(outcome.text.contains("was not accepted: status 410") == isTold, "\(outcome.text)")
  }

  @Test(
    "What leads out of the case is a mistake before the run, and fails it where a request says so",
    arguments: [
      (
        "\"http://api.stripe.com/x\"", 2,
        "the webhook goes to \"api.stripe.com\", which is not a target of the case"
      ),
      (
        "\"${{ request.json.url }}\"", 2,
        "\"api.stripe.com\" is not a target of the case, and webhooks go only to targets"
      ),
    ])
  func outside(url: String, exitCode: Int, message: String) throws {
    let outcome = try run(
      scenario(
        "{ request: { url: \(url) }, unanswered: ignore, retries: 3 }",
        body: #"{"url":"http://api.stripe.com/x"}"#,
        steps: "{ start: shop }, { run: client }, { tick: 1s }"))
    #expect(outcome.exitCode != 0, "\(outcome.text)")
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("What a request lacks for its webhook fails the case, with the place")
  func broken() throws {
    let outcome = try run(
      scenario(
        "{ request: { url: \"${{ request.json.url }}\" }, unanswered: ignore }",
        steps: "{ start: shop }, { run: client }, { tick: 1s }"))
    #expect(outcome.exitCode != 0)
    #expect(
      outcome.text.contains(
        "the webhook POST ${{ request.json.url }} of \"POST http://pay.test/charges\" cannot be sent: \"request.json\" has no key \"url\""
      ), "\(outcome.text)")
  }

  @Test("Several webhooks come each in its time, and the same run comes twice")
  func several() throws {
    let text = scenario(
      """
      { request: { url: "http://shop.test:8000/b", body: b }, after: { uniform: { from: 1m, to: 2m } } },
              { request: { url: "http://shop.test:8000/a", method: PUT, body: a }, after: 30s },
              { request: { url: "http://shop.test:8000/c", body: c }, after: 30s }
      """, steps: "{ start: shop }, { run: client }, { tick: 3m }")
    let first = try run(text, ["--show-output", "all", "--seed", "3"])
    first.expectExit(0)
    let lines = first.text.split(separator: "\n").filter { $0.contains(" shop.test:8000 ") }
    #expect(lines.map { $0.last } == ["a", "c", "b"], "\(first.text)")
    let second = try run(text, ["--show-output", "all", "--seed", "3"])
    #expect(lines == second.text.split(separator: "\n").filter { $0.contains(" shop.test:8000 ") })
  }
}
