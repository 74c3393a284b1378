import Glibc
import Testing

@Suite("The truth about processes: time limits, leaks, signals to the runner")
struct ProcessTruthTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String) -> String {
    folder.write("version: 2\n" + text, to: "processes.yaml")
  }

  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(["run", write(text)] + options)
  }

  // MARK: - Time limits

  @Test("A case that is out of time gets SIGTERM, as do its children, and may say goodbye")
  func heeded() throws {
    let outcome = try run(
      """
      timeout: 500ms
      grace: 1h
      target: { command: "trap 'echo bye; exit' TERM; sleep 1000 & wait" }

      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("  bye"))
    #expect(!outcome.output.contains("SIGKILL"))
  }

  @Test("Who does not heed it is killed, and told by name, in order of births")
  func unheeded() throws {
    let outcome = try run(
      """
      timeout: 500ms
      grace: 50ms
      target: { command: [bash, -c, "trap '' TERM; while :; do sleep 1000; done"] }

      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("SIGTERM did not end these; SIGKILL did:"))
    // Once is enough: whoever was killed is not asked again.
    #expect(!outcome.output.contains("killed at the end"))
    #expect(outcome.output.contains("bash (process 1): bash -c trap"))
    #expect(outcome.output.contains("sleep (process 2): sleep 1000"))
  }

  @Test(
    "Where clocks are held, the grace passes in virtual time", arguments: [(4, true), (6, false)])
  func virtualGrace(length: Int, isEnough: Bool) throws {
    let outcome = try run(
      """
      timeout: 500ms
      clock: { flow: held }
      target:
        command: [bash, -c, "trap 'sleep \(length); echo slept; exit' TERM; while :; do :; done"]

      """, ["--grace", "5s"])

    outcome.expectExit(3)
    #expect(outcome.output.contains("  slept") == isEnough, "\(outcome.text)")
    #expect(outcome.output.contains("SIGKILL did") != isEnough)
  }

  // MARK: - Leaks

  /// Programs that leave somebody behind, and how many.
  private static let leaks = [
    ("sleep 1000 & echo started", 1),
    ("sleep 1000 > /dev/null 2>&1 < /dev/null & sleep 1001 & echo started", 2),
    ("setsid sh -c 'sleep 1000 & sleep 1001' > /dev/null 2>&1 & echo started", 3),
    ("(trap '' HUP; (sleep 1000 &) &); echo started", 1),
  ]

  @Test("A case that passes and leaves processes is reported as a leak", arguments: leaks)
  func leak(command: String, count: Int) throws {
    let outcome = try run("target: { command: \"\(command)\" }\n")

    outcome.expectExit(0)
    #expect(outcome.output.contains("LEAK  ["))
    #expect(outcome.output.contains("): sleep 1000"))
    #expect(outcome.output.contains("1 passed, 0 failed, 1 leaky"))
    let listed = outcome.output.split(separator: "\n").count { $0.hasPrefix("      ") }
    #expect(listed == count, "\(outcome.text)")
  }

  @Test("It has failed where leaks are failures, and is told nothing of where they are ignored")
  func leakRules() throws {
    let text = "target: { command: \"sleep 1000 & echo\" }\n"

    let failing = try run(text, ["--leak", "fail"])
    failing.expectExit(1)
    #expect(failing.output.contains("1 process outlives the target: sleep"))
    #expect(failing.output.contains("sleep (process 2): sleep 1000"))
    let ignoring = try run(text, ["--leak=ignore"])
    #expect(ignoring.exitCode == 0 && !ignoring.output.contains("LEAK"), "\(ignoring.text)")
    let own = try run("leaks: fail\n" + text, ["--leak=ignore"])
    own.expectExit(1)
  }

  @Test(
    "Nobody is left who ends in time, whom the scenario expects, or whose case has failed",
    arguments: [
      ("target: { command: \"sleep 1000 & kill $!; wait; echo\" }", 0),
      ("target: { command: \"(sleep 0.01; echo) & echo\" }", 0),
      ("target: { command: \"sleep 1000 & echo\" }\nexpect: { processes: { left: 1 } }", 0),
      ("target: { command: \"sleep 1000 & echo\" }\nexpect: { processes: { left: 0 } }", 1),
      ("target: { command: \"sleep 1000 & exit 1\" }", 1),
    ])
  func noLeak(text: String, code: Int32) throws {
    let outcome = try run(text + "\n", ["--leak", "fail"])

    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(!outcome.output.contains("LEAK") && !outcome.output.contains("outlives"))
  }

  @Test("Where clocks are held, whoever still sleeps when everything sleeps is left")
  func heldLeak() throws {
    let held = "clock: { flow: held }\nsteps: [{ start: null }, { wait: exit }]\n"
    let outcome = try run(held + "target: { command: \"sleep 1000 & echo\" }\n")
    #expect(outcome.output.contains("LEAK  ["), "\(outcome.text)")
    let other = try run(held + "target: { command: \"(:) & wait; echo\" }\n")
    #expect(other.output.contains("PASS  ["), "\(other.text)")
  }

  @Test("A leak is an event with what each process runs")
  func leakEvent() throws {
    let report = "\(folder.path)/r.jsonl"
    _ = try run("target: { command: \"sleep 1000 & echo\" }\n", ["--report", "jsonl=\(report)"])

    let lines = (TemporaryFolder.read(report) ?? "").split(separator: "\n")
    let line = try #require(lines.first { $0.contains("\"event\":\"leaked\"") })
    #expect(line.contains("\"arguments\":[\"sleep\",\"1000\"]"))
    #expect(line.contains("\"ordinal\":2"))
  }

  // MARK: - Signals to the runner

  private func content(of name: String) throws -> String {
    try ProcessWatch.line(in: "\(folder.path)/\(name)")
  }

  /// Starts a daemon of its own session, whose parent ends, and tells its number.
  private func daemon(_ number: Int) -> String {
    "setsid sh -c 'sleep 1000 & echo $! > \(folder.path)/d\(number)' > /dev/null 2>&1"
  }

  @Test("Nobody outlives a runner that is killed, no daemon either, while four cases run")
  func killedRunner() throws {
    let cases = (1...4).map {
      "  - { name: c\($0), target: { command: \"\(daemon($0)); sleep 999\" } }"
    }
    let path = write("scenarios:\n" + cases.joined(separator: "\n") + "\n")
    let runner = try BuiltRunner.start(["run", path, "-j4"])
    let daemons = try (1...4).map { try #require(pid_t(try content(of: "d\($0)"))) }

    kill(runner.process, SIGKILL)
    _ = runner.wait()

    for daemon in daemons { #expect(ProcessWatch.isGone(daemon), "\(daemon)") }
    // The same daemon outlives whoever starts it without the runner.
    _ = try BuiltRunner.command(["sh", "-c", daemon(5)])
    let survivor = try #require(pid_t(try content(of: "d5")))
    #expect(kill(survivor, 0) == 0)
    kill(survivor, SIGKILL)
  }

  @Test("An interrupted run lets targets say goodbye, and writes its reports")
  func interruption() throws {
    let path = write(
      """
      grace: 1h
      scenarios:
        - name: one
          target:
            command: "trap 'echo bye; exit' TERM; echo up > \(folder.path)/one; sleep 999 & wait"
        - name: two
          target: { command: "echo up > \(folder.path)/two; exec sleep 999" }
        - { name: three, target: { command: [echo] } }

      """)
    let report = "\(folder.path)/r.xml"
    let runner = try BuiltRunner.start(["run", path, "-j2", "--report", "junit=\(report)"])
    _ = try content(of: "one")
    _ = try content(of: "two")

    kill(runner.process, SIGINT)
    let outcome = runner.wait()

    outcome.expectExit(130)
    #expect(outcome.output.contains("  bye"))
    #expect(outcome.output.contains("2 errored, 1 not run"))
    let xml = TemporaryFolder.read(report) ?? ""
    #expect(xml.split(separator: "type=\"Interrupted\"").count == 3, "\(xml)")
  }

  @Test("A second interruption waits for nobody")
  func secondInterruption() throws {
    let path = write(
      """
      grace: 1h
      target:
        command:
          - bash
          - -c
          - |
            trap 'echo $$ > \(folder.path)/asked' TERM
            echo up > \(folder.path)/up
            while :; do sleep 1000; done

      """)
    let runner = try BuiltRunner.start(["run", path])
    _ = try content(of: "up")
    kill(runner.process, SIGINT)
    let target = try #require(pid_t(try content(of: "asked")))

    kill(runner.process, SIGINT)
    let outcome = runner.wait()

    outcome.expectExit(130)
    #expect(ProcessWatch.isGone(target))
  }
}
