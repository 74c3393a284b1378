import Testing

@Suite("Targets that become ready")
struct ReadinessTests {
  private func run(_ text: String, _ command: String = "run") throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\n" + text, to: "ready.yaml")
    let outcome = try BuiltRunner.run([command, path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("What a server prints names its port, which another target uses")
  func capturedPort() throws {
    let text = """
      targets:
        api:
          command: [python3, -u, -m, http.server, "0", --bind, 127.0.0.1]
          files: { hello.txt: hello }
          ready: { stdout: 'port (?<port>\\d+)', http: / }
        client: { command: [curl, -sS, "http://127.0.0.1:${{ capture.port }}/hello.txt"] }
      steps:
        - start: api
        - run: client
          expect: { exit: 0, stdout: hello }

      """
    let outcome = try run(text)
    outcome.expectExit(0)

    let early = try run(text.replacing("  - start: api\n  - run: client", with: "  - run: client"))
    #expect(early.exitCode != 0, "\(early.text)")
  }

  @Test(
    "A page is asked for on whichever port the target listens, at no cost in virtual time but its own"
  )
  func unnamedPort() throws {
    let script = """
      import http.server, time
      time.sleep(5)
      class Page(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              code = 200 if self.path == "/health" else 404
              self.send_response(code); self.send_header("content-length", "0"); self.end_headers()
          def log_message(self, *words): pass
      http.server.HTTPServer(("127.0.0.1", 0), Page).serve_forever()
      """
    let text = """
      clock: { flow: auto }
      timeout: 60s
      target:
        command: [python3, server.py]
        files:
          server.py: |
      \(script.split(separator: "\n", omittingEmptySubsequences: false).map { "      " + $0 }
        .joined(separator: "\n"))
        ready: { http: /health, port: true }
      steps: [{ start: , expect: { duration: 5s } }]

      """
    let outcome = try run(text)
    outcome.expectExit(0)

    // The bound is one of real time, in which a slow machine may not even have started the interpreter.
    var wrong = outcome
    for limit in ["3s", "15s", "120s"] where !wrong.text.contains("it answered with status 404") {
      wrong = try run(
        text.replacing("timeout: 60s", with: "timeout: 10m").replacing(
          "ready: { http: /health, port: true }", with: "ready: { http: /other, timeout: \(limit) }"
        ))
      wrong.expectExit(3)
    }
    #expect(wrong.text.contains("it answered with status 404"), "\(wrong.text)")
  }

  @Test("What somebody else answers on the port says nothing of the target")
  func anotherServer() throws {
    func run(_ command: String) throws -> BuiltRunner.Outcome {
      try self.run(
        """
        targets:
          other:
            command: [python3, -u, -m, http.server, "0", --bind, 127.0.0.1]
            ready: { stdout: 'port (?<port>\\d+)' }
          api:
            command: \(command)
            ready: { http: { path: /, port: "${{ capture.port }}" }, timeout: 2s }
        steps: [{ start: other }, { start: api }]

        """)
    }
    let outcome = try run("[sleep, infinity]")
    outcome.expectExit(3)
    #expect(outcome.text.contains("it listens on no port"), "\(outcome.text)")
    let taken = try run("[python3, -u, -m, http.server, \"0\", --bind, 127.0.0.1]")
    taken.expectExit(3)
    #expect(taken.text.contains("it listens on "), "\(taken.text)")
  }

  @Test("A server that takes one connection keeps it for its client")
  func oneConnection() throws {
    func run(_ ready: String) throws -> BuiltRunner.Outcome {
      try self.run(
        """
        targets:
          sink:
            command: [python3, -u, sink.py]
            files:
              sink.py: |
                import socket
                listener = socket.create_server(("127.0.0.1", 0))
                print("port", listener.getsockname()[1])
                print(listener.accept()[0].recv(99))
            ready: { stdout: 'port (?<port>\\d+)', \(ready) }
          client:
            command: [python3, -c, "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1]))).sendall(b'hi')"]
        steps:
          - start: sink
          - run: { target: client, args: ["${{ capture.port }}"] }
          - { wait: exit, target: sink, expect: { stdout: { contains: "b'hi'" } } }

        """)
    }
    let outcome = try run("port: true")
    outcome.expectExit(0)
    let asked = try run("http: /")
    #expect(asked.exitCode != 0, "\(asked.text)")
  }

  @Test("A target that ends before it is ready fails at once, with its last words")
  func endsBefore() throws {
    for ready in ["port: true", "stdout: 'listening'", "file: pid", "notify: true", "http: /"] {
      let outcome = try run(
        """
        timeout: 60s
        target: { command: [bash, -c, 'echo cannot bind >&2; exit 3'], ready: { \(ready) } }
        steps: [{ start: }]

        """)

      outcome.expectExit(3)
      #expect(outcome.text.contains("exited with code 3 before it was ready"), "\(outcome.text)")
      #expect(outcome.text.contains("cannot bind"), "\(outcome.text)")
    }
  }

  @Test("A target that is never ready fails when its own bound is over")
  func neverReady() throws {
    for ready in ["port: true", "stdout: 'listening'", "file: pid", "notify: true"] {
      let outcome = try run(
        """
        timeout: 60s
        target: { command: [sleep, "1000"], ready: { \(ready), timeout: 200ms } }
        steps: [{ start: }]

        """)

      outcome.expectExit(3)
      #expect(outcome.text.contains("not ready within 200ms of real time"), "\(outcome.text)")
    }
  }

  @Test("Time moves by itself up to the instant at which a target is ready, and no further")
  func movingTime() throws {
    for (ready, deed) in [
      ("stdout: 'listening'", "echo listening"), ("file: up/pid", "mkdir up; touch up/pid"),
      ("stderr: 'lis.*'", "echo listening >&2"),
    ] {
      let text = """
        clock: { flow: auto }
        target: { command: [bash, -c, 'sleep 3600; \(deed); sleep 7200'], ready: { \(ready) } }
        steps: [{ start: , expect: { duration: 1h } }]

        """
      let outcome = try run(text)
      outcome.expectExit(0)

      let held = try run(text.replacing("flow: auto", with: "flow: held"))
      held.expectExit(3)
      #expect(held.text.contains("waits for virtual time, which is frozen"), "\(held.text)")
      #expect(held.text.contains("flow: auto"), "\(held.text)")
    }
  }

  @Test("A held clock does not keep a target from being ready that needs no time")
  func heldClock() throws {
    let outcome = try run(
      """
      clock: { flow: held }
      target:
        command: [python3, -u, -m, http.server, "0", --bind, 127.0.0.1]
        ready: { port: true, http: / }
      steps: [{ start: , expect: { duration: 0s } }]

      """)

    outcome.expectExit(0)
  }

  @Test("A service tells that it is ready as systemd wants it, by a path and by an abstract name")
  func notify() throws {
    for kind in ["true", "abstract"] {
      for (word, code) in [("READY=1", Int32(0)), ("READY=0", 3)] {
        let outcome = try run(
          """
          clock: { flow: auto }
          target:
            command: [python3, service.py]
            files:
              service.py: |
                import os, socket, time
                name = os.environ["NOTIFY_SOCKET"]
                print(name[0], flush=True)
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.connect("\\0" + name[1:] if name[0] == "@" else name)
                time.sleep(5)
                s.sendall(b"STATUS=warming up")
                s.sendall(b"MAINPID=1\\n\(word)\\n")
                time.sleep(1 << 20 if "\(word)" == "READY=1" else 1)
            ready: { notify: \(kind) }
          steps: [{ start: , expect: { duration: 5s, stdout: "\(kind == "true" ? "/" : "@")" } }]

          """)

        #expect(outcome.exitCode == code, "\(outcome.text)")
      }
    }
  }

  @Test("A service that says in time that it lives passes, and one that stops saying so fails")
  func watchdog() throws {
    func run(
      pings: Int, every seconds: Int, ready: String = "READY=1"
    ) throws -> BuiltRunner.Outcome {
      try self.run(
        """
        clock: { flow: auto }
        targets:
          pinger:
            command: [python3, service.py]
            files:
              service.py: |
                import os, socket, time
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.connect(os.environ["NOTIFY_SOCKET"])
                print(os.environ["WATCHDOG_USEC"], flush=True)
                time.sleep(100)
                s.sendall(b"\(ready)")
                for _ in range(\(pings)):
                  time.sleep(\(seconds))
                  s.sendall(b"WATCHDOG=1")
                time.sleep(10000)
        steps: [{ start: pinger }, { tick: 10m }]
        expect: { targets: { pinger: { watchdog: { within: 30s }, stdout: "30000000" } } }

        """)
    }
    let live = try run(pings: 1_000, every: 15)
    live.expectExit(0)
    // To the nanosecond: thirty seconds are in time.
    let late = try run(pings: 1_000, every: 30)
    late.expectExit(0)

    let slow = try run(pings: 1_000, every: 31)
    slow.expectExit(1)
    #expect(
      slow.text.contains("nothing for 31s, from 1m40s to 2m11s since the start"), "\(slow.text)")
    let hung = try run(pings: 10, every: 15)
    hung.expectExit(1)
    #expect(
      hung.text.contains("watchdog: expected WATCHDOG=1 from the target within 30s"), "\(hung.text)"
    )
    #expect(
      hung.text.contains("nothing for 5m50s, from 4m10s to 10m since the start"), "\(hung.text)")
    let mute = try run(pings: 0, every: 15, ready: "STATUS=up")
    mute.expectExit(1)
    #expect(mute.text.contains("sent neither READY=1 nor WATCHDOG=1"), "\(mute.text)")
  }

  @Test("A service that hangs until it ends, or until it is asked to, hangs all the same")
  func hungBeforeItsEnd() throws {
    func run(
      _ pings: String, _ steps: String, rest: Int = 20
    ) throws -> BuiltRunner.Outcome {
      try self.run(
        """
        clock: { flow: auto }
        target:
          command: [/usr/bin/python3, service.py]
          files:
            service.py: |
              import os, signal, socket, sys, time
              s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
              s.connect(os.environ["NOTIFY_SOCKET"])
              # Its own end takes longer than it may be silent.
              signal.signal(signal.SIGTERM, lambda *_: (time.sleep(100), s.sendall(b"STOPPING=1"), sys.exit(0)))
              s.sendall(b"READY=1")
              for pause in \(pings):
                time.sleep(pause)
                s.sendall(b"WATCHDOG=1")
              time.sleep(\(rest))
          ready: { notify: true }
        steps: [{ start: }, \(steps)]
        expect: { watchdog: { within: 30s }, exit: 0 }

        """)
    }
    // What passes after its end does not count.
    let hung = try run("[10]", "{ wait: exit }, { tick: 1h }", rest: 100)
    hung.expectExit(1)
    #expect(hung.text.contains("nothing for 1m40s, from 10s to 1m50s"), "\(hung.text)")
    let mute = try run("[10, 1000]", "{ tick: 100s }, { stop: }")
    mute.expectExit(1)
    #expect(mute.text.contains("nothing for 1m30s, from 10s to 1m40s"), "\(mute.text)")
    let live = try run("[10, 20, 30, 1000]", "{ tick: 80s }, { stop: }")
    live.expectExit(0)
    // The same request, by the name of its program, and one that does not ask it to end.
    let signaled = try run(
      "[10, 20, 30, 1000]",
      "{ tick: 80s }, { signal: { signal: TERM, process: python3 } }, { wait: exit }")
    signaled.expectExit(0)
    let unasked = try run(
      "[10, 20, 30, 1000]",
      "{ tick: 80s }, { signal: { signal: CONT, process: python3 } }, { tick: 100s }, { stop: }")
    unasked.expectExit(1)
    let ended = try run("[10, 20, 30]", "{ wait: exit }, { tick: 1h }")
    ended.expectExit(0)
  }

  @Test("Targets that still run are ended in the reverse order of their starts")
  func order() throws {
    let command =
      "[bash, -c, 'trap \"echo $0 >> log; cat log; exit\" TERM; echo up; sleep 1000 & wait', "
    let outcome = try run(
      """
      targets:
        one: { command: \(command)one], files: { x: x }, ready: { stdout: up } }
        two: { command: \(command)two], ready: { stdout: up } }
      steps: [{ start: one }, { start: two }]
      expect: { targets: { one: { stdout: never } } }

      """)

    outcome.expectExit(1)
    #expect(outcome.text.contains("  up\n  two\n  one\n"), "\(outcome.text)")
  }

  @Test("Who does not end in time is killed, and the report says so")
  func killed() throws {
    let text = """
      target:
        command: [bash, -c, 'trap "" TERM; echo up; while :; do sleep 0.05; done']
        ready: { stdout: up }
        stop: { grace: 100ms }
      steps: [{ start: }]

      """
    let outcome = try run(text)
    outcome.expectExit(0)
    #expect(
      outcome.text.contains(
        "the target was killed at the end: it did not exit within 100ms of SIGTERM"),
      "\(outcome.text)")

    let polite = try run(text.replacing("grace: 100ms", with: "signal: HUP"))
    polite.expectExit(0)
    #expect(!polite.text.contains("killed"), "\(polite.text)")
  }

  @Test(
    "Mistakes are reported before anything runs",
    arguments: [
      ("ready: {}", "has no condition to wait for", "/health"),
      ("ready: { prot: 1 }", "unknown key \"prot\"", "port"),
      ("ready: { port: 70000 }", "is not a port", "65535"),
      ("ready: { notify: false }", "can only be true", "notify: true"),
      ("ready: { http: https://example.com/ }", "neither a path nor", "/health"),
      ("ready: { stdout: '(' }", "not a regular expression", ""),
      ("ready: { file: ../x }", "../x", ""),
      ("stop: { signal: NOPE }", "NOPE", ""),
      ("ready: { stdout: x }, stop: { grace: 0s }", "longer than 0s", "5s"),
    ])
  func mistakes(settings: String, message: String, help: String) throws {
    let outcome = try run("target: { command: [cat], \(settings) }\nsteps: [{ start: }]\n")

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
    #expect(outcome.text.contains(help), "\(outcome.text)")
  }
}
