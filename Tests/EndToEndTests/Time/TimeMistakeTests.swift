import Testing

@Suite("Mistakes about time")
struct TimeMistakeTests {
  /// Checks a file that must be wrong; what was said of it, the path aside.
  private func check(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "mistake.yaml")
    let outcome = try BuiltRunner.run(["check", path])
    outcome.expectExit(2)
    return outcome.errorOutput.replacing(path, with: "mistake.yaml")
  }

  @Test("A block for nobody: no target runs before it or in it")
  func blockWithoutTarget() throws {
    let text = """
      version: 2
      target: { command: [date] }
      steps:
        - freeze: { steps: [ { expect: { duration: 0s } } ] }
        - run:

      """
    #expect(
      try check(text).hasPrefix(
        """
        mistake.yaml:4:5: error[E087]: no target runs during this block
          |
        4 |   - freeze: { steps: [ { expect: { duration: 0s } } ] }
          |     ^^^^^^
        help: add "- start:" before it, or "- run:" in its "steps"

        """))
  }

  @Test("A time zone that the machine does not have is warned of, and a right one is not")
  func zone() throws {
    func run(_ zone: String) throws -> BuiltRunner.Outcome {
      let folder = try TemporaryFolder()
      let path = folder.write(
        """
        version: 2
        target: { command: [date, +%Z], env: { TZ: '\(zone)' } }
        clock: { at: 2026-01-01T00:00:00Z, flow: auto }

        """, to: "zone.yaml")
      return try BuiltRunner.run(["run", path])
    }
    let wrong = try run("Europe/Berlim")
    wrong.expectExit(0)
    #expect(
      wrong.text.contains("TZ is \"Europe/Berlim\", which is not a time zone of this machine"),
      "\(wrong.text)")
    #expect(wrong.text.contains("did you mean \"Europe/Berlin\"?"), "\(wrong.text)")
    for (zone, help) in [
      ("Europe/Berlin ", "did you mean \"Europe/Berlin\"?"),
      ("/usr/share/zoneinfo/Europe/Berln", "did you mean \"Europe/Berlin\"?"),
      (":/etc/nope", "write a name such as Europe/Berlin"),
    ] {
      let wrong = try run(zone)
      #expect(wrong.exitCode == 0 && wrong.text.contains("not a time zone"), "\(wrong.text)")
      #expect(wrong.text.contains(help), "\(wrong.text)")
    }
    for zone in [
      "Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin", "UTC", "CET-1CEST,M3.5.0,M10.5.0/3",
    ] {
      let right = try run(zone)
      #expect(right.exitCode == 0 && !right.text.contains("time zone"), "\(right.text)")
    }
  }

  @Test("A block behind the target's end")
  func blockBehindTheEnd() throws {
    let text = """
      version: 2
      target: { command: [date] }
      steps:
        - run:
        - rate: { to: x60, steps: [ tick: 1s ] }

      """
    #expect(
      try check(text).hasPrefix(
        """
        mistake.yaml:5:5: error[E087]: the target has ended before this block
          |
        5 |   - rate: { to: x60, steps: [ tick: 1s ] }
          |     ^^^^
        help: add "- start:" before it, or "- run:" in its "steps"

        """))
  }

  @Test(
    "A wait for a target that was never started",
    arguments: ["wait: idle", "tick: next", "tick: idle"])
  func nothingStarted(step: String) throws {
    let text = "version: 2\ntarget: { command: [date] }\nsteps:\n  - \(step)\n  - run:\n"
    let keyword = step.prefix { $0 != ":" }
    #expect(
      try check(text).hasPrefix(
        """
        mistake.yaml:4:5: error[E087]: no target has been started yet
          |
        4 |   - \(step)
          |     \(String(repeating: "^", count: keyword.count))
        help: add "- start:" before this step

        """))
  }

  @Test("Steps that move time further than clocks count")
  func tooFar() throws {
    let text = """
      version: 2
      target: { command: [date] }
      steps:
        - tick: 5000w
        - run:
        - suspend: 6000w

      """
    #expect(
      try check(text).hasPrefix(
        """
        mistake.yaml:6:14: error[E028]: the steps up to here move time by 77000d, which is more than 200 years
          |
        6 |   - suspend: 6000w
          |              ^^^^^
        help: to set the wall clock to a distant date, use "travel:"

        """))
  }

  @Test("A call that never waits for time")
  func unknownCall() throws {
    let text = """
      version: 2
      target: { command: [date] }
      expect: { timers: { call: [nanoslep], count: 1 } }

      """
    let said = try check(text)
    #expect(
      said.hasPrefix(
        """
        mistake.yaml:3:28: error[E105]: "nanoslep" is not a call with a timeout
          |
        3 | expect: { timers: { call: [nanoslep], count: 1 } }
          |                            ^^^^^^^^
        help: did you mean "nanosleep"? known calls:
        """), "\(said)")
  }

  @Test("Bounds that no length lies between")
  func emptyBounds() throws {
    let text = """
      version: 2
      target: { command: [date] }
      expect: { duration: { between: [6s, 5s] } }

      """
    #expect(try check(text).contains("mistake.yaml:3:33: error[E029]: the range from"))
  }

  @Test("Time steps before the target runs are no mistake")
  func early() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [date] }
      steps:
        - travel: 1985-10-26
        - rate: x60
        - suspend: 8h
        - tick: 3s
        - freeze: { steps: [ run: ] }

      """, to: "early.yaml")
    try BuiltRunner.run(["check", path]).expectExit(0)
  }
}
