@testable import FaultEngine
import Foundations
import Testing

/// Why entries changed nothing although something matched.
@Suite("What chaos entries fell short of")
struct ChaosShortfallTests {
  private func reasons(_ entries: String, calls: Int) throws -> [String: [String]] {
    var table = try FaultRuleSet.of(entries)
    for _ in 0..<calls { _ = table.meet("fsync", path: "/x") }
    return Dictionary(uniqueKeysWithValues: table.unfired().map { ($0.name, $0.explanation) })
  }

  @Test("An earlier entry that took the call which was due is named")
  func preempted() throws {
    let two = """
        - { name: a, call: fsync, when: { nth: 1 }, provide: { error: EIO } }
        - { name: b, call: fsync, when: { nth: NTH }, provide: { error: ENOSPC } }
      """

    let taken = try reasons(two.replacing("NTH", with: "1"), calls: 3)
    let late = try reasons(two.replacing("NTH", with: "4"), calls: 3)

    #expect(
      taken == [
        "b": ["3 calls matched, but an earlier entry, \"a\", applied to the one that was due"]
      ])
    #expect(late == ["b": ["3 calls matched, but only number 4 is chosen"]])
  }

  @Test("A provider that leaves a call as it is says so")
  func originals() throws {
    let list = "  - { name: a, call: fsync, provide: { sequence: [original, { error: EIO }] } }"

    #expect(
      try reasons(list, calls: 1) == ["a": ["1 call matched, but the entry provided the original"]])
    #expect(try reasons(list, calls: 2).isEmpty)
  }

  @Test("A list of calls that were never made is cut")
  func manyCalls() throws {
    let one = try reasons("  - { name: a, call: fsync, provide: { error: EIO } }", calls: 0)
    let many = try reasons("  - { name: a, call: \"@write\", provide: { error: EIO } }", calls: 0)

    #expect(one == ["a": ["the target made none of these calls: fsync"]])
    let line = try #require(many["a"]?.first)
    #expect(line.count { $0 == "," } == BoundedList.limit - 1)
    #expect(line.contains(" more"))
    #expect(BoundedList.text(["a", "b"]) == "a, b")
    #expect(BoundedList.text((1...10).map(String.init)) == "1, 2, 3, 4, 5, 6, 7, 8 and 2 more")
  }

  @Test("An entry that gives the original alone fires, and is told where that is wanted")
  func told() throws {
    for tells in [true, false] {
      var table = try FaultRuleSet.of("  - { name: a, call: fsync, provide: original }")
      table.notesOriginals = tells

      let word = table.meet("fsync", path: "/x")
      #expect(word == (tells ? "original" : nil))
      #expect(table.counts[0].fired == 1)
    }
    var sequence = try FaultRuleSet.of(
      "  - { call: fsync, provide: { sequence: [original, { error: EIO }] } }")
    sequence.notesOriginals = true
    let word = sequence.meet("fsync", path: "/x")
    #expect(word == nil)
    #expect(sequence.counts[0].fired == 0)
  }

  // MARK: - Links

  private func connect(_ table: inout FaultRuleSet, count: Int) {
    for _ in 0..<count {
      var facts = LinkFacts(
        name: "api.example.com", address: "198.18.0.1", port: 80, processOrdinal: 1,
        program: ProgramNames(executable: "/usr/bin/curl"), time: .zero,
        now: WallInstant(seconds: 0))
      var encounter = LinkMatchState()
      _ = table.decide(&facts, &encounter)
    }
  }

  @Test("A handshake that never was is not a byte that never was")
  func handshakes() throws {
    var table = try FaultRuleSet.of(
      """
        - { name: tls, link: api.example.com, when: { nth: 1 }, provide: { tls: expired } }
        - { name: slow, link: api.example.com, when: { nth: 1 }, provide: { latency: 1s } }
        - { name: bytes, link: api.example.com, when: { nth: 2 }, provide: { limit_data: 1MiB } }
        - { name: spared, link: api.example.com, provide: { sequence: [original, down] } }
      """)
    connect(&table, count: 3)

    let lines = table.unfired().map(\.explanation)
    let matched = "3 connections matched, but "
    #expect(
      lines == [
        [matched + "no fault was injected: no TLS handshake began on them"],
        [matched + "an earlier entry, \"tls\", applied to the one that was due"],
        [matched + "no fault was injected: no data or end of stream came for the fault"],
        [matched + "an earlier entry, \"tls\", applied to the 2 that were due"],
      ])
  }

  // MARK: - Processes

  @Test("Those are struck that are born while an entry holds, and not before or behind")
  func births() throws {
    var table = try FaultRuleSet.of(
      "- { name: a, process: program, when: { from: +5s, until: +9s }, provide: kill }")
    func start(_ ordinal: Int, at seconds: Int64) -> Bool {
      var facts = LaidFacts(processOrdinal: ordinal)
      facts.time = .seconds(seconds)
      return table.decideStart(isFirst: false, &facts) != nil
    }

    #expect(!start(1, at: 4))
    #expect(table.unfired().first?.explanation.first?.hasPrefix("its time never came") == true)
    #expect(start(2, at: 5))
    #expect(start(3, at: 8))
    #expect(!start(4, at: 9))
    #expect(table.counts[0].matched == 2)
    #expect(table.counts[0].fired == 2)
  }

  @Test("A moment at which nobody lived has come all the same")
  func moments() throws {
    var table = try FaultRuleSet.of(
      "- { name: a, process: program, when: { from: +5s }, provide: kill }")
    var facts = LaidFacts(processOrdinal: 1)
    _ = table.decideStart(isFirst: true, &facts)

    table.recordMoment(of: 0, elapsed: .seconds(4), wall: facts.clock)
    #expect(table.unfired().first?.explanation.first?.hasPrefix("its time never came") == true)
    table.recordMoment(of: 0, elapsed: .seconds(5), wall: facts.clock)
    #expect(
      table.unfired().first?.explanation == [
        "1 process matched, but did not run while the entry was active"
      ])
  }

  @Test("A target that an entry has started again is spared, unless a number bounds it")
  func restarts() throws {
    for (more, isStruckAgain) in [("", false), (", times: 3", true)] {
      var table = try FaultRuleSet.of(
        "- { name: a, process: program, when: { from: +5s\(more) }, provide: restart }")
      var facts = LaidFacts(processOrdinal: 1)
      facts.time = .seconds(5)
      #expect(table.decideMoment(of: 0, isFirst: true, &facts) != nil)

      facts.processOrdinal = 2
      table.spare(2, by: 0)
      #expect((table.decideStart(isFirst: true, &facts) != nil) == isStruckAgain)
      // Whoever else is born is struck.
      facts.processOrdinal = 3
      #expect(table.decideStart(isFirst: true, &facts) != nil)
    }
  }
}
