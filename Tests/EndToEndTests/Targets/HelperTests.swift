import Testing

@Suite("Commands beside the world")
struct HelperTests {
  private func run(_ text: String, _ command: String = "run") throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\n" + text, to: "helpers.yaml")
    let outcome = try BuiltRunner.run([command, path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("A command's end and output are its step's, and what it tells can be used")
  func expectations() throws {
    let text = """
      target: { command: [cat, b.json] }
      steps:
        - exec: [printf, 'token=abc\\n']
          expect: { stdout: token=abc, stderr: { empty: true } }
        - exec: { command: 'cat; exit 3', stdin: key=x1, capture: { key: { stdout: 'key=(\\S+)' } } }
          expect: { exit: 3 }
        - write: { path: b.json, json: { key: "${{ capture.key }}" }, mode: 0600 }
        - exec: 'stat -c %a b.json; pwd'
          expect: { stdout: { contains: "600" } }
        - run:
          expect: { stdout: { json: { $.key: x1 } } }

      """
    let outcome = try run(text)
    outcome.expectExit(0)

    for (right, wrong) in [
      ("stdout: token=abc", "stdout: token"), ("exit: 3 }", "exit: 0 }"), ("$.key: x1", "$.key: y"),
      ("'key=(\\S+)'", "'keys=(\\S+)'"),
    ] {
      #expect(try run(text.replacing(right, with: wrong)).exitCode == 1, "\(wrong)")
    }
  }

  @Test("A command that fails fails its step, unless that is expected")
  func failure() throws {
    let text = "target: { command: ['true'] }\nsteps: [{ run: }, { exec: 'echo no >&2; exit 4' }]\n"
    let outcome = try run(text)

    outcome.expectExit(1)
    #expect(outcome.text.contains("the command exited with code 4 unexpectedly"))
    #expect(outcome.text.contains("  no\n"), "\(outcome.text)")
    try run(text.replacing("exit 4' }", with: "exit 4', expect: { exit: 4 } }")).expectExit(0)
  }

  @Test("A command runs in real time beside a held clock")
  func realTime() throws {
    let outcome = try run(
      """
      clock: { at: 2001-01-01T00:00:00Z, flow: held }
      target: { command: [date, +%Y] }
      steps:
        - exec: [date, +%Y]
          expect: { stdout: { not: "2001" } }
        - run:
          expect: { stdout: "2001" }

      """)

    outcome.expectExit(0)
  }

  /// A server that takes five virtual seconds for its answer, and a command that asks it.
  private static let slowServer = """
    timeout: 5s
    clock: { at: 2030-01-01T00:00:00Z, flow: auto }
    target:
      command: [python3, server.py]
      ready: { stdout: up }
      files:
        server.py: |
          import socket, time
          with socket.create_server(("127.0.0.1", 0)) as server:
              with open("port", "w") as file: file.write(str(server.getsockname()[1]))
              print("up", flush=True)
              connection, _ = server.accept()
              time.sleep(5)
              connection.sendall(b"late\\n")
        ask.sh: |
          exec 3<> /dev/tcp/127.0.0.1/$(cat port)
          read -r line <&3
          echo "$line at $(date +%T)"
          exit 4
    steps:
      - start:
      - exec: { in: world, command: [bash, ask.sh], capture: { when: { stdout: 'at (\\S+)' } } }
        expect: { stdout: "late at 00:00:05", exit: 4 }
      - wait: exit
      - exec: [printf, "${{ capture.when }}"]
        expect: { stdout: "00:00:05" }
    expect: { duration: 5s }

    """

  @Test("A command in the world has its clock, and time passes while it waits for a target")
  func inWorld() throws {
    let text = Self.slowServer
    let outcome = try run(text)
    outcome.expectExit(0)
    #expect(try run(text, "plan").output.contains("exec in the world: bash ask.sh"))

    try run(text.replacing(", exit: 4 }", with: ", exit: 5 }")).expectExit(1)
    let unexpected = try run(text.replacing(", exit: 4 }", with: " }"))
    unexpected.expectExit(1)
    #expect(unexpected.text.contains("the command exited with code 4 unexpectedly"))

    let outside = try run(text.replacing("in: world, ", with: ""))
    outside.expectExit(3)
    #expect(
      outside.text.contains(
        "virtual time is frozen while a command outside of the scenario's environment runs"))
    #expect(outside.text.contains("exec: { command: …, in: world }"))
  }

  @Test("What a command has written does not change, so it is refused below eventually")
  func eventuallyOfCommand() throws {
    let text = """
      target: { command: [echo, ok] }
      steps:
        - run:
        - exec: [echo, broken]
          expect: { eventually: { within: 5s, stdout: ok } }

      """
    let outcome = try run(text)
    outcome.expectExit(2)
    #expect(
      outcome.text.contains("the output and the end of a finished command do not change"),
      "\(outcome.text)")
    let plain = text.replacing("eventually: { within: 5s, stdout: ok }", with: "stdout: broken")
    try run(plain).expectExit(0)
  }

  @Test("A command in the world meets the world's network, and ends with the case's time")
  func inWorldNetwork() throws {
    let text = """
      timeout: 5s
      target: { command: ['true'] }
      responses: [ GET http://a.test/: { text: hello } ]
      steps:
        - exec: { in: world, command: [curl, -s, http://a.test/] }
          expect: { stdout: hello }
        - run:

      """
    let outcome = try run(text)
    outcome.expectExit(0)

    let endless = try run(
      text.replacing("[curl, -s, http://a.test/]", with: "'curl -s http://a.test/; sleep 1000'"))
    endless.expectExit(3)
    #expect(endless.text.contains("the command's end"), "\(endless.text)")

    let unknown = try run(text.replacing("in: world", with: "in: word"))
    unknown.expectExit(2)
    #expect(unknown.text.contains("help: ") && unknown.text.contains("world"), "\(unknown.text)")
  }

  @Test("The case's timeout ends a command with its children; what is due always still comes")
  func timeout() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      timeout: 3s
      target: { command: [sleep, "1000"] }
      steps:
        - start:
        - exec: 'sleep 1000 & echo $! > \(folder.path)/child; wait'
      cleanup:
        - exec: 'echo first; exit 7'
        - exec: 'touch \(folder.path)/second'

      """, to: "timeout.yaml")
    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(3)
    #expect(outcome.text.contains("the command did not exit within"), "\(outcome.text)")
    #expect(outcome.text.contains("cleanup: the command exited with code 7"), "\(outcome.text)")
    #expect(TemporaryFolder.read("\(folder.path)/second") != nil)
    let child = try #require(TemporaryFolder.read("\(folder.path)/child"))
    let number = child.split(separator: "\n").first ?? ""
    let state = TemporaryFolder.read("/proc/\(number)/stat").flatMap { text in
      text.split(separator: ")").last?.split(separator: " ").first
    }
    #expect(state == nil || state == "Z", "process \(number) is in state \(state ?? "")")
  }

  @Test("What is due always can stop a target, and follows a failed expectation")
  func always() throws {
    let text = """
      target: { command: [bash, -c, 'trap "echo bye; exit 5" TERM; echo up; sleep 1000 & wait'] }
      steps:
        - start:
        - wait: { stdout: up }
      cleanup:
        - stop:
          expect: { exit: 5, stdout: { contains: bye } }

      """
    try run(text).expectExit(0)
    try run(text.replacing("exit: 5,", with: "exit: 6,")).expectExit(1)
    #expect(try run(text, "plan").output.contains("cleanup    1. stop"))
  }

  @Test("Output that nobody reads any more, and a signal for a process by its program's name")
  func streamsAndSignals() throws {
    let text = """
      clock: { flow: held }
      target: { command: [bash, -c, 'echo up; sleep 1000; echo "sleep: $?" >&2; read x; echo more; exit 9'] }
      steps:
        - start:
        - wait: { stdout: up }
        - signal: { signal: TERM, process: sleep }
        - wait: { stderr: 'sleep: 143' }
        - close: stdout
        - send: "x\\n"
        - wait: exit
          expect: { exit: 9, stderr: { contains: Broken pipe }, stdout: up }

      """
    let outcome = try run(text.replacing("bash, -c, '", with: "bash, -c, 'trap \"\" PIPE; "))
    outcome.expectExit(0)

    let unknown = try run(text.replacing("process: sleep", with: "process: slep"))
    unknown.expectExit(1)
    #expect(unknown.text.contains("did you mean \"sleep\"?"), "\(unknown.text)")
  }
}
