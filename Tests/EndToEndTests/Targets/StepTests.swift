import Glibc
import Testing

@Suite("Steps and reports")
struct StepTests {
  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "steps.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("A daemon is started, spoken to, waited for, signalled and stopped")
  func daemon() throws {
    let program =
      "trap 'echo bye; exit 7' TERM; echo ready; while read line; do echo \\\"<$line>\\\"; done"
    let outcome = try run(
      """
      version: 2
      target: { command: [bash, -c, "\(program)"] }
      steps:
        - start:
        - wait: { stdout: '^ready' }
        - send: "one\\n"
        - wait: { stdout: '<one>' }
        - send: "two\\n"
        - wait: { stdout: '<two>' }
        - signal: TERM
        - wait: exit
          expect: { exit: 7, stdout: { contains: bye } }

      """)

    outcome.expectExit(0)
  }

  @Test(
    "What acts like a signal comes once the target rests, not amid what it does about it",
    arguments: ["signal: USR1", "signal: { signal: USR1, process: bash }", "stop:"])
  func rest(step: String) throws {
    func outcome(trap: String) throws -> BuiltRunner.Outcome {
      try run(
        """
        version: 2
        target:
          command:
            - bash
            - -c
            - echo up; for ((i = 0; i < 2000; i++)); do :; done; \(trap); sleep 1000 & wait
          stop: { signal: USR1 }
        steps:
          - start:
          - wait: { stdout: up }
          - \(step)
          - wait: exit
            expect: { exit: 3 }
        """)
    }

    let caught = try outcome(trap: "trap 'exit 3' USR1")
    caught.expectExit(0)
    try outcome(trap: "trap 'exit 3' USR2").expectExit(1)
  }

  @Test("Closing standard input ends a filter, and its output is whole")
  func filter() throws {
    let text = """
      version: 2
      target: { command: [tr, a-z, A-Z] }
      steps:
        - start:
        - send: "hello "
        - send: "world"
        - close: stdin
        - wait: exit
      expect: { exit: 0, stdout: HELLO WORLD, stderr: { empty: true } }

      """

    try run(text).expectExit(0)
    try run(text.replacing("HELLO WORLD", with: "HELLO")).expectExit(1)
  }

  @Test("A target that crashes does not pass because nobody asked")
  func silentCrash() throws {
    let outcome = try run("version: 2\ntarget: { command: [bash, -c, 'kill -SEGV $$'] }\n")

    outcome.expectExit(1)
    #expect(outcome.output.contains("was killed by SIGSEGV"))
    try run(
      "version: 2\ntarget: { command: [bash, -c, 'kill -SEGV $$'] }\nexpect: { signal: SEGV }\n"
    ).expectExit(0)
  }

  @Test("A later step may speak of the end, but not of the end of another start")
  func laterExpectation() throws {
    let text = """
      version: 2
      target: { command: [bash, -c, "exit 3"] }
      steps:
        - run:
        - expect: { exit: 3 }

      """

    try run(text).expectExit(0)
    try run(text.replacing("- run:", with: "- run:\n  - run:")).expectExit(1)
  }

  @Test("A crash does not pass behind a wait either, unless a step sent the signal")
  func crashBehindWait() throws {
    let text = """
      version: 2
      target: { command: [bash, -c, "kill -SEGV $$"] }
      steps:
        - start:
        - wait: exit

      """

    try run(text).expectExit(1)
    try run(
      text.replacing("kill -SEGV $$", with: "echo up; sleep 60").replacing(
        "- wait: exit", with: "- wait: { stdout: up }\n  - signal: KILL\n  - wait: exit")
    ).expectExit(0)
  }

  @Test(
    "A regular expression that would take for ever ends with the case",
    arguments: [
      "expect: { stdout: { matches: '(?=a)(a+)+b' } }", "wait: { stdout: '(?=a)(a+)+b' }",
    ])
  func endlessSearch(step: String) throws {
    let outcome = try run(
      """
      version: 2
      timeout: 2s
      target: { command: [echo, \(String(repeating: "a", count: 60))] }
      steps:
        - start:
        - wait: { stdout: aaa }
        - \(step)

      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("took longer than the case's limit"))
  }

  @Test("Files are laid out, written, and checked")
  func files() throws {
    let text = """
      version: 2
      target:
        command: "mkdir out && cat in.json > out/copy.json && echo ${{ dir }} > where && pwd"
        files: { in.json: { json: { name: Ada, tags: [a, b] } } }
      expect:
        stdout: "${{ dir }}"
        files:
          out/copy.json: { json: { $.name: Ada, "$.tags[1]": b } }
          where: "${{ dir }}"
          "*.tmp": { absent: true }

      """

    let outcome = try run(text)
    outcome.expectExit(0)
    try run(text.replacing("$.name: Ada", with: "$.name: Bob")).expectExit(1)
  }

  @Test("All conditions of one expect are reported; a failed step ends the case")
  func softAndHard() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [echo, hi] }
      steps:
        - run:
          expect: { exit: 4, stdout: hello, stderr: { empty: true } }
        - run: [never]

      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains("exit code"))
    #expect(outcome.output.contains("stdout"))
    #expect(!outcome.output.contains("never\n"))
  }

  @Test("The environment is clean but for what the scenario says")
  func environment() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [env], env: { COLOUR: red } }
      expect:
        stdout:
          all_of: [ { contains: COLOUR=red }, { contains: TZ=UTC }, { not: { contains: SHELL= } } ]

      """)

    outcome.expectExit(0)
  }

  @Test("Time that is held makes a sleeper stuck, with a report that names it")
  func stuck() throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [sleep, '60'] }\nclock: { flow: held }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("1m of virtual time left"))
    #expect(outcome.output.contains("flow: auto"))
  }

  @Test("A tick lets a daemon's timers fire, each at its own instant")
  func ticking() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [bash, -c, "while true; do sleep 60; date -u +%T; done"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: held }
      steps:
        - start:
        - tick: 2m
          expect: { stdout: "09:01:00\\n09:02:00" }
        - tick: next
          expect: { stdout: { lines: ["09:01:00", "09:02:00", "09:03:00"] } }
        - stop:
          expect: { signal: TERM }

      """)

    outcome.expectExit(0)
  }

  @Test("A tick to the next deadline fails where nothing waits for time, and says what is awaited")
  func nothingDue() throws {
    func text(_ command: String) -> String {
      """
      version: 2
      target: { command: \(command) }
      clock: { at: 2026-03-01T09:00:00Z, flow: held }
      steps:
        - start:
        - tick: next
        - wait: exit

      """
    }
    let idle = try run(text("[cat]").replacing("- wait:", with: "- close: stdin\n  - wait:"))
    idle.expectExit(1)
    #expect(idle.text.contains("nothing was due: nothing waits for virtual time"), "\(idle.text)")
    #expect(idle.text.contains("cat (process"), "\(idle.text)")
    try run(text("[sleep, '60']")).expectExit(0)
  }

  // MARK: - Reports

  @Test("JUnit XML and JSON Lines tell of passing and failing cases")
  func reports() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [echo, hi] }
      scenarios:
        - name: good
          expect: { stdout: hi }
        - name: bad
          expect: { stdout: ho }

      """, to: "reports.yaml")

    let outcome = try BuiltRunner.run([
      "run", path, "--report", "junit=\(folder.path)/junit.xml", "--report",
      "jsonl=\(folder.path)/events.jsonl",
    ])

    outcome.expectExit(1)
    #expect(outcome.output.contains("1 passed, 1 failed"))
    let junit = try #require(TemporaryFolder.read("\(folder.path)/junit.xml"))
    #expect(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\""))
    #expect(junit.contains("<testcase name=\"good\""))
    #expect(junit.contains("type=\"expect.stdout\""))
    let events = try #require(TemporaryFolder.read("\(folder.path)/events.jsonl"))
    #expect(events.split(separator: "\n").count { $0.contains("\"caseFinished\"") } == 2)
  }

  @Test("FILE:LINE picks the scenario that the line stands in")
  func lineSelection() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [echo, hi] }
      scenarios:
        - name: first
          expect: { stdout: hi }
        - name: second
          expect: { stdout: hi }

      """, to: "lines.yaml")

    let outcome = try BuiltRunner.run(["run", "\(path):7"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("second"))
    #expect(!outcome.output.contains("first"))
  }

  @Test("An interrupted run writes what it has won, and leaves nothing behind")
  func interruption() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      scenarios:
        - name: quick
          target: { command: [echo, hi] }
        - name: slow
          target: { command: [bash, -c, "touch \(folder.path)/begun; sleep 1234.5 & sleep 1234.5"] }
        - name: never
          target: { command: [echo, hi] }

      """, to: "interrupt.yaml")
    let running = try BuiltRunner.start(
      ["run", path, "-j", "1", "--report", "junit=\(folder.path)/junit.xml"])
    try running.await("begun") { access("\(folder.path)/begun", F_OK) == 0 }

    kill(running.process, SIGINT)
    let outcome = running.wait()

    outcome.expectExit(130)
    let junit = try #require(TemporaryFolder.read("\(folder.path)/junit.xml"))
    #expect(junit.contains("<testcase name=\"quick\""))
    #expect(junit.contains("Interrupted"))
    let never = junit.split(separator: "<testcase").first { $0.contains("never") } ?? ""
    #expect(never.contains("<skipped") && never.contains("not run: the run was interrupted"))
    #expect(!never.contains("<error"), "\(junit)")
  }
}
