import Foundations
import Testing

@Suite("Expectations that say nothing, or too much")
struct MatcherReviewTests {
  private func found(
    _ expect: String, head: String = "target: { command: [./program] }"
  ) throws -> [Diagnostic] {
    try Samples.plan("\(head)\nexpect: { \(expect) }").diagnostics
  }

  @Test(
    "An expectation that cannot fail is warned of, and its like is not",
    arguments: [
      (
        "stdout: { contains: '' }", "stdout: { contains: ' ' }",
        "a text always meets this condition: contains \"\""
      ),
      (
        "stderr: { matches: '.*' }", "stderr: { matches: '.+' }",
        "a text always meets this condition: matches /.*/"
      ),
      (
        "stderr: { matches: '^' }", "stderr: { matches: '^$' }",
        "a text always meets this condition: matches /^/"
      ),
      (
        "stdout: { matches: '^.*' }", "stdout: { matches: '^[^x]*$' }",
        "a text always meets this condition: matches /^.*/"
      ),
      (
        "stdout: { matches: 'a*' }", "stdout: { matches: '^a*$' }",
        "a text always meets this condition: matches /a*/"
      ),
      (
        "stdout: { contains: '', matches: a }", "stdout: { contains: b, matches: a }",
        "a text always meets this condition: contains \"\""
      ),
      (
        "stdout: { starts_with: '' }", "stdout: { starts_with: ' ' }",
        "a text always meets this condition: starts with \"\""
      ),
      (
        "stderr: { ends_with: '' }", "stderr: { not: { ends_with: a } }",
        "a text always meets this condition: ends with \"\""
      ),
      (
        "stdout: { matches: '' }", "stdout: { matches: '^$' }",
        "a text always meets this condition: matches //"
      ),
      (
        "stdout: { length: { at_least: 0 } }", "stdout: { length: { at_least: 1 } }",
        "a text always meets this condition: has a length that is at least 0"
      ),
      (
        "stdout: { line_count: { at_least: 0 } }", "stdout: { lines: [{ starts_with: '' }] }",
        "a text always meets this condition: has a number of lines that is at least 0"
      ),
      (
        "requests: [{ request: GET http://a.b/, count: { at_least: 0 } }]",
        "requests: [{ request: GET http://a.b/, count: { at_most: 0 } }]",
        "a count always meets this condition: is at least 0"
      ),
      (
        "timers: { count: { at_least: 0 } }", "timers: { count: { at_least: 1 } }",
        "a count always meets this condition: is at least 0"
      ),
      (
        "processes: { left: { greater_than: -1 } }", "processes: { left: { greater_than: 0 } }",
        "a count always meets this condition: is greater than -1"
      ),
      (
        "timers: { count: { greater_than: -1 } }", "timers: { count: { between: [0, 9] } }",
        "a count always meets this condition: is greater than -1"
      ),
      (
        "timers: { count: { not: -3 } }", "timers: { count: { not: 3 } }",
        "a count always meets this condition: not equals -3"
      ),
    ])
  func always(expect: String, other: String, message: String) throws {
    let mistakes = try found(expect)
    #expect(mistakes.map(\.message) == ["this cannot fail: \(message)"])
    #expect(mistakes.allSatisfy { $0.severity == .warning && $0.help != nil })
    #expect(try found(other).map(\.message) == [])
  }

  @Test("A part below a path that every text has is told of")
  func alwaysBelowPaths() throws {
    let mistakes = try found("stdout: { json: { $.a: { contains: '' } } }")
    #expect(mistakes.map(\.code) == [.cannotFail])
    #expect(mistakes.first?.message.hasPrefix("every text meets this condition: ") == true)
    #expect(try found("stdout: { json: { $.a: { contains: x } } }").isEmpty)
  }

  @Test(
    "An expectation that nothing can meet is an error, and its like is none",
    arguments: [
      ("exit: 300", "exit: 255", "an exit code: equals 300"),
      ("exit: -1", "exit: { not: 1 }", "an exit code: equals -1"),
      ("exit: { not: 300 }", "exit: { not: 255 }", "an exit code: equals 300"),
      ("exit: { less_than: 0 }", "exit: { less_than: 1 }", "an exit code: is less than 0"),
      (
        "exit: { greater_than: 3, less_than: 4 }", "exit: { greater_than: 3, less_than: 5 }",
        "an exit code: is greater than 3 and is less than 4"
      ),
      (
        "exit: { in: [256, 512] }", "exit: { in: [256, 1] }",
        "an exit code: is one of 256, 512"
      ),
      (
        "stdout: { contains: a, not: { contains: a } }",
        "stdout: { contains: a, not: { contains: b } }",
        "a text: contains \"a\" and not contains \"a\""
      ),
      (
        "stdout: { empty: true, contains: a }", "stdout: { empty: false, contains: a }",
        "a text: is empty and contains \"a\""
      ),
      (
        "stdout: { equals: abc, matches: '^b' }", "stdout: { equals: abc, matches: '^a' }",
        "a text: equals \"abc\" and matches /^b/"
      ),
      (
        "stdout: { equals: abc, not: { matches: 'c\\n$' } }",
        "stdout: { equals: abc, matches: 'c\\n$' }",
        nil
      ),
      (
        "files: { a: { in: [x, y], contains: z } }",
        "files: { a: { in: [x, yz], contains: z } }",
        "a text: is one of \"x\", \"y\" and contains \"z\""
      ),
      (
        "stdout: { greater_than: 4, less_than: 3 }", "stdout: { greater_than: 3, less_than: 4 }",
        "a text: is greater than 4 and is less than 3"
      ),
      (
        "files: { a: { json: { $.x: { greater_than: 5, less_than: 4 } } } }",
        "files: { a: { json: { $.x: { greater_than: 3, less_than: 4 } } } }",
        "a text: is greater than 5 and is less than 4"
      ),
      (
        "stdout: { json: { $.x: 1, $.y: { equals: abc, contains: d } } }",
        "stdout: { json: { $.x: 1, $.y: { equals: abc, contains: b } } }",
        "a text: equals \"abc\" and contains \"d\""
      ),
      (
        "stdout: { not: { contains: '' } }", "stdout: { not: { contains: a } }",
        "a text: not contains \"\""
      ),
      (
        "stdout: { not: { starts_with: '' } }", "stdout: { not: { starts_with: a } }",
        "a text: not starts with \"\""
      ),
      (
        "stdout: { length: { less_than: 0 } }", "stdout: { length: { less_than: 1 } }",
        "a text: has a length that is less than 0"
      ),
      (
        "processes: { crashed: { less_than: 0 } }", "processes: { crashed: 0 }",
        "a count: is less than 0"
      ),
      (
        "duration: { less_than: 0s }", "duration: { less_than: 1ms }",
        "a duration: is less than \"0s\""
      ),
    ])
  func never(expect: String, other: String, message: String?) throws {
    let mistakes = try found(expect)
    #expect(mistakes.map(\.message) == (message.map { ["impossible condition on \($0)"] } ?? []))
    #expect(mistakes.allSatisfy { $0.severity == .error && $0.help != nil })
    #expect(try found(other).map(\.message) == [])
  }

  @Test("Conditions on files say at least that the files are there")
  func files() throws {
    #expect(try found("files: { a: { starts_with: '' } }").isEmpty)
    #expect(try found("files: { a: { length: { at_least: 0 } } }").isEmpty)
    // A path says at least that something is there.
    #expect(try found("stdout: { json: { $.a: { length: { at_least: 0 } } } }").isEmpty)
    #expect(try found("stdout: { json: { $.a: { starts_with: '' } } }").isEmpty)
    #expect(try found("files: { a: { matches: '.*' } }").isEmpty)
    #expect(try found("exit: { greater_than: -1 }").isEmpty)
  }

  @Test(
    "Conditions that stand apart and contradict one another are an error with both places",
    arguments: [
      (
        "exit: 0, signal: TERM",
        "\"exit\" and \"signal\" cannot both hold: a target that a signal ends has no exit code"
      ),
      ("files: { a: { absent: true }, b: { exists: true } }", nil),
      ("exit: 0, stderr: { empty: true }", nil),
    ])
  func ends(expect: String, message: String?) throws {
    let mistakes = try found(expect)
    #expect(mistakes.map(\.message) == (message.map { [$0] } ?? []))
    #expect(mistakes.allSatisfy { $0.notes.first?.range != nil })
  }

  @Test(
    "In version 1, what the file's top expects holds in its scenarios as well; later the nearer one wins"
  )
  func defaults() throws {
    func mistakes(_ own: String, _ top: String) throws -> [String] {
      let file = """
        target: { command: [./program] }
        expect: { \(top) }
        scenarios:
          - { name: one, steps: [ { run: } ], expect: { \(own) } }
          - { name: two, steps: [ { run: } ] }
        """
      #expect(try Samples.plan(file).diagnostics == [])
      return try Samples.plan(file, version: 1).diagnostics.map(\.message)
    }
    #expect(try mistakes("exit: 1", "exit: 0") == ["two conditions on \"exit\" cannot both hold"])
    #expect(try mistakes("exit: 0", "exit: { less_than: 3 }") == [])
    #expect(
      try mistakes("stdout: a", "stdout: b") == ["two conditions on \"stdout\" cannot both hold"])
    #expect(try mistakes("stdout: a", "stdout: { not: b }") == [])
    #expect(
      try mistakes("signal: TERM", "exit: 0")
        == [
          "\"exit\" and \"signal\" cannot both hold: a target that a signal ends has no exit code"
        ])
    #expect(
      try mistakes("files: { a: { absent: true } }", "files: { a: x }")
        == ["\"a\" cannot both be absent and exist"])
  }

  @Test("Time that passes as real time does reaches no further than the timeout")
  func reach() throws {
    func mistakes(_ more: String) throws -> [String] {
      try Samples.plan(
        "target: { command: [./program] }\nexpect: { duration: { greater_than: 10s } }\n\(more)"
      ).diagnostics.map(\.message)
    }
    #expect(
      try mistakes("timeout: 5s") == [
        "virtual time passes like real time, and the scenario times out after 5s"
      ])
    #expect(try mistakes("timeout: 11s") == [])
    #expect(try mistakes("timeout: 5s\nclock: { flow: auto }") == [])
    #expect(try mistakes("timeout: 5s\nsteps: [ { start: }, { tick: 20s }, { stop: } ]") == [])
  }

  @Test(
    "A file that the scenario lays itself shows no readiness",
    arguments: [
      ("files: { run/pid: x }", "", true),
      ("files: { run/pid/a: x }", "", true), ("files: { run/pids: x }", "", false),
      ("files: { run: { kind: folder } }", "", false),
      ("files: { run/pid: { symlink: other } }", "", false),
      ("", "{ write: { path: run/pid, text: x } },", true),
      ("", "{ write: { path: run/pid, text: x }, if: '${{ vars.no }}' },", false),
      ("", "{ exec: [mkdir, run] },", false),
      // What is there before a command may be gone behind it.
      ("files: { run/pid: x }", "{ exec: [rm, run/pid] },", false),
      ("", "{ write: { path: run/pid, text: x } }, { exec: [rm, run/pid] },", false),
      ("", "{ exec: [mkdir, run] }, { write: { path: run/pid, text: x } },", true),
    ])
  func readyFiles(files: String, step: String, isWarned: Bool) throws {
    let separator = files.isEmpty ? "" : ", "
    let vars = step.contains("vars") ? "vars: { no: false }" : ""
    let found = try Samples.plan(
      """
      \(vars)
      target: { command: [./program], ready: { file: run/pid }\(separator)\(files) }
      steps: [ \(step) { start: }, { write: { path: run/pid, text: y } } ]
      """
    ).diagnostics
    #expect(found.map(\.code) == (isWarned ? [.cannotFail] : []))
    #expect(found.allSatisfy { $0.message.contains("does not wait: \"run/pid\" exists") })
  }

  @Test("A file outside the case's directory is refused, and is none that the scenario lays there")
  func readyFileOutside() throws {
    let found = try Samples.plan(
      "target: { command: [./program], ready: { file: /run/pid }, files: { run/pid: x } }"
    ).diagnostics
    #expect(found.map(\.code) == [.badPlace])
  }

  @Test("A wait that any output ends does not wait")
  func waits() throws {
    func mistakes(_ expression: String) throws -> [Diagnostic] {
      try Samples.plan(
        "target: { command: [./program] }\nsteps: [ { start: }, { wait: { stdout: '\(expression)' } } ]"
      ).diagnostics
    }
    #expect(try mistakes("").map(\.message) == ["this does not wait: any output matches //"])
    #expect(try mistakes(".*").map(\.severity) == [.warning])
    #expect(try mistakes("ready").isEmpty)
  }

  @Test("Nothing can be sent to an input that was closed, until the target is started anew")
  func closedInput() throws {
    func mistakes(_ steps: String) throws -> [String] {
      try Samples.plan("target: { command: [./program] }\nsteps: [ \(steps) ]").diagnostics
        .map(\.message)
    }
    let message = "standard input was closed before this step"
    #expect(try mistakes("{ start: }, { close: stdin }, { send: x }") == [message])
    #expect(try mistakes("{ start: }, { close: stdin }, { close: stdin }") == [message])
    #expect(try mistakes("{ start: }, { send: x }, { close: stdin }, { wait: exit }") == [])
    #expect(
      try mistakes("{ start: }, { close: stdin }, { stop: }, { start: }, { send: x }, { stop: }")
        == [])
  }

  @Test("Numbers that are no address name no host")
  func addresses() throws {
    func mistakes(_ responses: String) throws -> [String] {
      try Samples.plan("target: { command: [./program] }\nresponses: [ \(responses) ]").diagnostics
        .map(\.message)
    }
    let message = "\"10.0.0.300\" is not an address"
    #expect(try mistakes("{ GET http://10.0.0.300/a: { status: 200 } }") == [message])
    #expect(try mistakes("{ GET http://10.0.0.30/a: { status: 200 } }") == [])
    #expect(try mistakes("{ host: 10.0.0.300, fault: refuse }") == [message])
    #expect(try mistakes("{ host: 10.0.0.30, fault: refuse }") == [])
  }

  @Test("Nothing has ended before anything was started")
  func beginning() throws {
    func mistakes(_ steps: String) throws -> [String] {
      try Samples.plan("target: { command: [./program] }\nsteps: [ \(steps) ]").diagnostics
        .map(\.message)
    }
    let message = "no target has been started yet, so none has ended"
    #expect(try mistakes("{ expect: { exit: 0 } }, { run: }") == [message])
    #expect(try mistakes("{ jump: 1s, expect: { signal: TERM } }, { run: }") == [message])
    #expect(try mistakes("{ run: , expect: { exit: 0 } }, { expect: { exit: 0 } }") == [])
    let unwritten = "no target has been started yet, so none has written output"
    for subject in [
      "stdout: { empty: true }", "stderr: { not: { contains: x } }",
      "always: { within: 1m, stdout: { empty: true } }",
    ] {
      #expect(try mistakes("{ expect: { \(subject) } }, { run: }") == [unwritten])
      #expect(try mistakes("{ start: }, { expect: { \(subject) } }") == [])
    }
    #expect(try mistakes("{ exec: [x], expect: { stdout: { empty: true } } }, { run: }") == [])
  }

  @Test(
    "A shell command that runs nothing is a mistake, and one that runs something is none",
    arguments: [
      ("\"\"", true), ("\"  \"", true), ("\"# ./run.sh\"", true), ("\" \\n # a\\n\"", true),
      ("\"true # a\"", false), ("\"# a\\ntrue\"", false), ("\"${{ vars.c }}\"", false),
    ])
  func emptyCommands(command: String, isMistake: Bool) throws {
    func mistakes(_ text: String) throws -> [String] {
      try Samples.plan("vars: { c: { env: C } }\n" + text).diagnostics.map(\.message)
        .filter { $0 == "the command is empty" }
    }
    #expect(try mistakes("target: { command: \(command) }").isEmpty != isMistake)
    #expect(
      try mistakes("target: { command: [x] }\nsteps: [{ exec: \(command) }, { run: }]").isEmpty
        != isMistake)
  }

  @Test("A host that is left alone is answered by nobody here")
  func liveHosts() throws {
    func mistakes(_ mode: String, _ rest: String) throws -> [String] {
      try Samples.plan(
        "target: { command: [./program] }\nnetwork: { hosts: { a.b: \(mode) } }\n\(rest)"
      ).diagnostics.map(\.message)
    }
    let response = "responses: [ { GET https://a.b/x: { status: 200 } } ]"
    #expect(
      try mistakes("live", response) == [
        "the response \"GET https://a.b/x\" is never used: \"a.b\" is live"
      ])
    #expect(try mistakes("spy", response) == [])
    #expect(try mistakes("live", response.replacing("a.b", with: "c.d")) == [])
    // A link to it is met all the same.
    #expect(try mistakes("live", "chaos: [ { link: a.b, provide: down } ]") == [])
  }

  @Test("Conditions on a header that contradict one another are an error")
  func headers() throws {
    func mistakes(_ condition: String) throws -> [String] {
      try Samples.plan(
        """
        target: { command: [./program] }
        responses:
          - request: { method: GET, url: "https://a.b/", headers: { x: { \(condition) } } }
            reply: [ { status: 200 } ]
        """
      ).diagnostics.map(\.message)
    }
    #expect(
      try mistakes("equals: abc, contains: d") == [
        "no text meets this condition: equals \"abc\" and contains \"d\""
      ])
    #expect(try mistakes("equals: abc, contains: b") == [])
    #expect(try mistakes("matches: '.*'") == [])
  }

  @Test("An event can only wait for replies that there are")
  func events() throws {
    func mistakes(_ number: Int, _ more: String = "") throws -> [String] {
      try Samples.plan(
        """
        target: { command: [./program] }
        responses:
          - request: GET https://a.b/
            reply: [ { status: 200, times: 2 }, { status: 500 } ]
            \(more)
        chaos:
          - call: fsync
            when: { during: run, on: { reply: GET https://a.b/, nth: \(number) } }
            provide: nil
        """
      ).diagnostics.map(\.message)
    }
    #expect(try mistakes(3) == [])
    #expect(
      try mistakes(4) == [
        "the response \"GET https://a.b/\" has 3 replies, but the event waits for reply number 4"
      ])
    #expect(try mistakes(4, "then: repeat") == [])
  }
}
