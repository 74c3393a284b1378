import Testing

@Suite("Polls that may be late")
struct SlackTests {
  /// What a program prints that waits 200 times for a tenth of a second, in milliseconds.
  private func length(_ kind: String, clock: String) throws -> Int {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [\(BuiltRunner.root)/.build/programs/polls, \(kind), "200"] }
      clock: { at: 2030-01-01T00:00:00Z, \(clock) }
      timeout: 5m

      """, to: "polls.yaml")
    let outcome = try BuiltRunner.run(["run", "--show-output", "all", file])
    outcome.expectExit(0)
    let lines = outcome.output.split(separator: "\n")
    return Int(lines.first { $0.hasPrefix("  ") }?.dropFirst(2) ?? "") ?? -1
  }

  @Test(
    "A thread that polls and does nothing is late by the slack, once that is known of it",
    arguments: ["sleep", "poll", "epoll", "condition", "reading"])
  func idle(kind: String) throws {
    // Sixteen waits are exact, the others take 1.1 s.
    #expect(try length(kind, clock: "flow: auto, slack: 1s") == 16 * 100 + 184 * 1_100)
    #expect(try length(kind, clock: "flow: auto") == 20_000)
  }

  @Test(
    "One that does something behind each wait is never late, nor one that is woken",
    arguments: [
      ("writing", 20_000), ("woken", 10_000),
    ])
  func busy(kind: String, expected: Int) throws {
    #expect(try length(kind, clock: "flow: auto, slack: 1s") == expected)
  }

  @Test("Whoever does something is at its instant, also beside one that polls")
  func beside() throws {
    #expect(try length("beside", clock: "flow: auto, slack: 1s") == 0)
  }

  @Test("A tick ends at its instant, and what was due before has come", arguments: ["1s", "100h"])
  func tick(slack: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [python3, -u, -c, "import time\\nfor n in range(99): time.sleep(100)\\nprint(time.monotonic())"] }
      clock: { flow: held, slack: \(slack) }
      timeout: 5m
      steps:
        - start:
        - tick: 98m
        - { tick: 2h, expect: { stdout: { matches: '^\\d+' } } }
      expect: { duration: 218m }

      """, to: "tick.yaml")
    let outcome = try BuiltRunner.run(["run", file])

    #expect(outcome.exitCode == (slack == "1s" ? 0 : 1), "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }

  @Test("A run that is busy with polls says what slack would do")
  func help() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [\(BuiltRunner.root)/.build/programs/polls, sleep, "2000000000"] }
      clock: { flow: auto }
      timeout: 3s

      """, to: "help.yaml")
    let outcome = try BuiltRunner.run(["run", file])

    outcome.expectExit(3)
    #expect(outcome.output.contains("clock: { slack: 1s }"), "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }
}
