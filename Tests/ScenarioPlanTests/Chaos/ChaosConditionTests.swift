@testable import FaultEngine
import FoundationEssentials
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Conditions of chaos")
struct ChaosConditionTests {
  private static func append() -> LaidFacts {
    var facts = LaidFacts(path: "/case/out/a.txt", otherPath: "/y", kind: .file)
    facts.arguments = [0: 3, 2: 4096, 3: UInt64(UInt32(bitPattern: -100))]
    facts.byteCount = 4096
    facts.place = 10
    facts.flagWord = 0o2001
    facts.hostName = "API.example.com"
    facts.portNumber = 443
    facts.names = ProgramNames(executable: "/usr/bin/sqlite3")
    facts.processOrdinal = 2
    facts.thread = "worker-7"
    return facts
  }

  @Test(
    "Each condition holds where it should, and nowhere else",
    arguments: [
      ("write", "path: out/*.txt", "path: out/*.db"), ("write", "path: /y", "path: /z"),
      ("write", "path: '**/a.txt'", "path: a.txt"),
      ("write", "path: ./out/*.txt", "path: ./a.txt"),
      ("write", "path: './**'", "path: './out'"), ("write", "fd: file", "fd: [pipe, tty]"),
      ("write", "size: 4KiB", "size: { less_than: 4096 }"),
      ("write", "size: { between: [1, 4096] }", "size: { not: 4096 }"),
      ("write", "offset: { in: [1, 10] }", "offset: 11"),
      ("write", "args: { 2: { greater_than: 4095 } }", "args: { 2: 1 }"),
      ("write", "args: { 3: -100 }", "args: { 3: -101 }"),
      ("open", "flags: [O_WRONLY, O_APPEND]", "flags: O_CREAT"),
      ("send", "host: '*.example.com'", "host: example.org"), ("send", "port: 443", "port: 80"),
      ("write", "process: sqlite*", "process: sqlite"),
      ("write", "process: /usr/bin/*", "process: /bin/*"), ("write", "process: 2", "process: 1"),
      ("write", "thread: worker-*", "thread: main"),
      ("write", "fd: file, size: 4096, process: 2", "fd: file, size: 4096, process: 3"),
    ])
  func conditions(call: String, holds: String, fails: String) throws {
    let error = call == "send" ? "EPIPE" : "EIO"
    for (condition, expected) in [(holds, error as String?), (fails, nil)] {
      var table = try FaultRuleSet.of(
        "  - { call: \(call), where: { \(condition) }, provide: { error: \(error) } }",
        directory: "/case")
      let name = call == "open" ? "open" : call == "send" ? "sendto" : "write"

      #expect(table.meet(name, Self.append()) == expected, "\(condition)")
    }
  }

  // MARK: - Plans

  private static func entry(_ line: String) throws -> PlannedChaos {
    try #require(
      try Samples.onlyCase("target: { command: [./program] }\nchaos: [ { \(line) } ]\n").chaos.first
    )
  }

  private static func json(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("In a plan's JSON conditions have the names that they have had, and lists that are empty")
  func conditionsInJSON() throws {
    let entry = try Self.entry(
      """
      call: sendto, where: { fd: [tcp, udp], host: API.test, port: 443, size: { not: 1 }, \
      flags: MSG_DONTWAIT, args: { 0: 3 }, process: /bin/*, thread: worker }, provide: nil
      """)
    let expected =
      #"{"arguments":[{"condition":{"equals":{"_0":3}},"index":0}],"flags":["MSG_DONTWAIT"],"#
      + #""host":{"text":"api.test"},"kinds":["tcp","udp"],"port":{"equals":{"_0":443}},"#
      + #""program":{"text":"/bin/*"},"size":{"not":{"_0":{"equals":{"_0":1}}}},"#
      + #""thread":{"text":"worker"}}"#
    #expect(try Self.json(of: entry.conditions) == expected)

    var other = ChaosConditions()
    #expect(try Self.json(of: other) == #"{"arguments":[],"flags":[],"kinds":[]}"#)
    other[.process] = .ordinal(2)
    other.lineage = [0, 1]
    #expect(
      try Self.json(of: other)
        == #"{"arguments":[],"flags":[],"kinds":[],"lineage":[0,1],"process":2}"#)
  }

  @Test(
    "What an entry strikes and asks is the same behind a plan's JSON",
    arguments: [
      "call: fsync, where: { path: '*.db', fd: file, process: 3 }, provide: nil",
      "call: open, where: { flags: [O_WRONLY, O_APPEND], args: { 1: 0, 2: { not: 3 } } }, provide: nil",
      "call: pwrite64, where: { size: 1, offset: { between: [1, 2] } }, provide: nil",
      "call: '@alloc', where: { args: { 1: 0 } }, provide: { error: ENOMEM }",
      "function: [f, g*], except: gh, in: libz, where: { caller: libz* }, provide: nil",
      "link: 'a.test:80', where: { host: a.test, process: curl }, provide: down",
      "disk: ['a/*', /b], where: { thread: t }, provide: full",
      "process: [worker*, 2], provide: kill",
    ])
  func staysInJSON(line: String) throws {
    let entry = try Self.entry(line)

    let text = try Self.json(of: entry)
    let read = try JSONDecoder().decode(PlannedChaos.self, from: Data(text.utf8))

    #expect(read == entry)
    #expect(try Self.json(of: read) == text)
  }

  @Test(
    "What an entry is about has members of its own in a plan, which saved plans hold",
    arguments: [
      ("call: write, provide: { error: EIO }", "calls"),
      ("disk: [a], provide: full", "disk"),
      ("process: [worker], provide: kill", "processes"),
      ("link: 'a.test:80', provide: down", "link"),
    ])
  func targetMembers(line: String, member: String) throws {
    let text = try Self.json(of: try Self.entry(line))

    #expect(text.contains("\"\(member)\":"), "\(text)")
  }

  @Test("A plan whose conditions lack their text is refused")
  func missingText() throws {
    let entry = try Self.entry("call: write, where: { path: a }, provide: { error: EIO }")
    let text = try Self.json(of: entry)
    #expect(text.contains(#""path":{"text":"a"}"#), "\(text)")

    for damaged in [#""path":{}"#, #""path":{"txt":"a"}"#] {
      let damagedText = text.replacing(#""path":{"text":"a"}"#, with: damaged)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(PlannedChaos.self, from: Data(damagedText.utf8))
      }
    }
  }

  @Test("A group asks for more than its calls' names")
  func groups() throws {
    var names = try FaultRuleSet.of("  - { call: '@dns', provide: { error: EIO } }")
    #expect(names.meet("sendto", LaidFacts(portNumber: 53)) == "EIO")
    #expect(names.meet("sendto", LaidFacts(portNumber: 443)) == nil)
    #expect(names.counts[0].seen == 1)

    var memory = try FaultRuleSet.of("  - { call: '@alloc', provide: { error: ENOMEM } }")
    #expect(memory.meet("mmap", LaidFacts(flagWord: 0x22)) == "ENOMEM")
    #expect(memory.meet("mmap", LaidFacts(flagWord: 0x2)) == nil)
    #expect(memory.meet("brk") == nil)
    #expect(memory.entries[0].functions == .allocations)
  }

  @Test("Every group is of families that exist", arguments: SystemCallGroup.all.map(\.name))
  func groupMembers(name: String) throws {
    #expect(try !PlannedCall.named(name).isEmpty)
  }

  // MARK: - Near misses

  @Test("An entry that never fired tells what was called, and the nearest subjects")
  func nearest() throws {
    var table = try FaultRuleSet.of(
      "  - { name: j, call: write, where: { path: /data/app.db-journal }, provide: { error: EIO } }"
    )
    for path in ["/etc/hosts", "/tmp/app.db-journal", "/data/app.db", "/data/app.db-wal"] {
      _ = table.meet("write", path: path)
    }
    _ = table.meet("pwrite64", path: "/data/app.db")

    let unfired = try #require(table.unfired().first)

    #expect(unfired.name == "j")
    #expect(unfired.counts.seen == 5)
    #expect(unfired.closestSubjects.first == "/tmp/app.db-journal")
    #expect(unfired.closestSubjects.count == 3)
    #expect(unfired.explanation.first == "write was called 4 times")
    #expect(unfired.explanation[1].hasPrefix("pwrite64 was called once, on /tmp/app.db-journal"))
    #expect(unfired.explanation.last == "none of them with \"/data/app.db-journal\"")
  }

  @Test("A system call has no caller that could be nearer")
  func callers() throws {
    var table = try FaultRuleSet.of(
      "  - { name: j, call: '@alloc', where: { caller: libfoo* }, provide: { error: ENOMEM } }")
    _ = table.meet("mmap", LaidFacts(flagWord: 0x22))

    #expect(
      try #require(table.unfired().first).explanation
        == ["mmap was called once", "none of them with \"libfoo*\""])
  }

  @Test(
    "A pattern that fits the name of a file and not its folders is widened",
    arguments: [
      ("*/g", "/case/work/a/b/g", "**/g"), ("g*", "/case/work/a/g1", "**/g*"),
      ("*/g", "/case/work/a/b/h", nil), ("/data/g", "/case/work/g", nil),
      ("a/**/g", "/case/work/b/g", nil),
    ])
  func widened(pattern: String, path: String, better: String?) throws {
    var table = try FaultRuleSet.of(
      "  - { name: j, call: write, where: { path: '\(pattern)' }, provide: { error: EIO } }")
    _ = table.meet("write", path: path)

    let last = try #require(table.unfired().first?.explanation.last)

    if let better {
      #expect(last.contains("write \"\(better)\" for a file in any folder"), "\(last)")
    } else {
      #expect(last == "none of them with \"\(pattern)\"")
    }
  }

  @Test(
    "An entry that never fired tells why",
    arguments: [
      ("skip: 3", 0, "the target made none of these calls: fsync"),
      ("skip: 3", 1, "1 call matched, but the first 3 are skipped"),
      ("skip: 3", 3, "3 calls matched, but the first 3 are skipped"),
      ("every: 4", 3, "3 calls matched, but only one in 4 is chosen"),
      ("nth: 9", 3, "3 calls matched, but only number 9 is chosen"),
      ("from: +1h", 2, "2 calls matched, but outside of the time in \"when\""),
    ])
  func reasons(when: String, calls: Int, reason: String) throws {
    var table = try FaultRuleSet.of(
      "  - { call: fsync, when: { \(when) }, provide: { error: EIO } }")
    for _ in 0..<calls { _ = table.meet("fsync", path: "/x") }

    #expect(table.unfired().first?.explanation == [reason])
  }

  @Test("What passes by is remembered within bounds")
  func bounded() throws {
    var table = try FaultRuleSet.of(
      "  - { call: write, where: { path: /no }, provide: { error: EIO } }")
    for number in 0..<10_000 { _ = table.meet("write", path: "/f\(number)") }

    #expect(table.unfired().first?.counts.seen == 10_000)
    #expect(table.unfired().first?.closestSubjects.count == 3)
  }
}
