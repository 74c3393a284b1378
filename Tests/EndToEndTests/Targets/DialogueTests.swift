import Testing

@Suite("Dialogues")
struct DialogueTests {
  private func run(_ program: String, _ steps: String, more: String = "") throws
    -> BuiltRunner.Outcome
  {
    let project = try ProjectFolder()
    try project.write(program, to: "talk.py")
    try project.write(
      """
      version: 2
      timeout: 20s
      target: { command: [python3, -u, \(project.path)/talk.py]\(more) }
      steps:
      \(steps)

      """, to: "talk.yaml")
    return try project.scenario(["run", "talk.yaml"])
  }

  private static let prompt = """
    import sys
    while True:
        print("ready> ", end="")
        line = sys.stdin.readline()
        if not line: break
        print("FAIL" + "URE" if line == "bad\\n" else "fine")
    """

  @Test("The prompt that comes again is not the one that was answered", arguments: 1...5)
  func prompt(round: Int) throws {
    let steps = """
        - start:
        - wait: { stdout: 'ready> $' }
        - send: "bad\\n"
        - wait: { stdout: 'ready> $' }
        - expect: { stdout: { not: { contains: FAILURE } } }
        - close: stdin
        - wait: exit
      """
    let outcome = try run(Self.prompt, steps)
    #expect(outcome.exitCode == 1 && outcome.output.contains("FAILURE"), "\(outcome.text)")
    let good = try run(Self.prompt, steps.replacing("bad", with: "good"))
    good.expectExit(0)
  }

  @Test("What readiness has matched is no answer to what is sent behind it")
  func readiness() throws {
    let steps = """
        - start:
        - send: "bad\\n"
        - wait: { stdout: 'ready> $' }
        - expect: { stdout: { contains: FAILURE } }
        - close: stdin
        - wait: exit
      """
    let outcome = try run(Self.prompt, steps, more: ", ready: { stdout: 'ready> $' }")
    outcome.expectExit(0)
  }

  @Test("Two waits need two lines, and what came before is reported")
  func twice() throws {
    let steps = """
        - start:
        - wait: { stdout: tick }
        - wait: { stdout: tick }
        - wait: { stderr: tock }
        - wait: exit
      """
    let program = "import sys\nprint('tick')\nprint('tock', file=sys.stderr)\n"
    let once = try run(program, steps)
    once.expectExit(1)
    #expect(once.output.contains("stdout matches earlier"), "\(once.text)")
    try run(program + "print('tick')\n", steps).expectExit(0)
  }

  @Test("Another start is another dialogue")
  func anotherStart() throws {
    let steps = """
        - start:
        - wait: { stdout: tick }
        - wait: exit
        - start:
        - wait: { stdout: tick }
        - wait: exit
      """
    try run("print('tick')\n", steps).expectExit(0)
  }

  @Test("A group of readiness is taken from a line that is whole")
  func halfLine() throws {
    let program = """
      import sys, time
      sys.stdout.write("port 123"); sys.stdout.flush()
      time.sleep(0.3)
      print("45")
      sys.stdin.readline()
      """
    func outcome(_ program: String, _ port: String) throws -> BuiltRunner.Outcome {
      try run(
        program,
        """
          - start:
          - exec: { command: [test, "${{ capture.port }}", =, "\(port)"] }
          - close: stdin
          - wait: exit
        """, more: ", ready: { stdout: 'port (?<port>\\d+)' }")
    }
    let whole = try outcome(program, "12345")
    whole.expectExit(0)
    try outcome(program, "123").expectExit(1)
    // Who ends no line is understood all the same.
    let rest = try outcome(program.replacing("time.sleep(0.3)\nprint(\"45\")\n", with: ""), "123")
    rest.expectExit(0)
  }
}
