import Foundations
import ScenarioCompiler
import ScenarioPlan
import Testing

@Suite("Planning of chaos")
struct ChaosPlanningTests {
  private func plan(_ entries: String) throws -> [Diagnostic] {
    try Samples.plan(
      """
      target: { command: [./program] }
      responses: [{ "GET https://h/": { text: x } }]
      steps: [{ name: save, run: }]
      chaos: [\(entries)]
      """
    ).diagnostics
  }

  @Test(
    "What cannot be is an error before anything runs",
    arguments: [
      ("call: '@nte', provide: nil", "unknown group \"@nte\"", "did you mean \"@net\"?"),
      ("call: fsnyc, provide: nil", "unknown call \"fsnyc\"", "did you mean \"fsync\"?"),
      ("call: opnat, provide: nil", "unknown call \"opnat\"", "did you mean \"openat\"?"),
      ("call: read, provide: { error: EIOO }", "unknown error \"EIOO\"", "did you mean \"EIO\"?"),
      (
        "call: read, provide: { sequence: [original, { delay: 1s, then: { error: EX } }] }",
        "unknown error \"EX\"", ""
      ),
      (
        "call: read, provide: { constant: text }", "\"read\" returns a whole number, not text", ""
      ),
      (
        "call: read, provide: { constant: 0.5 }", "\"read\" returns a whole number, not 0.5", ""
      ),
      (
        "function: sin, provide: { constant: 0.5, errno: EDOM }",
        "\"errno\" cannot be combined with a fraction", "{ constant: 0, errno: EDOM }"
      ),
      ("call: read, provide: { constant: -5 }", "the caller reads -5 as errno 5", ""),
      (
        "call: read, provide: { constant: 3, errno: EIO }",
        "\"errno\" needs the result -1, not 3", ""
      ),
      ("call: fsync, provide: { short: 1 }", "\"fsync\" cannot be made short", ""),
      ("call: sendfile, provide: { corrupt: { zero: 1 } }", "\"sendfile\" has no bytes", ""),
      ("call: open, provide: lie", "\"lie\" is not supported for \"open\"", ""),
      ("call: read, provide: lie", "\"lie\" is not supported for \"read\"", ""),
      ("call: read, provide: { signal: NOPE }", "unknown signal \"NOPE\"", ""),
      ("call: read, provide: { compute: 'arg[1]' }", "unknown name \"arg\"", "did you mean"),
      (
        "call: read, provide: { compute: { args: { 1: result } } }",
        "an argument cannot depend on the result", ""
      ),
      ("call: read, provide: { exec: ./missing }", "does not exist", ""),
      ("call: fsync, where: { flags: O_APPEND }, provide: nil", "\"fsync\" has no flags", ""),
      (
        "call: open, where: { flags: O_APEND }, provide: nil", "unknown flag \"O_APEND\"",
        "did you mean \"O_APPEND\"?"
      ),
      ("call: mkdir, where: { fd: tcp }, provide: nil", "\"mkdir\" takes no descriptor", ""),
      ("call: fsync, where: { size: 1 }, provide: nil", "\"fsync\" has no number", ""),
      ("call: fsync, where: { offset: 1 }, provide: nil", "\"fsync\" has no file offset", ""),
      ("call: mkdir, where: { port: 1 }, provide: nil", "\"mkdir\" takes no address", ""),
      ("call: fsync, where: { process: '[x' }, provide: nil", "the pattern \"[x\"", ""),
      (
        "call: fsync, when: { during: svae }, provide: nil", "unknown step \"svae\"",
        "did you mean \"save\"?"
      ),
      (
        "call: fsync, when: { on: { reply: GET https://g/ } }, provide: nil",
        "unknown response \"GET https://g/\"", "did you mean"
      ),
      (
        "call: fsync, when: { from: +2s, until: +1s }, provide: nil", "\"until\" is not after", ""
      ),
      (
        "call: fsync, when: { from: tomorrow }, provide: nil",
        "\"from\" is another instant", ""
      ),
      (
        "call: fsync, when: { probability: 0 }, provide: nil",
        "the entry never fires: its probability is 0", ""
      ),
    ])
  func mistakes(entry: String, message: String, help: String) throws {
    let found = try plan("{ \(entry) }")

    let diagnostic = try #require(
      found.first { $0.message.contains(message) }, "\(found.map(\.message))")
    #expect(diagnostic.severity == .error)
    #expect(diagnostic.range?.line == 4)
    if !help.isEmpty { #expect(diagnostic.help?.contains(help) == true) }
  }

  @Test(
    "An errno that the call's manual page does not name is a warning, and one that the kernel returns is none",
    arguments: [
      ("fsync", "ECONNREFUSED", true), ("fsync", "EIO", false), ("rename", "EIO", false),
      ("[fsync, connect]", "ECONNREFUSED", false), ("lseek", "EIO", true),
    ])
  func undocumented(call: String, error: String, isWarned: Bool) throws {
    let found = try plan("{ call: \(call), provide: { error: \(error) } }")

    #expect(found.contains { $0.severity == .warning && $0.message.contains(error) } == isWarned)
    #expect(!found.contains { $0.severity == .error })
    // Of lseek(2) no error is common.
    #expect(
      found.contains { $0.help?.contains("more common: ") == true }
        == (isWarned && call != "lseek"))
  }

  @Test("A step cannot apply what does not exist")
  func selections() throws {
    let found = try Samples.errors(
      """
      target: { command: [./program] }
      chaos: [{ name: journal, call: fsync, apply: false, provide: nil }]
      steps: [{ run: }, { apply: jornal }, { revert: journal }]
      """)

    #expect(found.map(\.message) == ["unknown chaos entry \"jornal\""])
    #expect(found.first?.help?.contains("did you mean \"journal\"?") == true)
  }

  @Test("An entry that an earlier one shadows is a warning, and one that it does not is none")
  func shadows() throws {
    func warnings(_ entries: String) throws -> [String] {
      try plan(entries).filter { $0.severity == .warning }.map(\.message)
    }
    let all = "{ name: a, call: [fsync, write], provide: { error: EIO } }"

    #expect(
      try warnings("\(all), { name: b, call: fsync, where: { path: /x }, provide: nil }")
        == ["the chaos entry \"b\" never fires: \"a\" matches all of its calls"])
    #expect(try warnings("\(all), { name: b, call: [fsync, read], provide: nil }") == [])
    #expect(
      try warnings(
        "{ name: a, call: fsync, when: { times: 1 }, provide: nil }, "
          + "{ name: b, call: fsync, provide: nil }") == [])
    #expect(
      try warnings(
        "{ name: a, call: fsync, where: { path: /y }, provide: nil }, "
          + "{ name: b, call: fsync, provide: nil }") == [])
    #expect(
      try warnings("\(all), { name: b, call: fsync, apply: false, provide: nil }")
        == ["no step applies the chaos entry \"b\""])
  }

  @Test("Entries of one name get names of their own, so that each draws its own numbers")
  func names() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      chaos:
        - { call: read, when: { times: 1 }, provide: nil }
        - { call: read, when: { times: 2 }, provide: nil }
      """)

    #expect(planned.chaos.map(\.name) == ["read", "read #2"])
  }

  @Test("What waits for time gives the case a clock")
  func clocks() throws {
    func clock(_ entry: String) throws -> PlannedClock? {
      try Samples.onlyCase("target: { command: [./program] }\nchaos: [{ \(entry) }]").clock
    }

    #expect(try clock("call: read, provide: { delay: 1s }") != nil)
    #expect(try clock("call: read, provide: { sequence: [original, hang] }") != nil)
    #expect(try clock("call: read, when: { from: +1s }, provide: nil") != nil)
    #expect(try clock("call: read, provide: nil") == nil)
  }

  @Test("A plan with every provider reads back from its JSON")
  func json() throws {
    let plan = try #require(
      try Samples.plan(
        """
        target: { command: [./program] }
        chaos:
          - call: read
            where: { fd: tcp, size: { greater_than: 1 }, process: 2, args: { 0: 3 } }
            when: { every: 2, probability: 0.5, from: +1s }
            provide:
              match:
                - where: { thread: a }
                  provide: { sequence: [original, nil, { random: [0, 9] }, { short: 1 }, hang] }
                - { where: { port: 1 }, provide: { compute: { args: { 2: "args[2] / 2" } } } }
                - { where: { port: 2 }, provide: { corrupt: { flip_bits: 1 } } }
                - { where: { port: 3 }, provide: { random: { error: documented } } }
              else: { delay: [1s, 2s], then: { signal: TERM, then: { exit: 3 } } }
        """
      ).plan)

    #expect(try ExecutionPlan(jsonText: plan.jsonText()) == plan)
    #expect(plan.summary().contains { $0.contains("every 2; probability 0.5; ") })
  }
}
