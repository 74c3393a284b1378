import Testing

@Suite("Expectations on time")
struct TimeExpectationTests {
  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "time.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let retries = """
    version: 2
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    target: { command: [bash, -c, "sleep 1; sleep 2; sleep 4; sleep 0.05"] }

    """

  @Test(
    "What holds of the waits holds",
    arguments: [
      "timers: [1s, 2s, 4s, 50ms]",
      "timers: [1s, { between: [1s, 3s] }, { greater_than: 3s }, { less_than: 1s }]",
      "timers: { at_least: 100ms, waits: [1000ms, 2s, 4s] }",
      "timers: { process: 'sl*', call: [clock_nanosleep], count: 4 }",
      "timers: { process: bash, waits: [] }",
      "timers: { process: bash, count: 0 }",
      "timers: { call: poll, count: 0 }",
      "duration: 7.05s",
      "duration: { between: [7s, 8s] }",
      "duration: { not: { less_than: 7s } }",
      "clock: 2026-03-01T09:00:07.05Z",
      "clock: { between: [2026-03-01T09:00:07Z, 2026-03-01T09:00:08Z] }",
    ])
  func holds(expectation: String) throws {
    let outcome = try run(Self.retries + "expect: { \(expectation) }\n")

    outcome.expectExit(0)
  }

  @Test(
    "What does not hold of them fails",
    arguments: [
      ("timers: [1s, 2s, 4s]", "timers: expected [1s, 2s, 4s]"),
      ("timers: [2s, 1s, 4s, 50ms]", "timers: expected [2s, 1s, 4s, 50ms]"),
      ("timers: { count: 3 }", "number of waits: expected 3"),
      ("timers: { process: curl, count: 1 }", "the target made no such wait"),
      ("timers: { process: curl, count: 0 }", "timers: no program \"curl\" has run"),
      ("timers: { process: slep, waits: [] }", "did you mean \"sleep\"?"),
      ("duration: 7s", "duration: expected \"7s\""),
      ("duration: { greater_than: 8s }", "duration: expected a value greater than \"8s\""),
      ("clock: 2026-03-01T09:00:08Z", "clock: expected 2026-03-01T09:00:08Z"),
      (
        "clock: { between: [2026-03-01, 2026-03-01T09:00:07Z] }",
        "clock: expected between 2026-03-01T00:00:00Z and 2026-03-01T09:00:07Z"
      ),
    ])
  func fails(expectation: String, message: String) throws {
    let outcome = try run(Self.retries + "expect: { \(expectation) }\n")

    outcome.expectExit(1)
    #expect(outcome.output.contains(message), "\(outcome.text)")
  }

  @Test("A failure shows asked and expected side by side, with who asked, and how time passed")
  func shows() throws {
    let outcome = try run(
      Self.retries + "expect: { timers: { at_least: 1s, waits: [1s, 3s, 4s] } }\n")

    #expect(
      outcome.output.contains(
        """
        4 | expect: { timers: { at_least: 1s, waits: [1s, 3s, 4s] } }
          |           ^^^^^^ [1s, 2s, 4s]
         1s      sleep in clock_nanosleep
        -3s
        +2s      sleep in clock_nanosleep
         4s      sleep in clock_nanosleep
        (1 other wait is not part of the expectation)
        failed after: 7.05s virtual (
        """), "\(outcome.text)")
    let moves = ["+2s", "+4s", "+50ms"].map { "sleep  time \($0), in clock_nanosleep" }
    var rest = outcome.output[...]
    for move in moves {
      let place = try #require(rest.firstRange(of: move), "\(move) in \(outcome.text)")
      rest = rest[place.upperBound...]
    }
  }

  @Test("Waits are counted over all starts of a scenario, and after any step")
  func overAllStarts() throws {
    let text = """
      version: 2
      clock: { flow: auto }
      target: { command: [sleep] }
      steps:
        - run: ["1"]
          expect: { timers: [1s], duration: 1s }
        - run: ["2"]
          expect: { timers: [1s, 2s], duration: 3s }

      """

    try run(text).expectExit(0)
    try run(text.replacing("[1s, 2s]", with: "[2s]")).expectExit(1)
  }

  @Test("An expectation on time gives a clock to a scenario that has none")
  func bringsClock() throws {
    let text = """
      version: 2
      target: { command: [sleep, "0.01"] }
      expect: { timers: [10ms], duration: { greater_than: 10ms } }

      """

    try run(text).expectExit(0)
    try run(text.replacing("[10ms]", with: "[20ms]")).expectExit(1)
  }

  // MARK: - Steps

  @Test("A fast clock needs little real time, and a block of it ends with the block")
  func rates() throws {
    let text = """
      version: 2
      timeout: 10s
      clock: { at: 2026-03-01T09:00:00Z, flow: held }
      target: { command: [bash, -c, "sleep 60; echo woken; sleep 60"] }
      steps:
        - start:
        - rate:
            to: x100000
            steps:
              - wait: { stdout: woken }
        - expect: { stdout: woken, duration: { greater_than: 60s } }
        - tick: idle
          expect: { exit: 0, timers: [1m, 1m] }

      """

    let outcome = try run(text)
    outcome.expectExit(0)
    let slow = text.replacing("x100000", with: "x1").replacing("timeout: 10s", with: "timeout: 1s")
    try run(slow).expectExit(3)
  }

  @Test("A suspended machine misses no time on the wall, and no timer runs meanwhile")
  func suspend() throws {
    let text = """
      version: 2
      clock: { at: 2026-03-01T22:00:00Z, flow: held }
      target: { command: [bash, -c, "sleep 1h; date -u +%T"] }
      steps:
        - start:
        - suspend: 8h
          expect: { stdout: { empty: true }, duration: 0s, clock: 2026-03-02T06:00:00Z }
        - tick: 1h
          expect: { stdout: "07:00:00", duration: 1h }
        - wait: exit

      """

    let outcome = try run(text)
    outcome.expectExit(0)
    try run(text.replacing("suspend: 8h", with: "tick: 8h")).expectExit(1)
  }

  @Test("A journey to a day seen from the current one")
  func days() throws {
    let text = """
      version: 2
      clock: { at: 2026-03-04T11:00:00Z, flow: held }
      target: { command: [date, -u, "+%F %T"] }
      steps:
        - travel: tomorrow 09:00
        - run:
          expect: { stdout: "2026-03-05 09:00:00" }
        - freeze: monday 07:30
        - run:
          expect: { stdout: "2026-03-09 07:30:00" }

      """

    let outcome = try run(text)
    outcome.expectExit(0)
    try run(text.replacing("tomorrow", with: "today")).expectExit(1)
  }

  @Test("A step that would take the wall clock where clocks cannot go fails, and names the place")
  func farAway() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2250-01-01, flow: held }
      target: { command: [date] }
      steps:
        - jump: 5000d
        - run:

      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains(":5:5: error: the wall clock would leave its range"))
  }

  @Test("A tick until nothing waits ends also where something always waits, and says so")
  func endless() throws {
    let outcome = try run(
      """
      version: 2
      timeout: 20m
      clock: { flow: held }
      target: { command: [python3, -c, "import time\\nwhile True: time.sleep(1)"] }
      steps:
        - start:
        - tick: idle

      """)

    outcome.expectExit(3)
    #expect(
      outcome.output.contains("only repeats waits and does nothing else"), "\(outcome.text)")
    #expect(outcome.output.contains("× 1s by python3 in clock_nanosleep"), "\(outcome.text)")
    let last = outcome.output.split(separator: "\n").last { $0.contains("time +1s, in clock_nano") }
    #expect(last?.contains("[1] python3") ?? false, "\(outcome.text)")
    #expect(last?.contains("(×") ?? false, "\(outcome.text)")
  }

  @Test(
    "A program that sleeps a nanosecond more than it is asked to has slept as long",
    arguments: [
      (1, "1d", 0), (1_000_000, "1d", 1), (1, "1d0.000000002s", 1), (1, "1d0.000000001s", 0),
      // What holds of the length as it is holds, though it would not of the rounded one.
      (1, "{ greater_than: 1d }", 0), (0, "{ greater_than: 1d }", 1),
      (-1, "{ less_than: 1d }", 0), (0, "{ less_than: 1d }", 1),
      // An opposite holds where its condition does not.
      (1, "{ not: 1d }", 1), (0, "{ not: 1d }", 1), (1_000_000, "{ not: 1d }", 0),
      (1, "{ not: { greater_than: 1d } }", 1), (0, "{ not: { greater_than: 1d } }", 0),
      (1, "{ not: 1d0.000000002s }", 0), (1, "{ not: { in: [1d, 2d] } }", 1),
      (1, "{ not: { between: [1h, 1d] } }", 1),
    ])
  func surplus(nanoseconds: Int, expected: String, exitCode: Int32) throws {
    let folder = try TemporaryFolder()
    // As coreutils 9.7 does; no time passes before it.
    let program =
      "import ctypes; libc = ctypes.CDLL(None);"
      + " libc.nanosleep(ctypes.byref((ctypes.c_long * 2)(*divmod(86400 * 10**9 + \(nanoseconds), 10**9))), None)"
    let path = folder.write(
      """
      version: 2
      target: { command: [python3, -c, "\(program)"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      expect:
        exit: 0
        duration: \(expected)
        timers: { call: clock_nanosleep, waits: [\(expected)] }
      """, to: "surplus.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
  }
}
