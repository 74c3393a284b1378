@testable import FaultEngine
import ScenarioModel
import Testing

@Suite("Calls that pass at once")
struct ChaosPassingTests {
  /// Puts one table's calls through the short way first, and the other's through the long way alone.
  private func compare(_ entries: String, calls: [String], passing: Int) throws {
    var short = try FaultRuleSet.of(entries, seed: 3)
    var long = try FaultRuleSet.of(entries, seed: 3)
    var passed = 0
    for (index, call) in calls.enumerated() {
      let facts = LaidFacts(path: "/x", processOrdinal: 1 + index % 3)
      let place = try #require(short.systemCallNames.firstIndex(of: call))
      let expected = long.meet(call, facts)
      if short.passes(call: place, process: facts.processOrdinal) {
        #expect(expected == nil)
        passed += 1
      } else {
        #expect(short.meet(call, facts) == expected)
      }
    }
    #expect(passed == passing)
    #expect(short.counts == long.counts)
    #expect(short.countsByProcess == long.countsByProcess)
  }

  @Test(
    "They are counted as all others, and one that is due does not pass",
    arguments: [
      ("skip: 29", 29), ("skip: 9, times: 2", 28), ("every: 3", 20), ("nth: [2, 7]", 28),
      ("skip: 1000", 30), ("times: 4", 26),
    ])
  func schedules(when: String, passing: Int) throws {
    try compare(
      "  - { call: [fsync, write], when: { \(when) }, provide: { error: EIO } }",
      calls: (0..<30).map { $0 % 2 == 0 ? "fsync" : "write" }, passing: passing)
  }

  @Test("One entry that must look at a call is enough for it not to pass")
  func conditions() throws {
    let never = "when: { skip: 1000 }, provide: { error: EIO }"
    for condition in [
      "where: { path: /y }, \(never)", "where: { size: 3 }, \(never)",
      "when: { from: +1s, skip: 1000 }, provide: { error: EIO }",
    ] {
      try compare(
        "  - { call: [fsync, write], \(never) }\n  - { call: write, \(condition) }",
        calls: (0..<10).map { $0 % 2 == 0 ? "fsync" : "write" }, passing: 5)
    }
  }

  @Test("An entry that is not applied counts nothing")
  func application() throws {
    var table = try FaultRuleSet.of(
      "  - { name: x, call: fsync, when: { skip: 5 }, apply: false, provide: { error: EIO } }")
    let before = table.passes(call: 0, process: 1)
    #expect(before)
    #expect(table.counts[0].seen == 0)

    table.apply(.all, seed: nil)
    let passed = (0..<6).map { _ in table.passes(call: 0, process: 1) }
    #expect(passed == [true, true, true, true, true, false])
    #expect(table.meet("fsync") == "EIO")
  }
}
