import Testing

/// Failures that follow from how a file is written, and what their help says to write.
@Suite("Helps that mend the file")
struct MessageFixTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(["run", folder.write("version: 2\n" + text, to: "f.yaml")])
  }

  private static let lineHelp =
    "\"^\" and \"$\" are the two ends of all the text, and of a line with (?m) in front; write (?m)^ready$"

  static let lines = [
    "target: { command: [printf, 'ready\\nmore\\n'] }\nexpect: { stdout: { matches: PATTERN } }",
    """
    target: { command: [printf, 'ready\\nmore\\n'] }
    steps: [{ start: }, { wait: { stdout: PATTERN } }, { wait: exit }]
    """,
    """
    target: { command: [printf, 'ready\\nmore\\n'] }
    steps: [{ run: }, { capture: { a: { stdout: PATTERN } } }]
    """,
    """
    target: { command: [sh, -c, "echo ready; echo more; exec sleep 100"], ready: { stdout: PATTERN } }
    clock: { flow: held }
    steps: [{ start: }, { stop: }]
    """,
  ]

  @Test(
    "An expression is found in no line because of its ends, and the help has the one that is",
    arguments: lines)
  func lineEnds(text: String) throws {
    let wrong = try run(text.replacing("PATTERN", with: "^ready$"))
    #expect(wrong.exitCode != 0, "\(wrong.text)")
    #expect(wrong.text.contains(Self.lineHelp), "\(wrong.text)")

    let right = try run(text.replacing("PATTERN", with: "(?m)^ready$"))
    right.expectExit(0)

    let other = try run(text.replacing("PATTERN", with: "^absent$"))
    #expect(other.exitCode != 0 && !other.text.contains("(?m)"), "\(other.text)")
  }

  @Test("Lines that are missing and lines that are too many are told from those that are there")
  func lineDifference() throws {
    let missing = try run(
      "target: { command: 'echo one; echo two' }\nexpect: { stdout: { lines: [one, two, three] } }")
    missing.expectExit(1)
    #expect(
      missing.output.contains(" two\n") && missing.output.contains("-three"), "\(missing.text)")
    #expect(!missing.output.contains("+two"), "\(missing.text)")

    let surplus = try run(
      "target: { command: 'echo x; echo one' }\nexpect: { stdout: { lines: [one] } }")
    surplus.expectExit(1)
  }

  @Test("Arguments of a step are those of a command for the shell, whose own name is sh")
  func shellArguments() throws {
    let text = """
      target: { command: 'echo "0=$0 1=$1 n=$#"' }
      steps: [{ run: [a, b] }]
      expect: { stdout: OUTPUT }
      """
    let good = try run(text.replacing("OUTPUT", with: "0=sh 1=a n=2"))
    good.expectExit(0)
    let bad = try run(text.replacing("OUTPUT", with: "0=a 1=b n=1"))
    bad.expectExit(1)
  }

  @Test("A target that polls under a held clock is stopped by steps of their own")
  func stopUnderHeldClock() throws {
    let command = "sh, -c, 'trap \"end=1\" TERM; while [ -z \"$end\" ]; do sleep 0.1; done'"
    let text = """
      target: { command: [\(command)] }
      clock: { flow: held }
      steps: [{ start: }, STEPS]
      """
    let wrong = try run(text.replacing("STEPS", with: "{ stop: }"))
    #expect(wrong.exitCode != 0, "\(wrong.text)")
    #expect(
      wrong.text.contains("write the steps `signal: TERM`, `tick: 1s` and `wait: exit`"),
      "\(wrong.text)")
    let right = try run(
      text.replacing("STEPS", with: "{ signal: TERM }, { tick: 1s }, { wait: exit }"))
    right.expectExit(0)
  }

  @Test("That a file is there, what it is and what it says are expected together")
  func fileTogether() throws {
    let text = """
      target: { command: 'echo x > a; chmod 600 a' }
      expect: { files: { a: { exists: true, equals: CONTENT, mode: MODE } } }
      """
    func outcome(_ content: String, _ mode: String) throws -> BuiltRunner.Outcome {
      try run(text.replacing("CONTENT", with: content).replacing("MODE", with: mode))
    }
    let good = try outcome("x", "0600")
    good.expectExit(0)
    let content = try outcome("y", "0600")
    content.expectExit(1)
    let mode = try outcome("x", "0644")
    mode.expectExit(1)
  }

  @Test(
    "Command lines with a word of another tool, or a slip",
    arguments: [
      (["rnu", "f.yaml"], "did you mean \"run\"?"),
      (["lint", "f.yaml"], "write \"scenario check\""),
      (["f.yaml"], "write \"scenario run f.yaml\""),
      (["run", "--no-color"], "write \"--color never\""),
      (["run", "--parallel", "4"], "write \"--jobs COUNT\""),
      (["run", "--dry-run"], "\"scenario plan\" prints what a run would do"),
    ])
  func commandLine(words: [String], help: String) throws {
    let outcome = try BuiltRunner.run(words)

    outcome.expectExit(2)
    #expect(outcome.text.contains("help: \(help)"), "\(outcome.text)")
  }

  @Test("Keys are explained, and a number that no code has is near to none")
  func explained() throws {
    let key = try BuiltRunner.run(["explain", "eventually"])
    #expect(key.exitCode == 0 && key.output.contains("a key of \"expect\""), "\(key.text)")
    let none = try BuiltRunner.run(["explain", "E999"])
    #expect(none.exitCode == 2 && !none.text.contains("did you mean"), "\(none.text)")
  }

  @Test("Lines of a file count from 1")
  func lineZero() throws {
    let path = folder.write("version: 2\ntarget: { command: [echo] }\n", to: "f.yaml")
    let outcome = try BuiltRunner.run(["run", "\(path):0"])

    #expect(outcome.exitCode != 0, "\(outcome.text)")
    #expect(outcome.text.contains("has no line 0"), "\(outcome.text)")
  }
}
