import Testing

/// What an author can get wrong in a time step, and that the help is the way out.
@Suite struct TimeStepMessageTests {
  private static func file(_ step: String) -> String {
    "version: 2\nsteps:\n  - \(step)\n"
  }

  /// The first help of the messages on a file with one step.
  private func help(_ step: String) -> String? {
    messages(Self.file(step)).split(separator: "\n").first { $0.hasPrefix("help: ") }
      .map { String($0.dropFirst("help: ".count)) }
  }

  @Test(
    "A step without its value says what can stand there",
    arguments: [
      (
        "tick:", "\"tick\" must be a duration, next or idle, not nothing",
        "write a duration such as 3s, or next, or idle"
      ),
      (
        "jump: ~", "\"jump\" must be a duration, not null",
        "write numbers with units, such as 250ms, 3s, 1h30m or 14d"
      ),
      (
        "suspend: [8h]", "\"suspend\" must be a duration, not a list",
        "write numbers with units, such as 250ms, 3s, 1h30m or 14d"
      ),
      (
        "rate:", "\"rate\" must be a rate, not nothing",
        "write x and a number, such as x60 for a minute in each second, or x0.5 for half as fast"
      ),
      (
        "travel:", "\"travel\" must be an instant, not nothing",
        "write RFC 3339 (1985-10-26T01:21:00Z), a date (1985-10-26), seconds since 1970 "
          + "(@499137660) or November 12, 1955 06:38"
      ),
      (
        "tick: \"${{ n }}s\"", "\"tick\" cannot contain an expression that uses n",
        "write a duration such as 3s, or next, or idle; an expression can use only vars and matrix here"
      ),
    ])
  func missingValue(step: String, message: String, help: String) {
    let column =
      5
      + (step.firstIndex(of: " ").map { step.distance(from: step.startIndex, to: $0) + 1 }
        ?? step.count)
    #expect(brief(Self.file(step)) == ["3:\(column): \(message)"])
    #expect(self.help(step) == help)
  }

  @Test(
    "A step that has no block form says so",
    arguments: [
      ("suspend: { by: 8h, steps: [ run: ] }", "suspend: 8h"), ("tick: {}", "tick: 3s"),
    ])
  func noBlock(step: String, written: String) {
    let keyword = String(step.prefix { $0 != ":" })
    #expect(
      brief(Self.file(step)) == ["3:\(7 + keyword.count): \"\(keyword)\" has no block form"])
    #expect(help(step) == "write \"\(written)\"; travel, jump, freeze and rate have block forms")
    #expect(brief(Self.file(written)) == [])
  }

  @Test("A block without a step")
  func emptyBlock() {
    #expect(
      messages(Self.file("freeze: { steps: [] }")) == """
        trial.yaml:3:22: error[E027]: "steps" is empty
          |
        3 |   - freeze: { steps: [] }
          |                      ^^
        help: add a step

        """)
    #expect(brief(Self.file("freeze: { steps: [ run: ] }")) == [])
  }

  @Test(
    "What the help says to write is accepted",
    arguments: [
      ("tick: nxt", "did you mean \"next\"?", "tick: next"),
      ("tick: Idel", "did you mean \"idle\"?", "tick: idle"),
      ("tick: until", "write a duration such as 3s, or next, or idle", "tick: 3s"),
      ("tick: -3s", "write 3s; to set the wall clock back, write \"jump: -3s\"", "jump: -3s"),
      ("tick: 1h 30m", "write 1h30m", "tick: 1h30m"),
      ("wait: 3s", "write \"tick: 3s\" to let time pass", "tick: 3s"),
      ("rate: 0", "to hold the clocks write \"freeze:\" in place of \"rate:\"", "freeze:"),
      ("rate: x0.0", "to hold the clocks write \"freeze:\" in place of \"rate:\"", "freeze:"),
      ("rate: held", "to hold the clocks write \"freeze:\" in place of \"rate:\"", "freeze:"),
      (
        "rate: { to: held, steps: [ run: ] }",
        "to hold the clocks write \"freeze:\" in place of \"rate:\"",
        "freeze: { steps: [ run: ] }"
      ),
      ("rate: auto", "to return to the flow of \"clock:\", write \"return:\"", "return:"),
      (
        "rate: real", "write x1, or \"return:\" to return to the flow of \"clock:\"", "rate: x1"
      ),
      (
        "rate: -2", "to put the wall clock back write a step \"jump: -1h\" or \"travel:\"",
        "jump: -1h"
      ),
      ("rate: 60x", "write \"x60\"", "rate: x60"),
      ("travel: now", "write +0s for the current virtual time", "travel: +0s"),
      (
        "travel: 1955", "write @1955 for seconds since 1970, or 1955-01-01 for a day",
        "travel: 1955-01-01"
      ),
      ("travel: 2026-1-1", "write 2026-01-01", "travel: 2026-01-01"),
      (
        "travel: yesterday 9:00",
        "write the time of day with two digits for each part, such as yesterday 09:00",
        "travel: yesterday 09:00"
      ),
      ("freeze: 3s", "write \"+3s\" for a shift from the current virtual time", "freeze: +3s"),
    ])
  func followedHelp(wrong: String, help: String, right: String) {
    #expect(brief(Self.file(wrong)).count == 1)
    #expect(self.help(wrong) == help)
    #expect(brief(Self.file(right)) == [])
  }

  @Test("A word that nothing stands for names the words, not an empty text")
  func words() {
    let text = "version: 2\nclock: { file_times: }\nexpect: { timers: { call: , count: 1 } }\n"
    let said = messages(text)
    #expect(said.contains("help: write one of: real, virtual\n"))
    #expect(said.contains("help: write a call such as nanosleep\n"))
    #expect(
      brief("version: 2\nclock: { at: now }\n") == [
        "2:14: \"now\" is another instant each time it is read"
      ])
  }
}
