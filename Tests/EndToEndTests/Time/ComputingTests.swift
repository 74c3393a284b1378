import Testing

@Suite("What computing costs")
struct ComputingTests {
  private static let spin = "\(BuiltRunner.root)/.build/programs/spin"

  private func run(_ command: String, clock: String, expect: String = "{ exit: 0 }") throws
    -> BuiltRunner.Outcome
  {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [\(command)] }
      clock: { at: 2030-01-01T00:00:00Z, \(clock) }
      timeout: 30m
      expect: \(expect)

      """, to: "computing.yaml")
    let outcome = try BuiltRunner.run(["run", "--show-output", "all", file])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A loop without end is ended by a timeout, whatever runs in it",
    arguments: ["while :; do :; done", "while :; do /bin/true; done"])
  func endless(loop: String) throws {
    let command = "timeout, 2s, sh, -c, \"\(loop)\""

    let outcome = try run(command, clock: "flow: auto", expect: "{ exit: 124, duration: 2s }")
    outcome.expectExit(0)

    // Its twin has another timeout.
    let twin = try run(
      "timeout, 3s, sh, -c, \"\(loop)\"", clock: "flow: auto, computing: real",
      expect: "{ exit: 124, duration: 2s }")
    twin.expectExit(1)
  }

  @Test(
    "Where computing is free, a time that somebody waits for does not come",
    arguments: [
      "timeout, 0.001, sh, -c, \"while :; do :; done\"", "\(spin), lock-crowd, \"50\", \"4\"",
    ])
  func free(command: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [\(command)] }
      clock: { flow: auto, computing: free }
      timeout: 2s

      """, to: "free.yaml")
    let outcome = try BuiltRunner.run(["run", file])

    outcome.expectExit(3)
    #expect(outcome.output.contains("0s virtual"), "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Threads that wait for each other's lock are charged together, so that one that sleeps wakes soon",
    arguments: [4, 20])
  func crowd(threadCount: Int) throws {
    let outcome = try run(
      "\(Self.spin), lock-crowd, \"50\", \"\(threadCount)\"", clock: "flow: auto")

    outcome.expectExit(0)
    // Two seconds of the processor's time are free, and each thread works for as long as the other one sleeps. Charged one
    // by one, they use fifteen and more.
    let spent = outcome.output.firstMatch(of: /spent_ns=([0-9]+)/).flatMap { Int64($0.1) }
    #expect(try #require(spent) < 10_000_000_000, "\(outcome.text)")
  }

  @Test(
    "Goroutines that spin until another has slept for microseconds get there, more of them than processors",
    arguments: [2, 20])
  func spinners(count: Int) throws {
    func run(_ expected: String) throws -> BuiltRunner.Outcome {
      try self.run(
        "\(BuiltRunner.root)/.build/programs/spinners, \"\(count)\"", clock: "flow: auto",
        expect: "{ exit: 0, stdout: { equals: \"\(expected)\\n\" } }")
    }

    let outcome = try run("all have ended")
    outcome.expectExit(0)
    let twin = try run("one has ended")
    twin.expectExit(1)
  }

  @Test("Whoever works until a time has come sees it, and the report says whose work it was")
  func deadline() throws {
    let outcome = try run(
      "\(Self.spin), until, \"50\"", clock: "flow: auto, computing: real", expect: "{ exit: 7 }")

    outcome.expectExit(1)
    #expect(outcome.output.contains("charged for what spin computed"), "\(outcome.text)")
  }

  @Test(
    "What a child computes behind the bound counts for its parent's timeout, and what it computes before does not",
    arguments: [("{ after: 10s }", true), ("x100", false)])
  func bound(computing: String, isInTime: Bool) throws {
    let outcome = try run(
      "\(Self.spin), stranger, \"500\"", clock: "flow: auto, computing: \(computing)")

    outcome.expectExit(0)
    #expect(outcome.output.contains("in_time=\(isInTime ? 1 : 0)"), "\(outcome.text)")
  }
}
