import Testing

/// What an author can get wrong about time: each text is fixed to the letter.
@Suite struct TimeMessageTests {
  @Test("A date that cannot be")
  func impossibleDate() {
    #expect(
      messages("version: 2\nsteps:\n  - travel: { to: 2026-04-31, steps: [ run: ] }\n") == """
        trial.yaml:3:19: error[E041]: the instant "2026-04-31" has no day 31
          |
        3 |   - travel: { to: 2026-04-31, steps: [ run: ] }
          |                   ^^^^^^^^^^
        help: April 2026 has 30 days

        """)
  }

  @Test("A year that 64 bits of nanoseconds cannot count to")
  func farYear() {
    let help = """
      help: clocks count nanoseconds from 1970 in 64 bits, which lasts from \
      1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z
      """
    #expect(
      messages("version: 2\nclock: { at: 2300-01-01 }\nsteps:\n  - freeze: 1600-01-01\n") == """
        trial.yaml:2:14: error[E041]: the instant "2300-01-01" is beyond what clocks can show
          |
        2 | clock: { at: 2300-01-01 }
          |              ^^^^^^^^^^
        \(help)

        trial.yaml:4:13: error[E041]: the instant "1600-01-01" is beyond what clocks can show
          |
        4 |   - freeze: 1600-01-01
          |             ^^^^^^^^^^
        \(help)

        """)
    #expect(brief("version: 2\nclock: { at: 2262-04-11T23:47:16Z }\n") == [])
    #expect(brief("version: 2\nclock: { at: 2262-04-11T23:47:17Z }\n").count == 1)
  }

  @Test(
    "A start that would be another one in each run", arguments: ["tomorrow 09:00", "+14d", "-1d"])
  func relativeStart(text: String) {
    #expect(
      messages("version: 2\nclock: { at: \(text) }\n") == """
        trial.yaml:2:14: error[E041]: "\(text)" is another instant each time it is read
          |
        2 | clock: { at: \(text) }
          |              \(String(repeating: "^", count: text.count))
        help: write the instant out, such as 2026-03-01T09:00:00Z, so that every run is the same; the \
        steps "travel" and "freeze" can start from the current virtual time

        """)
  }

  @Test("A tick into the past, and lengths that are negative")
  func negative() {
    #expect(
      messages("version: 2\nsteps:\n  - tick: -3s\n  - suspend: -8h\n") == """
        trial.yaml:3:11: error[E040]: "tick" must not be negative
          |
        3 |   - tick: -3s
          |           ^^^
        help: write 3s; to set the wall clock back, write "jump: -3s"

        trial.yaml:4:14: error[E028]: "suspend" must not be negative
          |
        4 |   - suspend: -8h
          |              ^^^
        help: write 8h

        """)
  }

  @Test("A duration beyond 292 years")
  func tooLong() {
    #expect(
      messages("version: 2\nsteps:\n  - tick: 15300w\n") == """
        trial.yaml:3:11: error[E040]: the duration "15300w" is too long
          |
        3 |   - tick: 15300w
          |           ^^^^^^
        help: the longest duration is 292 years

        """)
  }

  @Test("A rate of zero, a negative one, and those beyond the bounds")
  func rates() {
    #expect(
      messages(
        """
        version: 2
        clock: { flow: x0 }
        steps:
          - rate: x-1
          - rate: { to: x2000000, steps: [ run: ] }

        """) == """
          trial.yaml:2:16: error[E042]: the rate "x0" lets no time pass
            |
          2 | clock: { flow: x0 }
            |                ^^
          help: to hold the clocks write held

          trial.yaml:4:11: error[E042]: the rate "x-1" would let time pass backwards
            |
          4 |   - rate: x-1
            |           ^^^
          help: to put the wall clock back write a step "jump: -1h" or "travel:"

          trial.yaml:5:17: error[E042]: the rate "x2000000" is out of range
            |
          5 |   - rate: { to: x2000000, steps: [ run: ] }
            |                 ^^^^^^^^
          help: rates go from x0.000001 to x1000000

          """)
  }

  @Test("A flow that is no word")
  func flow() {
    #expect(
      messages("version: 2\nclock: { flow: heldd }\n") == """
        trial.yaml:2:16: error[E042]: unknown value "heldd" for "flow"
          |
        2 | clock: { flow: heldd }
          |                ^^^^^
        help: did you mean "held"? allowed values: auto, held, real, x60

        """)
  }

  @Test(
    "What computing cannot cost",
    arguments: [
      ("x0", "the rate \"x0\" lets no time pass"),
      ("fre", "unknown value \"fre\" for \"computing\""),
      ("2", "\"2\" is not a rate"), ("2s", "\"2s\" is a duration"),
      ("[real]", "\"computing\" must be a cost of computing, not a list"),
      ("{ afte: 2s }", "unknown key \"afte\" in \"computing\""),
      ("{ after: -2s }", "\"after\" must not be negative"),
      ("{ rate: x0 }", "the rate \"x0\" lets no time pass"),
    ])
  func computing(value: String, message: String) {
    let messages = brief("version: 2\nclock: { flow: auto, computing: \(value) }\n")

    #expect(messages.count == 1)
    #expect(messages.first?.hasSuffix(message) == true, "\(messages)")
  }

  @Test(
    "A rate of computing that is nought is told what does as much",
    arguments: ["x0", "{ rate: x0 }"])
  func freeComputing(value: String) {
    let text = messages("version: 2\nclock: { flow: auto, computing: \(value) }\n")
    #expect(
      text.contains("help: if computing takes no time, write computing: free"), "\(text)")
  }

  @Test("What a clock cannot say")
  func clockWords() {
    #expect(
      brief("version: 2\nclock: { settable: yes, file_times: fake, escapes: ignore }\n") == [
        "2:20: \"settable\" must be true or false, not the text \"yes\"",
        "2:37: unknown value \"fake\" for \"file_times\"",
        "2:52: unknown value \"ignore\" for \"escapes\"",
      ])
  }

  @Test("Expectations on waits that say nothing, or say it wrongly")
  func timers() {
    #expect(
      messages("version: 2\nexpect:\n  timers: { process: curl }\n") == """
        trial.yaml:3:11: error[E027]: "timers" has no condition
          |
        3 |   timers: { process: curl }
          |           ^^^^^^^^^^^^^^^^^
        help: add "waits: [1s, 2s]" or "count: 3"

        """)
    #expect(
      brief("version: 2\nexpect: { timers: [1, -1s, { betwen: [1s, 2s] }, [1s]], duration: 5 }\n")
        == [
          "2:20: the duration \"1\" has no unit",
          "2:23: \"an entry of \"timers\"\" must not be negative",
          "2:30: unknown key \"betwen\" in an entry of \"timers\"",
          "2:50: an entry of \"timers\" must be a duration or a map, not a list",
          "2:67: the duration \"5\" has no unit",
        ].map { $0.replacing("\"an entry of \"timers\"\"", with: "an entry of \"timers\"") })
    #expect(
      brief("version: 2\nexpect: { timers: 1s }\n") == [
        "2:19: \"timers\" must be a list or a map, not the text \"1s\""
      ])
  }

  @Test("Expectations on the clock that cannot hold")
  func clock() {
    #expect(
      brief(
        """
        version: 2
        expect: { clock: { between: [2026-03-02, 2026-03-01] } }
        steps:
          - { run: , expect: { clock: tomorrow } }
          - expect: { clock: { between: [2026-03-01] } }

        """) == [
          "2:30: the range from 2026-03-02T00:00:00Z to 2026-03-01T00:00:00Z is empty",
          "4:31: \"tomorrow\" is another instant each time it is read",
          "5:33: \"between\" needs two bounds, not 1",
        ])
  }
}
