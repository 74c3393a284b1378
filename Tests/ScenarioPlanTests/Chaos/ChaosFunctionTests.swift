@testable import FaultEngine
import Foundations
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Chaos in functions")
struct ChaosFunctionTests {
  private func diagnostics(_ entries: String) throws -> [Diagnostic] {
    try Samples.plan("target: { command: [./program] }\nchaos: [\(entries)]\n").diagnostics
  }

  // MARK: - Planning

  @Test("A function is looked for everywhere, in the program or in a library")
  func places() throws {
    let entries = try FaultRuleSet.of(
      """
        - { function: [a, b, a], provide: nil }
        - { function: a, in: exe, provide: nil }
        - { function: a, in: libz, provide: nil }
        - { call: '@alloc', provide: nil }
        - { call: mmap, provide: nil }
      """
    ).entries

    #expect(entries[0].functions == PlannedFunctions(names: ["a", "b"]))
    #expect(entries[1].functions?.place == .program)
    #expect(entries[2].functions?.place == .library("libz"))
    #expect(entries[3].functions == .allocations)
    #expect(entries[3].calls.map(\.name) == ["mmap"])
    #expect(entries[4].functions == nil)
  }

  @Test(
    "What a function cannot be asked or given is an error before anything runs",
    arguments: [
      ("where: { path: /x }, provide: nil", "\"path\" is not a condition for the function \"f\""),
      ("where: { fd: tcp }, provide: nil", "\"fd\" is not a condition"),
      ("where: { size: 3 }, provide: nil", "\"size\" is not a condition"),
      (
        "provide: { match: [{ where: { host: h }, provide: nil }] }", "\"host\" is not a condition"
      ),
      ("provide: { short: 1 }", "\"lie\" are not supported for the function \"f\""),
      (
        "provide: { sequence: [original, lie] }",
        "\"lie\" are not supported for the function \"f\""
      ),
      ("provide: { corrupt: { zero: 1 } }", "\"lie\" are not supported for the function \"f\""),
      ("provide: { signal: { send: TERM, at: after } }", "a signal cannot be sent after"),
      ("provide: { error: EIOO }", "unknown error \"EIOO\""),
      ("provide: { constant: text, errno: EIO }", "\"errno\" cannot be combined with a text"),
      ("provide: { random: { error: documented } }", "the errors of \"f\" are not known"),
    ])
  func mistakes(rest: String, message: String) throws {
    let found = try diagnostics("{ function: f, \(rest) }")

    let diagnostic = try #require(
      found.first { $0.message.contains(message) }, "\(found.map(\.message))")
    #expect(diagnostic.severity == .error)
    #expect(diagnostic.range?.line == 2)
    #expect(diagnostic.help?.isEmpty == false)
  }

  @Test("What a call cannot return, a function can", arguments: ["-5", "text"])
  func constants(constant: String) throws {
    let function = try diagnostics("{ function: f, provide: { constant: \(constant) } }")
    let call = try diagnostics("{ call: read, provide: { constant: \(constant) } }")

    #expect(function.isEmpty)
    #expect(!call.isEmpty)
  }

  @Test("A constant may come with any errno")
  func constantWithError() throws {
    let table = try FaultRuleSet.of(
      "  - { function: f, provide: { constant: 0, errno: EAGAIN } }")

    #expect(table.entries[0].provider == .failure(0, try ErrorNumber.named("EAGAIN")))
  }

  @Test("More entries than a target has counters are an error, and so many are none")
  func tooMany() throws {
    func found(_ count: Int) throws -> [String] {
      let entries = (1...count).map { "{ function: f\($0), provide: nil }" }
      return try diagnostics(entries.joined(separator: ", ")).map(\.message)
    }

    #expect(try found(64) == [])
    #expect(try found(65) == ["more than 64 chaos entries name functions"])
  }

  @Test("Only an entry with the same functions shadows another")
  func shadows() throws {
    func isWarned(_ entries: String) throws -> Bool {
      try diagnostics(entries).contains { $0.message.contains("never fires") }
    }
    let first = "{ name: a, function: [f, g], provide: nil }"

    #expect(try isWarned("\(first), { name: b, function: g, provide: nil }"))
    #expect(try !isWarned("\(first), { name: b, function: h, provide: nil }"))
    #expect(try !isWarned("\(first), { name: b, function: g, in: exe, provide: nil }"))
    #expect(
      try !isWarned("{ call: fsync, provide: nil }, { name: b, function: g, provide: nil }"))
  }

  @Test("A function fails as its name tells")
  func failures() {
    #expect(PlannedFunctions.failure(of: "_Znwm") == .allocation)
    #expect(PlannedFunctions.failure(of: "fopen") == .null)
    #expect(PlannedFunctions.failure(of: "pthread_create") == .number)
    #expect(PlannedFunctions.failure(of: "own") == .minusOne)
  }

  @Test("Calls can be told apart by the file whose code makes them")
  func callers() throws {
    var table = try FaultRuleSet.of(
      "  - { function: f, where: { caller: libz.so* }, provide: { constant: 1 } }")
    var inside = LaidFacts(callerPath: "/lib/libz.so.1.2")
    var outside = LaidFacts(callerPath: "/bin/program")
    var unknown = LaidFacts()

    #expect(table.decide(function: "f", of: 0, occurrence: 1, &outside) == nil)
    #expect(table.decide(function: "f", of: 0, occurrence: 2, &unknown) == nil)
    #expect(table.decide(function: "f", of: 0, occurrence: 3, &inside) != nil)
    let found = try diagnostics("{ call: read, where: { caller: x }, provide: nil }")
    #expect(found.map(\.message) == ["\"caller\" is a condition only for functions"])
  }

  // MARK: - Counting

  /// Calls that a target makes which stops only where an entry is due; those that were changed.
  private func fired(_ table: inout FaultRuleSet, calls: ClosedRange<Int>) -> [Int] {
    calls.filter { call in
      guard let due = table.nextDue(0), call >= due else { return false }
      var facts = LaidFacts()
      return table.decide(function: "f", of: 0, occurrence: call, &facts) != nil
    }
  }

  @Test(
    "A schedule tells beforehand which call is due",
    arguments: [
      ("{}", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), ("{ skip: 7 }", [8, 9, 10]),
      ("{ nth: [2, 9, 40] }", [2, 9]), ("{ skip: 3, every: 3 }", [6, 9]),
      ("{ times: 2 }", [1, 2]), ("{ skip: 1, nth: 3, times: 1 }", [4]),
    ])
  func schedules(schedule: String, calls: [Int]) throws {
    var table = try FaultRuleSet.of(
      "  - { function: f, when: \(schedule), provide: { constant: 1 } }")

    #expect(fired(&table, calls: 1...10) == calls)
    table.recordCalls(10, of: 0)
    #expect(table.counts[0].matched == 10)
    #expect(table.counts[0].fired == calls.count)
  }

  @Test("Chance takes the calls that it would take if it were asked about each")
  func chance() throws {
    let entry = "function: f, when: { probability: 0.2 }, provide: { constant: 1 }"
    var counted = try FaultRuleSet.of("  - { name: x, \(entry) }", seed: 7)
    var asked = try FaultRuleSet.of(
      "  - { name: x, where: { process: program }, \(entry) }", seed: 7)
    #expect(!counted.asksEachCall(0))
    #expect(asked.asksEachCall(0))

    let calls = fired(&counted, calls: 1...200)

    #expect(calls.count > 20)
    #expect(calls == fired(&asked, calls: 1...200))
    var other = try FaultRuleSet.of("  - { name: x, \(entry) }", seed: 8)
    #expect(calls != fired(&other, calls: 1...200))
  }

  @Test("Calls are counted from where an entry is applied, and not while it is not")
  func application() throws {
    var table = try FaultRuleSet.of(
      "  - { name: x, function: f, when: { nth: 2 }, apply: false, provide: { constant: 1 } }")
    #expect(table.nextDue(0) == nil)
    table.recordCalls(10, of: 0)
    #expect(table.counts[0].matched == 0)

    table.apply(.all, seed: nil)

    #expect(table.nextDue(0) == 12)
    #expect(fired(&table, calls: 11...14) == [12])
    table.recordCalls(14, of: 0)
    table.revert(.all)
    table.recordCalls(20, of: 0)
    #expect(table.counts[0].matched == 4)
    #expect(table.nextDue(0) == nil)
    table.apply(.all, seed: nil)
    #expect(table.nextDue(0) == 22)
  }

  @Test("A call that is heard of late is the one that it was")
  func late() throws {
    var table = try FaultRuleSet.of(
      "  - { function: f, when: { nth: 3 }, provide: { constant: 1 } }")
    var facts = LaidFacts()

    #expect(table.decide(function: "f", of: 0, occurrence: 4, &facts) == nil)
    #expect(table.decide(function: "f", of: 0, occurrence: 3, &facts)?.occurrence == 3)
    #expect(table.counts[0].matched == 4)
  }

  @Test("A call that another entry has decided about is counted only")
  func settled() throws {
    var table = try FaultRuleSet.of("  - { function: f, provide: { constant: 1 } }")
    var facts = LaidFacts()

    #expect(
      table.decide(function: "f", of: 0, occurrence: 1, isSettled: true, &facts) == nil)
    #expect(table.counts[0].matched == 1)
    #expect(table.counts[0].fired == 0)
    #expect(table.decide(function: "f", of: 0, occurrence: 2, &facts) != nil)
  }
}
