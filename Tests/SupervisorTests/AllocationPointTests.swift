import FaultEngine
import Testing

@testable import Supervisor

/// What `@alloc` counts: functions in place, and calls of mmap that are the program's own.
@Suite("Points of allocation")
struct AllocationPointTests {
  private func run(
    _ words: [String], _ list: String, environment: [String] = []
  ) throws -> (output: String, account: RuleStatistics) {
    let program = try SupervisedProgram(chaos: try ChaosSamples.entries(list))
    try program.start(
      [try CompiledProgram.path(words[0])] + words.dropFirst(), environment: environment)
    #expect(program.awaitExit().hasHappened)
    return (program.output, try #require(program.supervisor.snapshot().faults.first))
  }

  private func allocations(_ schedule: String) -> String {
    "  - { call: '@alloc', when: { \(schedule) }, provide: { error: ENOMEM } }"
  }

  @Test(
    "An allocator's own mmap is no call of its own, whatever allocator and linker",
    arguments: [
      ("allocation_points", nil), ("allocation_points-static", nil),
      ("allocation_points-musl", nil), ("allocation_points", "libjemalloc.so.2"),
      ("allocation_points", "libtcmalloc_minimal.so.4"),
    ] as [(String, String?)])
  func ownMappings(name: String, preload: String?) throws {
    let environment = try preload.map { try CompiledProgram.preload($0) } ?? []
    let plain = try run([name], allocations("skip: 1000000"), environment: environment)
    #expect(plain.output == "111111\n")
    // A static program's libc begins behind the program's own beginning.
    let before = plain.account.matched - 6
    #expect(before == 0 || name == "allocation_points-static")

    for position in 1...6 {
      let failing = try run(
        [name], allocations("nth: \(before + position)"), environment: environment)

      let expected = (1...6).map { $0 == position ? "0" : "1" }.joined()
      #expect(failing.output == expected + "\n")
      #expect(failing.account.matched == plain.account.matched)
      #expect(failing.account.fired == 1)
    }
  }

  @Test("An entry on mmap alone sees those of the allocator too")
  func allMappings() throws {
    let list = "  - { call: mmap, when: { skip: 1000 }, provide: { error: ENOMEM } }"

    // Three large ones, and two of the program's own.
    #expect(try run(["allocation_points"], list).account.matched >= 5)
    #expect(try run(["allocation_points"], allocations("skip: 1000")).account.matched == 6)
  }

  @Test(
    "Functions and calls of one entry are counted together, up to the call that is due",
    arguments: [("skip: 1000", 1_001), ("skip: 999", 1_000), ("nth: 4", 4), ("every: 3", 3)])
  func together(schedule: String, due: Int) throws {
    let result = try run(["allocation_points", "2000"], allocations(schedule))

    #expect(result.output == "failed=\(due)\n")
    #expect(result.account.fired == 1)
    #expect(result.account.matched == due)
  }

  @Test("An entry with a condition is asked about each call")
  func conditions() throws {
    let wanted = "  - { call: '@alloc', where: { args: { 0: 32 } }, when: { nth: 5 },"
    let result = try run(["allocation_points", "100"], wanted + " provide: { error: ENOMEM } }")

    // Each second call is a malloc of 32 bytes.
    #expect(result.output == "failed=9\n")
    #expect(result.account.seen == 9)
    #expect(result.account.matched == 5)
  }

  @Test("A point that is not due yet stops nobody at its functions")
  func inPlace() throws {
    let entries = try ChaosSamples.entries(allocations("skip: 7"))
    var table = FaultRuleSet(entries: entries, directory: nil, seed: 0)

    #expect(table.nextDue(0) == 8)
    table.recordCalls(8, of: 0)
    #expect(table.nextDue(0) == 9)
    let asked = try ChaosSamples.entries(
      "  - { call: '@alloc', where: { args: { 0: 32 } }, provide: { error: ENOMEM } }")
    #expect(FaultRuleSet(entries: asked, directory: nil, seed: 0).nextDue(0) == 1)
  }
}
