import Testing

@Suite("Steps that are due whatever happened, and commands with variables of their own")
struct AlwaysTests {
  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltRunner.run(["run", folder.write("version: 2\n" + text, to: "always.yaml")])
  }

  private static let text = """
    target: { command: [bash, -c, 'case $0 in clean) curl -s http://api.example.com/x; cat;; *) exit 0; esac'] }
    steps:
      - run: [work]
        expect: { exit: 0 }
    cleanup:
      - responses: [{ GET http://api.example.com/x: { text: "gone " } }]
      - start: [clean]
      - send: all
      - close: stdin
      - wait: exit
        expect: { stdout: gone all }

    """

  @Test("A target can be run once more, with replies and input of its own, also behind a failure")
  func runs() throws {
    let good = try run(Self.text)
    good.expectExit(0)
    let other = try run(Self.text.replacing("stdout: gone all", with: "stdout: left all"))
    #expect(other.exitCode == 1 && other.text.contains("cleanup: stdout"), "\(other.text)")

    let failed = try run(Self.text.replacing("exit: 0", with: "exit: 1"))
    #expect(failed.exitCode == 1 && !failed.text.contains("cleanup:"), "\(failed.text)")
    let both = try run(
      Self.text.replacing("exit: 0", with: "exit: 1").replacing("gone all", with: "left all"))
    #expect(both.exitCode == 1 && both.text.contains("cleanup: stdout"), "\(both.text)")
  }

  @Test("What runs still must be stopped first; what took too long has been ended before")
  func running() throws {
    let text = """
      target: { command: [bash, -c, 'test $0 = clean && exit 3; echo up; exec sleep 1000'] }
      steps:
        - start: [work]
        - wait: { stdout: up }
      cleanup:
        - stop:
        - run: [clean]
          expect: { exit: 3 }

      """
    let good = try run(text)
    good.expectExit(0)
    let other = try run(text.replacing("exit: 3", with: "exit: 4"))
    #expect(other.exitCode == 1 && other.text.contains("cleanup: exit code"), "\(other.text)")
    let without = try run(text.replacing("  - stop:\n", with: ""))
    #expect(without.exitCode != 0, "\(without.text)")
    #expect(without.text.contains("is already running"), "\(without.text)")

    let late = "timeout: 1s\n" + text.replacing("stdout: up", with: "stdout: never")
    #expect(try !run(late.replacing("  - stop:\n", with: "")).text.contains("cleanup:"))
    let lateAndWrong = late.replacing("  - stop:\n", with: "").replacing("exit: 3", with: "exit: 4")
    #expect(try run(lateAndWrong).text.contains("cleanup: exit code"))
  }

  @Test("A command has the target's variables and its own, which win")
  func variables() throws {
    let text = """
      target: { command: [sh, -c, 'echo $A-$B'], env: { A: 1, B: 2 } }
      steps:
        - exec: { command: 'echo $A-$B-$C', env: { B: 3, C: "${{ dir }}" } }
          expect: { stdout: { matches: '^1-3-/.+' } }
        - run:
          expect: { stdout: 1-2 }

      """
    try run(text).expectExit(0)
    try run(text.replacing("B: 3", with: "B: 4")).expectExit(1)
    let pass = try run(text.replacing("env: { B: 3,", with: "env: { pass: [HOME], B: 3,"))
    #expect(pass.exitCode == 2 && pass.text.contains("\"pass\" is not allowed"), "\(pass.text)")
    let odd = try run(text.replacing("B: 3", with: "'B=': 3"))
    odd.expectExit(2)
  }

  @Test("A step that takes too long takes no time from the others")
  func timeOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    let place = "\(folder.path)/cleaned"
    let outcome = try BuiltRunner.run([
      "run",
      folder.write(
        """
        version: 2
        timeout: 1s
        target: { command: ["true"] }
        cleanup:
          - exec: "exec sleep 1000"
          - exec: "echo cleaned > \(place)"

        """, to: "always.yaml"),
    ])
    outcome.expectExit(3)
    #expect(outcome.output.contains("within 10s of real time, the limit of a step of `cleanup`"))
    #expect(outcome.output.ranges(of: "cleanup: the command").count == 1, "\(outcome.text)")
    #expect(TemporaryFolder.read(place) == "cleaned\n")
  }
}
