import Testing

@Suite("Several targets in one world")
struct TargetsTests {
  private func run(_ text: String, _ command: String = "run") throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "targets.yaml")
    let outcome = try BuiltRunner.run([command, path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let pair = """
    version: 2
    targets:
      left: { command: [bash, -c, 'echo left; read x; echo "left got $x"; exit 3'] }
      right: { command: [bash, -c, 'echo right >&2; read x; echo "right got $x"; exit "${1:-4}"', sh] }
    steps:
      - start: left
      - start: { target: right, args: ["5"] }
      - wait: { stdout: left }
        target: left
      - wait: { stderr: right }
        target: right
      - send: "to right\\n"
        target: right
      - wait: exit
        target: right
        expect: { exit: 5, stdout: right got to right }
      - send: "to left\\n"
        target: left
      - wait: exit
        target: left
    expect:
      targets:
        left: { exit: 3, stdout: { contains: left got to left }, stderr: { empty: true } }
        right: { exit: 5, stderr: right }

    """

  @Test("Two targets run at once, each with its own input, output and end")
  func pair() throws {
    let outcome = try run(Self.pair)
    outcome.expectExit(0)

    let wrong = try run(Self.pair.replacing("left: { exit: 3", with: "left: { exit: 5"))
    wrong.expectExit(1)
    #expect(wrong.output.contains("left: exit code"), "\(wrong.text)")
    #expect(wrong.output.contains("--- right ---"), "\(wrong.text)")
  }

  @Test("The plan names the targets, and whom a step is about")
  func plan() throws {
    let outcome = try run(Self.pair, "plan")

    #expect(outcome.output.contains("target     left: bash"), "\(outcome.text)")
    #expect(outcome.output.contains("start 5 (right)"), "\(outcome.text)")
    #expect(outcome.output.contains("left: exit equals 3"), "\(outcome.text)")
  }

  @Test("All targets share one virtual clock and one directory")
  func oneWorld() throws {
    let text = """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target: { command: [bash, -c, 'sleep 3600; date -u +%T >> log'] }
      targets:
        other: { command: [bash, -c, 'sleep 1800; date -u +%T >> log'] }
      steps:
        - start: other
        - run:
        - wait: exit
          target: other
      expect: { files: { log: "09:30:00\\n10:00:00" }, duration: 1h }

      """
    let outcome = try run(text)
    outcome.expectExit(0)

    let late = try run(text.replacing("sleep 1800", with: "sleep 3601"))
    late.expectExit(1)
  }

  @Test("One target's end is no end of another, and its silent failure is reported")
  func ends() throws {
    let text = """
      version: 2
      targets:
        a: { command: [bash, -c, 'exit 1'] }
        b: { command: [sleep, "1000"] }
      steps:
        - start: b
        - run: a
        - stop: b
      expect: { targets: { b: { signal: TERM } } }

      """
    let outcome = try run(text)
    outcome.expectExit(1)
    #expect(outcome.output.contains("\"a\" exited with code 1 unexpectedly"))
    let fine = text.replacing("expect: { targets: {", with: "expect: { targets: { a: { exit: 1 },")
    try run(fine).expectExit(0)
  }

  @Test(
    "What must hold within a time, or for a time, is about the step's target, also one that is named twice"
  )
  func repeatedExpectations() throws {
    let text = """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      targets:
        a: { command: [sleep, "100"] }
        b: { command: 'trap "sleep 3; exit 4" TERM; sleep 100 & wait' }
      steps:
        - start: a
        - start: b
        - signal: { signal: TERM, target: b }
          target: b
          expect: { eventually: { within: 5s, exit: 4 } }
        - stop: a

      """
    let outcome = try run(text)
    outcome.expectExit(0)
    try run(text.replacing("exit: 4 }", with: "exit: 5 }")).expectExit(1)
    try run(text.replacing("within: 5s", with: "within: 2s")).expectExit(1)
  }

  @Test(
    "Mistakes with names are reported before anything runs",
    arguments: [
      ("steps: [{ start: wroker }]", "unknown target \"wroker\"", "worker"),
      ("steps: [{ start: worker }, { run: }]", "the target is ambiguous", "target: api"),
      ("tags: [x]", "no step starts any of the targets", "start: api"),
      (
        "steps: [{ run: worker }, { stop: worker }]", "\"worker\" has ended before this step",
        "- start: worker"
      ),
      (
        "steps: [{ run: api }, { send: x, target: worker }]", "\"worker\" has not been started yet",
        "- start: worker"
      ),
      (
        "steps: [{ run: api }]\nexpect: { targets: { worker: { exit: 0 } } }",
        "no step starts \"worker\"", "- run: worker"
      ),
      (
        "steps: [{ run: { target: api, arg: [x] } }]", "unknown key \"arg\"", "args"
      ),
      ("steps: [{ run: api, target: worker }]", "names two targets", "keep one"),
      (
        "steps: [{ run: api }]\nexpect: { targets: { api: { files: {} } } }",
        "\"files\"", "exit"
      ),
    ])
  func mistakes(steps: String, message: String, help: String) throws {
    let outcome = try run(
      """
      version: 2
      targets:
        api: { command: [cat] }
        worker: { command: [cat] }
      \(steps)

      """)

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
    #expect(outcome.text.contains(help), "\(outcome.text)")
  }

  @Test("A scenario's own target wins over the file's of the same name; the others stay")
  func inheritance() throws {
    let outcome = try run(
      """
      version: 2
      targets:
        a: { command: [echo, file] }
        b: { command: [echo, kept] }
      scenarios:
        - name: own
          targets: { a: { command: [echo, own] } }
          steps:
            - run: a
              expect: { stdout: own }
            - run: b
              expect: { stdout: kept }
        - name: inherited
          steps:
            - run: a
              expect: { stdout: file }

      """)

    outcome.expectExit(0)
  }
}
