import Foundations
@testable import ScenarioCompiler
import Testing

@Suite("Mistakes in chaos entries")
struct ChaosMistakeTests {
  private func found(_ entries: String, steps: String = "[ { run: [] } ]") throws -> [Diagnostic] {
    try Samples.plan(
      "target: { command: [./program] }\nchaos:\n  - { \(entries) }\nsteps: \(steps)"
    ).diagnostics
  }

  @Test(
    "What cannot be is an error with help, and its like that can be is none",
    arguments: [
      (
        "call: read, provide: { compute: result / 0 }",
        "call: read, provide: { compute: result / 2 }", "\"compute\" divides by zero"
      ),
      (
        "call: read, provide: { compute: '1 + (result % (3 - 3))' }",
        "call: read, provide: { compute: '1 + (result % (3 - size))' }",
        "\"compute\" divides by zero"
      ),
      (
        "call: read, provide: { compute: { args: { 2: size / 0 } } }",
        "call: read, provide: { compute: { args: { 2: 0 / size } } }", "\"compute\" divides by zero"
      ),
      (
        "call: fsync, provide: { compute: 'args[3]' }",
        "call: fsync, provide: { compute: 'args[0]' }",
        "\"fsync\" has 1 argument"
      ),
      (
        "call: read, where: { process: ./own }, provide: { error: EIO }",
        "call: read, where: { process: '**/own' }, provide: { error: EIO }",
        "no program has the path \"./own\""
      ),
      (
        "process: bin/own, provide: kill", "process: /bin/own, provide: kill",
        "no program has the path \"bin/own\""
      ),
      (
        "link: 'a:', provide: down", "link: 'a:80', provide: down",
        "the port is missing after the colon of \"a:\""
      ),
      (
        "link: '[2001:db8::1]:', provide: down", "link: '[2001:db8::1]', provide: down",
        "the port is missing after the colon of \"[2001:db8::1]:\""
      ),
      (
        "link: '10.0.0.300:80', provide: down", "link: '10.0.0.30:80', provide: down",
        "\"10.0.0.300\" is not an address"
      ),
      (
        "link: 10.0.0, provide: down", "link: 'a10.b0.c0', provide: down",
        "\"10.0.0\" is not an address"
      ),
      (
        "link: 'a.b:80', where: { port: 81 }, provide: down",
        "link: a.b, where: { port: 81 }, provide: down",
        "no connection to \"a.b:80\" has the port 81"
      ),
      (
        "link: a.b, where: { host: x.y }, provide: down",
        "link: '*', where: { host: x.y }, provide: down",
        "no connection to \"a.b\" has the host \"x.y\""
      ),
      (
        "link: a.b, where: { host: '*.y' }, provide: down",
        "link: a.b, where: { host: 10.0.0.1 }, provide: down",
        "no connection to \"a.b\" has the host \"*.y\""
      ),
      (
        "process: 1, provide: { pause: 0s }", "process: 1, provide: { pause: 1s }",
        "\"stop: 0s\" has no effect"
      ),
      (
        "call: read, provide: { delay: 0s }", "call: read, provide: { delay: [0s, 1s] }",
        "a delay of 0s has no effect"
      ),
      (
        "name: all, call: read, provide: nil", "name: alles, call: read, provide: nil",
        "a chaos entry cannot have the name \"all\""
      ),
      (
        "function: BN_*, except: BN_*, provide: nil",
        "function: BN_*, except: BN_free, provide: nil",
        "\"BN_*\" excludes all functions of \"BN_*\""
      ),
      (
        "function: BN_a*, except: B*, provide: nil",
        "function: BN_a*, except: BN_ab*, provide: nil",
        "\"B*\" excludes all functions of \"BN_a*\""
      ),
      (
        "call: open, where: { flags: [O_WRONLY, O_RDWR] }, provide: nil",
        "call: open, where: { flags: [O_WRONLY, O_TRUNC] }, provide: nil",
        "no file is opened with both O_WRONLY and O_RDWR"
      ),
      (
        "call: '@dns', where: { port: 80 }, provide: nil",
        "call: '@dns', where: { port: 53 }, provide: nil",
        "\"@dns\" uses port 53, which is not 80"
      ),
      (
        "call: exit_group, provide: nil", "call: exec, provide: nil",
        "\"exit_group\" cannot have a result: it never returns"
      ),
      (
        "call: fsync, when: { until: +0s }, provide: nil",
        "call: fsync, when: { until: +1s }, provide: nil",
        "the entry never fires: \"until: +0s\" is the start"
      ),
      (
        "call: fsync, when: { from: +30s }, provide: nil",
        "call: fsync, when: { from: +29s }, provide: nil",
        "\"from: +30s\" is never reached: virtual time passes like real time, and the scenario times out after 30s"
      ),
    ])
  func errors(entry: String, other: String, message: String) throws {
    let mistakes = try found(entry)
    #expect(mistakes.map(\.message) == [message])
    #expect(mistakes.allSatisfy { $0.severity == .error && $0.help != nil && $0.range != nil })
    #expect(try found(other).map(\.message) == [])
  }

  @Test(
    "What is strange and could be meant is a warning, and its like is none",
    arguments: [
      (
        "call: fsync, provide: restart", "call: fsync, provide: restart, when: { times: 1 }",
        "the target is restarted at each \"fsync\", endlessly if it gets there each time"
      ),
      (
        "call: fsync, provide: { sequence: [original, restart] }",
        "call: fsync, provide: { sequence: [restart, original] }",
        "the target is restarted at each \"fsync\", endlessly if it gets there each time"
      ),
      (
        "call: getpid, provide: { error: EIO }", "call: getpid, provide: { constant: 7 }",
        "\"getpid\" never fails, so programs read EIO as a result"
      ),
      (
        "call: fsync, when: { nth: 1, times: 3 }, provide: nil",
        "call: fsync, when: { nth: [1, 2, 3], times: 3 }, provide: nil",
        "\"times: 3\" allows more than the 1 that \"nth\" names"
      ),
      (
        "process: 1, provide: original", "process: 1, provide: kill",
        "\"original\" does not change the process"
      ),
      (
        "process: 1, provide: original",
        "process: 1, provide: original }\n  - { process: x, provide: kill",
        "\"original\" does not change the process"
      ),
      (
        "name: a, call: read, provide: nil }\n  - { name: a, call: write, provide: nil",
        "call: read, provide: nil }\n  - { call: read, where: { fd: tty }, when: { nth: 1 }, provide: nil, apply: true",
        "duplicate chaos entry \"a\""
      ),
    ])
  func warnings(entry: String, other: String, message: String) throws {
    let mistakes = try found(entry)
    #expect(mistakes.map(\.message) == [message])
    #expect(mistakes.allSatisfy { $0.severity == .warning && $0.help != nil && $0.range != nil })
    let shadows = try found(other).map(\.message).filter { !$0.contains("never fires") }
    #expect(shadows == [])
  }

  @Test("A process that is asked about once alone may be started again")
  func restartsOnce() throws {
    #expect(try found("process: 1, provide: { sequence: [restart, original] }").isEmpty)
    #expect(
      try found("process: 1, provide: { sequence: [original, restart] }").map(\.message)
        == ["the target would be restarted endlessly"])
  }

  @Test(
    "A branch whose condition contradicts that of its entry is an error",
    arguments: [
      ("fsync", "path: a/**", "path: b/**", "path"),
      ("fsync", "path: a/**", "path: a/b*", nil),
      ("fsync", "path: '**/*.db'", "path: '**/*.txt'", "path"),
      ("fsync", "path: /tmp/x", "path: '/tmp/*'", nil),
      ("fsync", "path: /tmp/x", "path: 'x'", nil),
      ("rename", "path: a/**", "path: b/**", nil),
      ("connect", "port: 80", "port: 443", "port"),
      ("connect", "port: { in: [80, 443] }", "port: 443", nil),
      ("connect", "host: a.b", "host: x.y", "host"),
      ("write", "size: { less_than: 5 }", "size: { greater_than: 4 }", "size"),
      ("write", "size: { less_than: 5 }", "size: { greater_than: 3 }", nil),
      ("read", "fd: pipe", "fd: tcp", "fd"),
      ("read", "fd: [pipe, tcp]", "fd: tcp", nil),
      ("read", "args: { 0: 3 }", "args: { 0: 4 }", "args"),
      ("read", "args: { 0: 3 }", "args: { 1: 4 }", nil),
      ("read", "args: { 0: 4294967295 }", "args: { 0: -1 }", nil),
      ("read", "process: 1", "process: 2", "process"),
      ("read", "process: a", "process: b", nil),
      ("read", "process: 1", "process: b", nil),
      ("read", "thread: a*", "thread: b*", "thread"),
    ])
  func branches(call: String, outer: String, inner: String, key: String?) throws {
    let mistakes = try found(
      "call: \(call), where: { \(outer) },"
        + " provide: { match: [ { where: { \(inner) }, provide: nil } ], else: original }")
    let wanted = key.map {
      ["this branch never matches: \"\($0)\" contradicts that of the entry's \"where\""]
    }
    #expect(mistakes.map(\.message) == wanted ?? [])
  }

  @Test("What no step of a scenario applies may wait for an instant that never comes")
  func unappliedInstants() throws {
    func mistakes(_ steps: String) throws -> [String] {
      try Samples.plan(
        """
        target: { command: [./program] }
        chaos: [ { name: a, call: read, when: { from: +1h }, provide: nil, apply: false } ]
        scenarios:
          - name: one
            clock: { flow: auto }
            steps: [ { start: }, { apply: a }, { stop: } ]
          - { name: two, steps: \(steps) }
        """
      ).diagnostics.map(\.message)
    }
    #expect(try mistakes("[ { run: } ]") == [])
    #expect(try mistakes("[ { start: }, { apply: a }, { stop: } ]").count == 1)
  }

  @Test("A step must apply what waits for one")
  func unapplied() throws {
    let entry = "name: a, call: read, provide: nil, apply: false"
    #expect(try found(entry).map(\.message) == ["no step applies the chaos entry \"a\""])
    #expect(
      try Samples.plan("target: { command: [./program] }\nchaos: [ { \(entry) } ]").diagnostics
        .map(\.message) == ["no step applies the chaos entry \"a\""])
    for name in ["a", "all"] {
      let steps = "[ { start: }, { apply: \(name) }, { stop: } ]"
      #expect(try found(entry, steps: steps).isEmpty)
    }
  }

  @Test(
    "An exploration cannot try an error that none of its points ends with",
    arguments: [
      ("[write]", "[ENOTTY]", "the manual page of \"write\" does not name ENOTTY"),
      (
        "[write, close]", "[EIO, ENOTTY]",
        "no manual page of the points (\"write\", \"close\") names ENOTTY"
      ),
      ("[write, ioctl]", "[ENOTTY]", nil),
      ("[write]", "[EIO]", nil),
      ("[ { function: write } ]", "[ENOTTY]", nil),
    ])
  func explored(points: String, errors: String, message: String?) throws {
    let mistakes = try Samples.plan(
      "target: { command: [./program] }\nexplore: { call: \(points), errors: \(errors) }"
    ).diagnostics
    #expect(mistakes.map(\.message) == (message.map { [$0] } ?? []))
    #expect(mistakes.allSatisfy { $0.severity == .warning })
  }

  @Test(
    "An exploration refuses functions whose results no error can replace, by their names",
    arguments: [
      ("[deflate, sin]", "\"sin\" returns a floating point number, which an error"),
      ("strlen", "\"strlen\" reports no errors"),
      ("csqrt", "\"csqrt\" returns a complex number"),
      ("main.load", "\"main.load\" is a Go function, whose errors are values"),
      ("[deflate, \"si*\"]", nil),
    ])
  func exploredFunctions(names: String, message: String?) throws {
    let mistakes = try Samples.plan(
      "target: { command: [./program] }\nexplore: { call: [ { function: \(names) } ] }"
    ).diagnostics
    #expect(mistakes.count == (message == nil ? 0 : 1), "\(mistakes)")
    #expect(mistakes.first?.message.hasPrefix(message ?? "") ?? (message == nil))
  }

  @Test("A plan says what is computed, spoiled and sent, and how often")
  func summary() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x] }
      chaos:
        - { name: a, call: fsync, when: { nth: 1 }, provide: { signal: TERM } }
        - { name: b, call: sync, provide: { corrupt: { flip_bits: 3 } }, where: { process: 9 } }
        - { name: c, call: ftruncate, provide: { compute: "(result + 1) * -2 > 3 ? min(size, 4) : byte(args[1])" } }
        - { name: d, call: getrandom, provide: { compute: { args: { 2: 1 }, bytes: byte ^ index } } }
        - { name: e, call: read, provide: { corrupt: { truncate: { bytes: 1 } } } }
        - { name: f, call: write, provide: { corrupt: { zero: 16, offset: 4 } } }
      """.replacing("b, call: sync", with: "b, call: pread"))
    let lines = planned.summary().filter { $0.hasPrefix("  chaos") }.map { line in
      line.dropFirst(13).split(separator: "; ").dropFirst().joined(separator: "; ")
    }
    #expect(
      lines == [
        "nth 1; gets TERM before it is made",
        "process 9; always; is corrupted: 3 bits turned over",
        "always; is computed: result = (((result + 1) * -2) > 3) ? min(size, 4) : byte(args[1])",
        "always; is computed: argument 2 = 1, each byte = byte ^ index",
        "always; is corrupted: cut behind 1 byte",
        "always; is corrupted: 16 bytes zero from byte 4",
      ])
  }
}
