import Foundations
import Testing

@Suite("Chaos entries in the shadow of others")
struct ChaosShadowTests {
  private func warnings(_ entries: [String], steps: String = "[ { run: [] } ]") throws -> [String] {
    let list = entries.map { "  - { \($0) }" }.joined(separator: "\n")
    let found = try Samples.plan(
      "target: { command: [./program] }\nclock: { flow: auto }\nchaos:\n\(list)\nsteps: \(steps)"
    ).diagnostics
    #expect(found.allSatisfy { $0.severity == .warning }, "\(found.map(\.message))")
    #expect(found.allSatisfy { $0.help != nil && !$0.notes.isEmpty })
    return found.map(\.message)
  }

  private static let io = "provide: { error: EIO }"

  @Test(
    "Of two entries that take the same calls the later one never fires, and of others it does",
    arguments: [
      ("call: fsync, when: { nth: 2 }", "call: fsync, when: { nth: 2 }", true),
      ("call: fsync, when: { nth: [2, 3] }", "call: fsync, when: { nth: 3 }", true),
      ("call: fsync, when: { nth: 2 }", "call: fsync, when: { nth: [2, 3] }", false),
      ("call: fsync, when: { nth: 2 }", "call: fsync, when: { nth: 1, skip: 1 }", true),
      ("call: fsync, when: { nth: 2 }", "call: fsync, when: { nth: 2, skip: 1 }", false),
      ("call: fsync, when: { times: 2 }", "call: fsync, when: { nth: 2 }", true),
      ("call: fsync, when: { times: 2 }", "call: fsync, when: { nth: 3 }", false),
      ("call: fsync, when: { times: 1 }", "call: fsync, when: { times: 1 }", false),
      ("call: fsync, when: { every: 2 }", "call: fsync, when: { every: 4 }", true),
      ("call: fsync, when: { every: 4 }", "call: fsync, when: { every: 2 }", false),
      ("call: fsync, when: { skip: 3 }", "call: fsync, when: { skip: 5 }", true),
      ("call: fsync, when: { skip: 5 }", "call: fsync, when: { skip: 3 }", false),
      ("call: fsync, when: { nth: 2, probability: 0.5 }", "call: fsync, when: { nth: 2 }", false),
      ("call: fsync, when: { nth: 2, from: +1s }", "call: fsync, when: { nth: 2 }", false),
      (
        "call: fsync, when: { nth: 2, from: +1s }", "call: fsync, when: { nth: 2, from: +1s }", true
      ),
      // What is counted differs.
      ("call: [fsync, write], when: { nth: 2 }", "call: fsync, when: { nth: 2 }", false),
      (
        "call: fsync, where: { path: a }, when: { nth: 2 }",
        "call: fsync, where: { path: b }, when: { nth: 2 }", false
      ),
      ("call: write, where: { path: a }", "call: write, where: { path: a, size: 4 }", true),
      ("call: write, where: { path: a, size: 4 }", "call: write, where: { path: a }", false),
      ("call: read, where: { fd: [pipe, tcp] }", "call: read, where: { fd: pipe }", true),
      ("call: read, where: { fd: pipe }", "call: read, where: { fd: [pipe, tcp] }", false),
    ])
  func places(first: String, second: String, isShadowed: Bool) throws {
    let found = try warnings(
      ["name: a, \(first), provide: nil", "name: b, \(second), provide: { constant: 1 }"])

    #expect(found.count == (isShadowed ? 1 : 0), "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("the chaos entry \"b\" never fires: \"a\" matches ") })
  }

  @Test(
    "Links shadow those of the same ends alone",
    arguments: [
      ("n1 -> n3", "n2 -> n3", false), ("n* -> n3", "n2 -> n3", true),
      ("n1 -> n3", "n* -> n3", false),
      ("n1 <-> n2", "n1 -> n2", false),
      ("n1 -> a.test", "a.test", false), ("a.test", "n1 <-> a.test", true),
      ("n1 <-> a.test", "n2 <-> a.test", false),
    ])
  func links(first: String, second: String, isShadowed: Bool) throws {
    let found = try Samples.plan(
      """
      targets:
        n1: { host: n1.test, command: [a] }
        n2: { host: n2.test, command: [a] }
        n3: { host: n3.test, command: [a] }
      clock: { flow: auto }
      responses: [{ GET http://a.test/: { text: hello } }]
      chaos:
        - { link: "\(first)", provide: { latency: 1s } }
        - { link: "\(second)", provide: { latency: 2s } }
      steps: [{ run: n1 }, { run: n2 }, { run: n3 }]

      """
    ).diagnostics.map(\.message)

    #expect(found.count == (isShadowed ? 1 : 0), "\(found)")
  }

  @Test("What a step applies or takes back is in nobody's shadow, and shadows nobody")
  func steered() throws {
    let entries = [
      "name: a, call: fsync, when: { nth: 2 }, \(Self.io)",
      "name: b, call: fsync, when: { nth: 2 }, \(Self.io)",
    ]
    #expect(try warnings(entries).count == 1)
    for step in ["apply: a", "apply: b", "revert: a", "revert: all"] {
      #expect(try warnings(entries, steps: "[ { start: }, { \(step) }, { stop: } ]") == [])
    }
  }

  @Test("A shadow of two scenarios is reported once")
  func once() throws {
    let text = """
      target: { command: [./program] }
      chaos: [ { call: fsync, \(Self.io) }, { call: fsync, \(Self.io) } ]
      scenarios:
        - { name: one, steps: [ { run: } ] }
        - { name: two, chaos: [ { call: write, \(Self.io) } ], steps: [ { run: } ] }
        - { name: three, chaos: [ { call: fsync, when: { nth: 9 }, \(Self.io) } ], steps: [ { run: } ] }
      """
    #expect(try Samples.plan(text).diagnostics.count == 1)
  }

  @Test(
    "A link has no connections where connect is never made, wherever the entries stand",
    arguments: [
      ("call: connect, provide: { error: ECONNREFUSED }", "link: a.b, provide: down", true),
      ("call: '@net', provide: { error: ECONNREFUSED }", "link: a.b, provide: down", true),
      (
        "call: connect, where: { host: a.b }, provide: { error: ECONNREFUSED }",
        "link: 'a.b:80', provide: down", true
      ),
      (
        "call: connect, where: { host: a.b, port: 80 }, provide: { error: ECONNREFUSED }",
        "link: 'a.b:80', provide: down", true
      ),
      (
        "call: connect, where: { host: a.b, port: 80 }, provide: { error: ECONNREFUSED }",
        "link: a.b, provide: down", false
      ),
      (
        "call: connect, where: { host: x.y }, provide: { error: ECONNREFUSED }",
        "link: a.b, provide: down", false
      ),
      (
        "call: connect, when: { times: 1 }, provide: { error: ECONNREFUSED }",
        "link: a.b, provide: down", false
      ),
      ("call: connect, provide: { delay: 1s }", "link: a.b, provide: down", false),
      ("call: socket, provide: { error: EMFILE }", "link: a.b, provide: down", false),
      (
        "call: connect, provide: { error: ECONNREFUSED }",
        "link: a.b, provide: { dns: nxdomain }", false
      ),
    ])
  func connections(call: String, link: String, isShadowed: Bool) throws {
    for entries in [
      ["name: c, \(call)", "name: l, \(link)"], ["name: l, \(link)", "name: c, \(call)"],
    ] {
      let found = try warnings(entries)
      #expect(found.count == (isShadowed ? 1 : 0), "\(found)")
      #expect(found.allSatisfy { $0.hasPrefix("the chaos entry \"l\" never fires: \"c\"") })
    }
  }

  @Test(
    "A disk is asked by calls that are made",
    arguments: [
      ("call: write, \(Self.io)", "disk: data, provide: full", true),
      ("call: '@write', \(Self.io)", "disk: data, provide: { free: 1MiB }", true),
      ("call: write, where: { path: data }, \(Self.io)", "disk: data, provide: full", true),
      ("call: write, where: { path: other }, \(Self.io)", "disk: data, provide: full", false),
      ("call: write, provide: { short: 1 }", "disk: data, provide: full", false),
      ("call: write, when: { nth: 1 }, \(Self.io)", "disk: data, provide: full", false),
      ("call: pwrite, \(Self.io)", "disk: data, provide: full", false),
      ("call: write, \(Self.io)", "disk: data, provide: read_only", false),
    ])
  func disksAndCalls(call: String, disk: String, isShadowed: Bool) throws {
    for entries in [
      ["name: c, \(call)", "name: d, \(disk)"], ["name: d, \(disk)", "name: c, \(call)"],
    ] {
      let found = try warnings(entries)
      #expect(found.count == (isShadowed ? 1 : 0), "\(found)")
      #expect(found.allSatisfy { $0.hasPrefix("the chaos entry \"d\" affects no write") })
    }
  }

  @Test(
    "Of disks with the same files the strictest answers",
    arguments: [
      ("disk: ., provide: full", "disk: ., provide: full", "b"),
      ("disk: ., provide: full", "disk: data, provide: { free: 1MiB }", "b"),
      ("disk: ., provide: { free: 1MiB }", "disk: ., provide: full", "a"),
      ("disk: ., provide: { free: 1MiB }", "disk: ., provide: { quota: 2MiB }", "b"),
      ("disk: ., provide: { free: 2MiB }", "disk: ., provide: { quota: 1MiB }", "a"),
      ("disk: ., provide: read_only", "disk: ., provide: full", "b"),
      ("disk: ., provide: full", "disk: ., provide: read_only", nil),
      ("disk: data, provide: full", "disk: ., provide: full", nil),
      ("disk: data, provide: full", "disk: other, provide: full", nil),
      ("disk: ., provide: full, when: { times: 1 }", "disk: ., provide: { free: 1MiB }", nil),
    ])
  func disks(first: String, second: String, shadowed: String?) throws {
    let found = try warnings(["name: a, \(first)", "name: b, \(second)"])

    #expect(found.count == (shadowed == nil ? 0 : 1), "\(found)")
    if let shadowed {
      #expect(found.first?.hasPrefix("the chaos entry \"\(shadowed)\" has no effect") ?? false)
    }
  }

  @Test(
    "A process that was ended is not struck again",
    arguments: [
      (
        "1, when: { from: +3s }, provide: kill", "1, when: { from: +5s }, provide: { pause: 1s }",
        "b"
      ),
      (
        "1, when: { from: +5s }, provide: kill", "1, when: { from: +3s }, provide: { pause: 1s }",
        nil
      ),
      (
        "1, when: { from: +5s }, provide: { pause: 1s }", "1, when: { from: +3s }, provide: kill",
        "a"
      ),
      (
        "x, when: { from: +3s }, provide: kill", "x, when: { from: +3s }, provide: { pause: 1s }",
        "b"
      ),
      ("x, when: { from: +3s }, provide: kill", "x, when: { from: +5s }, provide: kill", nil),
      (
        "1, when: { from: +3s }, provide: { pause: 1s }", "1, when: { from: +5s }, provide: kill",
        nil
      ),
      ("1, when: { from: +3s }, provide: kill", "2, when: { from: +5s }, provide: kill", nil),
      ("x, provide: kill", "x, provide: { pause: 1s }", "b"),
      ("x, provide: kill", "x, when: { from: +1s }, provide: { pause: 1s }", "b"),
      ("x, provide: { pause: 1s }", "x, when: { from: +1s }, provide: kill", nil),
    ])
  func processes(first: String, second: String, shadowed: String?) throws {
    let found = try warnings(["name: a, process: \(first)", "name: b, process: \(second)"])

    #expect(found.count == (shadowed == nil ? 0 : 1), "\(found)")
    if let shadowed {
      #expect(found.first?.hasPrefix("the chaos entry \"\(shadowed)\" never fires") ?? false)
    }
  }
}
