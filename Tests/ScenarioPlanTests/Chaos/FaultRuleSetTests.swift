@testable import FaultEngine
import Foundations
import ScenarioModel
@testable import ScenarioPlan
import Testing

/// Facts that a test lays out.
struct LaidFacts: ChaosFacts {
  var arguments: [Int: UInt64] = [:]
  var path: String?
  var otherPath: String?
  var kind: DescriptorKind?
  var hostName: String?
  var portNumber: Int64?
  var byteCount: Int64?
  var place: Int64?
  var flagWord: UInt64?
  var names = ProgramNames(executable: "/usr/bin/program")
  var processOrdinal = 1
  var thread = "main"
  var callerPath: String?
  var lineage: [UInt32] = []
  var time = Nanoseconds.zero
  var clock = WallInstant(seconds: 0)
  /// The end of a transfer that is asked about: of two paths the first is read.
  var end: TransferEnd?

  func argument(_ index: Int) -> UInt64 { arguments[index] ?? 0 }
  mutating func attend(to end: TransferEnd?) { self.end = end }
  func paths() -> [String] {
    switch end {
    case .source: [path].compactMap(\.self)
    case .target: [otherPath].compactMap(\.self)
    case nil: [path, otherPath].compactMap(\.self)
    }
  }
  func descriptorKind() -> DescriptorKind? { kind }
  func host() -> String? { hostName }
  func port() -> Int64? { portNumber }
  func size() -> Int64? { byteCount }
  func offset() -> Int64? { place }
  func flags() -> UInt64? { flagWord }
  func program() -> ProgramNames { names }
  func threadName() -> String { thread }
  func caller() -> String? { callerPath }
  func elapsed() -> Nanoseconds { time }
  func wall() -> WallInstant { clock }
}

extension FaultRuleSet {
  /// The table of entries that a test writes out.
  static func of(_ entries: String, directory: String? = nil, seed: Int64 = 0) throws
    -> FaultRuleSet
  {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nclock: { flow: auto }\n"
        + "steps: [{ name: save, run: }, { apply: all }]\nchaos:\n" + entries)
    return FaultRuleSet(entries: planned.chaos, directory: directory, seed: seed)
  }

  /// What becomes of a call, in a word; `nil` for one that is made as it is.
  mutating func meet(_ call: String, _ facts: LaidFacts = LaidFacts()) -> String? {
    guard let index = systemCallNames.firstIndex(of: call) else { return nil }
    var facts = facts
    guard let decision = decide(call: index, &facts) else { return nil }
    return switch decision.action.deed {
    case .fail(let error): error.name
    case .result(let number): "\(number)"
    case .original: "original"
    case let deed: "\(deed)"
    }
  }

  mutating func meet(_ call: String, path: String) -> String? {
    meet(call, LaidFacts(path: path))
  }
}

@Suite("The chaos table")
struct ChaosTableTests {
  @Test(
    "An entry that begins with a call of one thread leaves what others do before, and takes all behind"
  )
  func beginning() throws {
    for isOfThread in [true, false] {
      var entries = try FaultRuleSet.of("  - { call: write, provide: { error: EIO } }").entries
      if isOfThread { entries[0].beginning = PlannedChaos.Beginning(lineage: [0, 2], rank: 2) }
      var table = FaultRuleSet(entries: entries)
      let fates = [[0], [0, 2], [0, 1], [0, 1], [0, 2], [0, 1], [0, 2]].map {
        (lineage: [UInt32]) in
        let index = table.systemCallNames.firstIndex(of: "write") ?? 0
        if table.passes(call: index, process: 1) { return "passes" }
        return table.meet("write", LaidFacts(lineage: lineage)) ?? "none"
      }
      let first = isOfThread ? "none" : "EIO"
      #expect(fates == [first, first, first, first, "EIO", "EIO", "EIO"])
    }
  }

  @Test("After and times count the calls that match, over all members of the family")
  func counting() throws {
    var table = try FaultRuleSet.of(
      "  - { call: [fsync, fdatasync], when: { skip: 2, times: 2 }, provide: { error: EIO } }")

    let calls = ["fsync", "fdatasync", "fsync", "fdatasync", "fsync", "open"]
    let errors = calls.map { table.meet($0, path: "/x") }

    #expect(errors == [nil, nil, "EIO", "EIO", nil, nil])
    #expect(table.counts[0] == FaultRuleSet.Counts(seen: 5, matched: 5, fired: 2))
    #expect(table.unfired() == [])
  }

  @Test(
    "A schedule takes the calls that it says",
    arguments: [
      ("every: 3", [3, 6, 9]), ("every: 3, skip: 1", [4, 7, 10]), ("nth: [2, 5]", [2, 5]),
      ("nth: 1, skip: 4", [5]), ("every: 2, times: 2", [2, 4]), ("times: 3", [1, 2, 3]),
      ("skip: 9", [10]), ("skip: 10", []), ("probability: 1", Array(1...10)),
    ])
  func schedules(when: String, places: [Int]) throws {
    var table = try FaultRuleSet.of(
      "  - { call: fsync, when: { \(when) }, provide: { error: EIO } }")

    let taken = (1...10).filter { _ in table.meet("fsync") != nil }

    #expect(taken == places)
  }

  @Test(
    "A transfer between two descriptors is asked at the end that the entry is about",
    arguments: [
      ("read", true, false), ("'@read'", true, false), ("write", false, true),
      ("'@write'", false, true), ("[read, write]", true, true), ("copy_file_range", true, true),
      ("[write, copy_file_range]", true, true),
    ])
  func ends(call: String, ofSource: Bool, ofTarget: Bool) throws {
    let facts = LaidFacts(path: "/source", otherPath: "/target")
    for (path, isMet) in [("/source", ofSource), ("/target", ofTarget), ("/other", false)] {
      var table = try FaultRuleSet.of(
        "  - { call: \(call), where: { path: \(path) }, provide: { error: EIO } }")

      #expect((table.meet("copy_file_range", facts) == "EIO") == isMet)
    }
  }

  @Test("Calls before and behind the window are not counted")
  func windows() throws {
    var table = try FaultRuleSet.of(
      "  - { call: fsync, when: { from: +10s, until: +20s, skip: 1 }, provide: { error: EIO } }")

    let errors = [9, 10, 11, 19, 20].map { second in
      table.meet("fsync", LaidFacts(time: .seconds(second)))
    }

    #expect(errors == [nil, nil, "EIO", "EIO", nil])
    #expect(table.counts[0].matched == 5)
  }

  @Test("An absolute window looks at the wall clock")
  func absoluteWindow() throws {
    var table = try FaultRuleSet.of(
      "  - { call: fsync, when: { from: 1970-01-01T00:01:00Z }, provide: { error: EIO } }")

    #expect(table.meet("fsync", LaidFacts(clock: WallInstant(seconds: 59))) == nil)
    #expect(table.meet("fsync", LaidFacts(clock: WallInstant(seconds: 60))) == "EIO")
  }

  @Test("An entry may hold during a step, and behind a reply")
  func stepsAndReplies() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      responses: [{ "GET https://h/": { text: x } }]
      steps: [{ name: save, run: }]
      chaos:
        - { name: s, call: fsync, when: { during: save }, provide: { error: EIO } }
        - { name: r, call: close, when: { on: { reply: "GET https://h/", nth: 2 } }, provide: { error: EIO } }
      """)
    var table = FaultRuleSet(entries: planned.chaos)

    #expect(table.meet("fsync") == nil)
    table.activeSteps = ["outer", "save"]
    #expect(table.meet("fsync") == "EIO")
    table.activeSteps = []
    #expect(table.meet("fsync") == nil)
    #expect(table.awaitsReplies)
    table.replies = ["GET https://h/": 1]
    #expect(table.meet("close") == nil)
    table.replies = ["GET https://h/": 2]
    #expect(table.meet("close") == "EIO")
  }

  @Test("Applied anew an entry begins from its beginning; reverted it lets calls be")
  func applying() throws {
    var table = try FaultRuleSet.of(
      """
        - { name: a, call: fsync, when: { skip: 1, times: 1 }, apply: false, provide: { sequence: [{ error: EIO }, { error: EINTR }] } }
        - { name: b, call: fsync, provide: { error: ENOSPC } }
      """)

    #expect(table.meet("fsync") == "ENOSPC")
    table.apply(.entry("a"), seed: nil)
    #expect((0..<3).map { _ in table.meet("fsync") } == ["ENOSPC", "EIO", "ENOSPC"])
    table.apply(.all, seed: 7)
    #expect((0..<2).map { _ in table.meet("fsync") } == ["ENOSPC", "EIO"])
    table.revert(.entry("b"))
    #expect(table.meet("fsync") == nil)
    table.revert(.all)
    #expect(table.meet("fsync") == nil)
    #expect(table.counts.map(\.fired) == [2, 4])
  }

  @Test("The first entry that is due decides; a used-up one lets the next one act")
  func firstDue() throws {
    var table = try FaultRuleSet.of(
      """
        - { name: one, call: fsync, when: { times: 1 }, provide: { error: EIO } }
        - { name: two, call: fsync, when: { times: 1 }, provide: { error: ENOSPC } }
      """)

    #expect((0..<3).map { _ in table.meet("fsync") } == ["EIO", "ENOSPC", nil])
  }

  @Test("An entry that provides the original keeps others away, and that is its firing")
  func exemption() throws {
    var table = try FaultRuleSet.of(
      """
        - { name: log, call: write, where: { path: "**/log" }, provide: original }
        - { name: full, call: write, provide: { error: ENOSPC } }
      """)

    #expect(table.meet("write", path: "/a/log") == nil)
    #expect(table.meet("write", path: "/a/db") == "ENOSPC")
    #expect(table.counts.map(\.fired) == [1, 1])
    #expect(table.unfired() == [])
  }

  @Test("A sequence goes on to its last provider and stays there; originals are no firings")
  func sequences() throws {
    var table = try FaultRuleSet.of(
      "  - { call: read, provide: { sequence: [original, { error: EINTR }, { constant: 5 }] } }")

    #expect(table.meet("read") == nil)
    #expect(table.counts[0].fired == 0)
    #expect((0..<3).map { _ in table.meet("read") } == ["EINTR", "5", "5"])
    #expect(table.counts[0].fired == 3)
  }

  @Test("A match takes the first branch that holds, and nests")
  func matching() throws {
    var table = try FaultRuleSet.of(
      """
        - call: read
          provide:
            match:
              - { where: { args: { 0: 3 } }, provide: { sequence: [{ error: EIO }, { constant: 1 }] } }
              - { where: { path: "**/b" }, provide: { error: EINTR } }
            else: { constant: 9 }
      """)
    func facts(_ descriptor: UInt64, _ path: String) -> LaidFacts {
      LaidFacts(arguments: [0: descriptor], path: path)
    }

    let found = [(3, "/b"), (4, "/b"), (3, "/a"), (5, "/a"), (3, "/b")].map {
      table.meet("read", facts($0.0, $0.1))
    }

    #expect(found == ["EIO", "EINTR", "1", "9", "1"])
  }

  @Test("A call of a family that a provider does not fit is made as it is, and that is no firing")
  func unfit() throws {
    var table = try FaultRuleSet.of("  - { call: [send, ioctl], provide: { short: 1 } }")

    #expect(table.meet("ioctl") == nil)
    #expect(table.counts[0] == FaultRuleSet.Counts(seen: 1, matched: 1, fired: 0))
    #expect(table.meet("sendto") == "short(ScenarioModel.PartialAmount.bytes(1))")
  }

  @Test("Counts are kept by process as well")
  func byProcess() throws {
    var table = try FaultRuleSet.of(
      "  - { call: fsync, where: { path: /x }, when: { skip: 1 }, provide: { error: EIO } }")
    for (process, path) in [(1, "/x"), (2, "/x"), (2, "/y"), (5, "/x")] {
      _ = table.meet("fsync", LaidFacts(path: path, processOrdinal: process))
    }

    #expect(
      table.countsByProcess[0] == [
        1: .init(seen: 1, matched: 1, fired: 0), 2: .init(seen: 2, matched: 1, fired: 1),
        5: .init(seen: 1, matched: 1, fired: 1),
      ])
  }

  @Test("A call that nobody asked about, or an index that does not exist, changes nothing")
  func outside() throws {
    var table = try FaultRuleSet.of("  - { call: fsync, provide: { error: EIO } }")
    var facts = LaidFacts()

    #expect(table.decide(call: 99, &facts) == nil)
    #expect(table.decide(call: -1, &facts) == nil)
    #expect(table.counts[0].seen == 0)
  }
}
