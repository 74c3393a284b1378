import Testing

@Suite("Targets that end by themselves, and badly")
struct UnexpectedEndTests {
  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\n" + text, to: "ends.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A target in the background that crashes fails the case, though no step asks for its end",
    arguments: [
      ("kill -SEGV $$", "the target was killed by SIGSEGV unexpectedly"),
      ("kill -ABRT $$", "the target was killed by SIGABRT unexpectedly"),
      ("exit 3", "the target exited with code 3 unexpectedly"), ("exit 0", nil),
      ("sleep 1000", nil),
    ])
  func crash(end: String, message: String?) throws {
    let outcome = try run(
      """
      target: { command: "echo up; \(end)" }
      steps: [{ start: }, { wait: { stdout: up } }, { wait: idle }]

      """)
    #expect(outcome.exitCode == (message == nil ? 0 : 1), "\(outcome.text)")
    if let message { #expect(outcome.text.contains(message), "\(outcome.text)") }
  }

  @Test(
    "An end that something speaks of is judged by that alone",
    arguments: [
      "expect: { exit: 3 }", "expect: { exit: { not: 0 } }",
    ])
  func expected(expectation: String) throws {
    let text = """
      target: { command: "echo up; exit 3" }
      steps: [{ start: }, { wait: { stdout: up } }, { wait: idle }]
      \(expectation)

      """
    try run(text).expectExit(0)
    try run(text.replacing("exit 3\" }", with: "exit 0\" }")).expectExit(1)
  }

  @Test(
    "A signal that a target got over does not account for what becomes of it later, unless it asks for the end",
    arguments: [
      ("HUP", "true", 1), ("HUP", "exit 129", 0), ("TERM", "exit 3", 0),
      ("TERM", "kill -SEGV $$", 1),
    ])
  func signalled(signal: String, handler: String, code: Int32) throws {
    let outcome = try run(
      """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target: { command: "trap '\(handler)' \(signal); echo up; sleep 5 & wait; sleep 10; exit 3" }
      steps: [{ start: }, { wait: { stdout: up } }, { signal: \(signal) }, { wait: exit }]

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(outcome.text.contains("unexpectedly") == (code == 1), "\(outcome.text)")
  }

  @Test("A condition that holds within a time accounts for the end that it was checked on")
  func eventually() throws {
    let text = """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target: { command: "echo up; sleep 3; exit 7" }
      steps: [{ start: , expect: { eventually: { within: 5s, exit: 7 } } }]

      """
    let outcome = try run(text)
    outcome.expectExit(0)
    let other = try run(text.replacing("sleep 3; exit 7", with: "sleep 3; exit 8"))
    other.expectExit(1)
    #expect(other.text.contains("1 failed"), "\(other.text)")
  }

  @Test("What a command is expected to exit with does not account for the end of a target")
  func command() throws {
    let text = """
      target: { command: "echo up; exit 3" }
      steps: [{ start: }, { wait: { stdout: up } }, { exec: "exit 3", expect: { exit: 3 } }, { wait: idle }]

      """
    let outcome = try run(text)
    outcome.expectExit(1)
    #expect(outcome.text.contains("the target exited with code 3 unexpectedly"))
    try run(text.replacing("up; exit 3", with: "up")).expectExit(0)
  }

  @Test(
    "A fault about processes accounts for the ends that it brings, and for no other",
    arguments: [
      ("[sleep, '60']", 0), ("[bash, -c, 'sleep 60; exit $?']", 0),
      ("[bash, -c, 'sleep 60; exit 3']", 1), ("[bash, -c, 'sleep 60; kill -SEGV $$']", 1),
    ])
  func fault(command: String, code: Int32) throws {
    let outcome = try run(
      """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target: { command: \(command) }
      chaos: [ { name: cut, process: sleep, when: { from: +10s }, provide: { kill: process } } ]

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(outcome.text.contains("unexpectedly") == (code == 1), "\(outcome.text)")
  }

  @Test(
    "A fault that asks a process of a target to end does not ask the target itself",
    arguments: [
      ("[bash, -c, 'sleep 60; sleep 30; exit 3']", 1),
      ("[bash, -c, 'trap \"exit 3\" TERM; sleep 60 & wait']", 0),
    ])
  func faultOfChild(command: String, code: Int32) throws {
    let outcome = try run(
      """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target: { command: \(command) }
      leaks: ignore
      chaos:
        - { name: cut, process: \(code == 1 ? "sleep" : "bash"), when: { from: +10s, times: 1 }, provide: { signal: TERM } }

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(outcome.text.contains("unexpectedly") == (code == 1), "\(outcome.text)")
  }

  @Test(
    "A signal to a program by its name asks the target to end if it is the target's own",
    arguments: [
      ("bash", "trap 'exit 3' TERM; sleep 60 & wait", 0), ("sleep", "sleep 60; exit 3", 1),
    ])
  func signalByProgram(program: String, command: String, code: Int32) throws {
    let outcome = try run(
      """
      clock: { at: 2026-03-01T09:00:00Z, flow: held }
      target: { command: [bash, -c, "echo up; \(command)"] }
      leaks: ignore
      steps:
        - start:
        - wait: { stdout: up }
        - signal: { signal: TERM, process: \(program) }
        - wait: exit

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(outcome.text.contains("exited with code 3 unexpectedly") == (code == 1))
  }

  @Test(
    "A key that interrupts a program at a terminal accounts for the end that it brings",
    arguments: [
      ("sleep 60", 0), ("exec cat", 0), ("trap 'exit 130' INT; sleep 60", 0),
      ("trap 'exit 3' INT; sleep 60", 1),
    ])
  func key(command: String, code: Int32) throws {
    let outcome = try run(
      """
      clock: { at: 2026-03-01T09:00:00Z, flow: held }
      target: { command: [bash, -c, "echo up; \(command)"], terminal: 80x24 }
      steps:
        - start:
        - wait: { screen: up }
        - send: { key: ctrl-c }
        - wait: exit

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(outcome.text.contains("exited with code 3 unexpectedly") == (code == 1))
  }

  @Test("A fault that strikes one target does not account for the end of another")
  func faultOfAnother() throws {
    let text = """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      targets: { a: { command: [sleep, "60"] }, b: { command: "sleep 1; exit 3" } }
      chaos: [ { name: cut, process: 1, when: { from: +10s }, provide: { kill: process } } ]
      steps: [{ start: a }, { run: b }, { wait: exit, target: a }]

      """
    let outcome = try run(text)
    outcome.expectExit(1)
    #expect(outcome.text.contains("\"b\" exited with code 3 unexpectedly"))
    try run(text.replacing("; exit 3", with: "")).expectExit(0)
  }

  @Test("A start does not hide how the one before has ended")
  func restart() throws {
    let text = """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target:
        command: 'trap "exit CODE" HUP; echo up; sleep 60 & wait'
      steps:
        - start:
        - wait: { stdout: up }
        - signal: HUP
        - tick: 1s
        - start:
        - wait: { stdout: up }
        - stop:

      """
    let outcome = try run(text.replacing("CODE", with: "3"))
    outcome.expectExit(1)
    #expect(
      outcome.text.contains("the target exited with code 3 unexpectedly"),
      "\(outcome.text)")
    try run(text.replacing("CODE", with: "129")).expectExit(0)
  }

  @Test("A server that dies over a request is reported, though the client was content")
  func server() throws {
    let server = """
      import os, socket
      server = socket.create_server(('127.0.0.1', 0))
      open('port', 'w').write(str(server.getsockname()[1]))
      print('up', flush=True)
      client = server.accept()[0]
      client.recv(1000)
      client.sendall(b'hi')
      client.close()
      END
      """
    func text(_ end: String) -> String {
      """
      targets:
        server:
          command:
            - python3
            - -Sc
            - |
              \(server.replacing("END", with: end).split(separator: "\n").joined(separator: "\n        "))
          ready: { stdout: up }
        client:
          command:
            - python3
            - -Sc
            - |
              import socket
              client = socket.create_connection(('127.0.0.1', int(open('port').read())))
              client.sendall(b'x')
              print(client.recv(9).decode())
              client.recv(9)
      steps: [{ start: server }, { run: client }, { wait: idle }]
      expect: { targets: { client: { stdout: hi } } }

      """
    }
    let outcome = try run(text("os.abort()"))
    outcome.expectExit(1)
    #expect(
      outcome.text.contains("\"server\" was killed by SIGABRT unexpectedly"),
      "\(outcome.text)")
    try run(text("server.accept()")).expectExit(0)
  }

  @Test(
    "Who crashes over being asked to end fails; with which code a target ends then is its own affair",
    arguments: [
      ("kill -SEGV $$", 1), ("exit 9", 0), ("exit 0", 0), ("trap - TERM; kill -TERM $$", 0),
    ], ["", ", { stop: }"])
  func asked(end: (command: String, code: Int32), stop: String) throws {
    let outcome = try run(
      """
      clock: { flow: real }
      target: { command: "trap '\(end.command)' TERM; echo up; while :; do sleep 0.01; done" }
      steps: [{ start: }, { wait: { stdout: up } }\(stop)]

      """)
    #expect(outcome.exitCode == end.code, "\(outcome.text)")
    if end.code == 1 { #expect(outcome.text.contains("killed by SIGSEGV")) }
  }

  @Test("A step that stops a target gives it the grace that the target's file says")
  func stopGrace() throws {
    func text(_ trap: String) -> String {
      """
      clock: { flow: real }
      timeout: 1h
      target:
        command: "trap '\(trap)' TERM; echo up; while :; do sleep 0.01; done"
        stop: { grace: 100ms }
      steps: [{ start: }, { wait: { stdout: up } }, { stop: }]

      """
    }
    let outcome = try run(text(""))
    outcome.expectExit(1)
    #expect(
      outcome.text.contains("the target did not exit within 100ms of SIGTERM, and was killed"),
      "\(outcome.text)")
    try run(text("exit 0")).expectExit(0)
  }

  @Test("A shell at a terminal is hung up on when the case is out of time, and needs no SIGKILL")
  func terminal() throws {
    func text(_ settings: String) -> String {
      """
      timeout: 500ms
      grace: 1h
      target: { command: [bash, --norc, -i], terminal: 80x24, env: { PS1: "> " }\(settings) }
      steps: [{ start: }, { wait: { stdout: never } }]

      """
    }
    let hungUp = try run(text(""))
    hungUp.expectExit(3)
    #expect(!hungUp.text.contains("unexpectedly"), "\(hungUp.text)")
    #expect(!hungUp.text.contains("SIGKILL did"), "\(hungUp.text)")

    let terminated = try run(text(", stop: { signal: TERM, grace: 100ms }"))
    #expect(terminated.text.contains("SIGKILL did"), "\(terminated.text)")
  }
}
