@testable import FaultEngine
import Foundations
@testable import Patterns
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Room on disks")
struct DiskSpaceTests {
  // MARK: - Accounts

  @Test("What is taken, reserved and given back is accounted for")
  func account() {
    var account = SpaceAccount(limit: 100)
    account.reserve(60)
    #expect(account.room == 40)
    #expect(account.rest == 100)
    account.release(60)
    account.charge(50)
    #expect(account.room == 50)
    account.charge(-70)
    #expect(account.room == 120)
    account.charge(200)
    #expect(account.room == 0)
    #expect(account.highest == 180)
  }

  @Test("A disk without anything gives nothing, whatever is given back")
  func fullAccount() {
    var account = SpaceAccount(limit: nil)
    account.charge(-1_000)

    #expect(account.room == 0)
    #expect(account.rest == 0)
  }

  @Test("No number of bytes makes an account trap")
  func extremes() {
    var account = SpaceAccount(limit: Int64.max)
    account.charge(Int64.min)
    #expect(account.room == Int64.max)
    account.charge(Int64.max)
    #expect(account.used == 0)
    account.reserve(Int64.max)
    account.reserve(Int64.max)
    #expect(account.room == 0)
    account.charge(Int64.max)
    account.charge(Int64.max)
    account.release(Int64.min)
    account.release(Int64.max)
    #expect(account.reserved == 0)
    #expect(account.room == 0)
  }

  @Test(
    "A write ends where the room ends, and bytes that have room cost none",
    arguments: [
      (100, [0..<50], 50), (30, [0..<50], 30), (0, [0..<50], 0), (0, [], 50),
      (0, [20..<50], 20), (10, [0..<5, 10..<20, 30..<50], 15), (35, [0..<5, 10..<20, 30..<50], 50),
    ] as [(Int64, [Range<Int64>], Int64)])
  func ends(room: Int64, holes: [Range<Int64>], end: Int64) {
    #expect(SpaceAccount(limit: room).end(of: 0..<50, holes: holes) == end)
  }

  @Test("A move needs room where it comes from elsewhere, and an exchange the difference")
  func moveNeeds() {
    let data = globs("data")
    func need(_ from: String, _ to: String, exchanges: Bool = false) -> Int64 {
      DiskMove(from: "/case/work/\(from)", to: "/case/work/\(to)", exchanges: exchanges)
        .need(on: data) { DiskMoveSpace(moved: 100, met: 30) }
    }

    #expect(need("file", "data/file") == 100)
    #expect(need("data/file", "data/other") == 0)
    #expect(need("data/file", "file") == 0)
    #expect(need("file", "data/file", exchanges: true) == 70)
    #expect(need("data/file", "file", exchanges: true) == 0)
    #expect(need("file", "other") == 0)
  }

  // MARK: - Globs

  @Test("All that a glob covers stands below its roots")
  func roots() {
    #expect(globs(".", "data").roots == ["/case/work"])
    #expect(globs("data/*.db", "other").roots == ["/case/work/data", "/case/work/other"])
    #expect(globs("**/*.db").roots == ["/case/work"])
    #expect(globs("/var/log").roots == ["/var/log"])
  }

  private func globs(_ texts: String...) -> DiskGlobs {
    DiskGlobs(texts.map { GlobPattern($0) }, directory: "/case/work")
  }

  @Test(
    "A glob covers what it matches, and what stands in the folders that it matches",
    arguments: [
      (".", "/case/work/a/b", true), (".", "/case/work", true), (".", "/case/worker", false),
      ("./", "/case/work/a", true), ("data", "/case/work/data", true),
      ("data", "/case/work/data/a/b", true), ("data", "/case/work/database", false),
      ("./data/", "/case/work/data/a", true), ("data/**", "/case/work/data/a/b", true),
      ("data/**", "/case/work/data", false), ("*.db", "/case/work/a.db", true),
      ("*.db", "/case/work/a/a.db", false), ("**/*.db", "/other/a.db", true),
      ("**", "/other/a.db", true), ("./**", "/other/a.db", false),
      ("./**", "/case/work/a/b", true), ("/", "/other", true), ("/var/log", "/var/log/x", true),
      ("/var/log", "/var/lo", false),
    ])
  func covers(glob: String, path: String, isCovered: Bool) {
    #expect(globs(glob).cover(path) == isCovered)
  }

  @Test("A question about a folder is one about the files that may stand below it")
  func questions() {
    #expect(globs("data/*.db").mayStand(in: "/case/work/data"))
    #expect(!globs("data/*.db").mayStand(in: "/case/work/other"))
    #expect(globs(".").mayStand(in: "/case/work"))
    #expect(globs("data").areMounted(at: "/case/work/data"))
    #expect(!globs("data/*").areMounted(at: "/case/work/data"))
    #expect(!DiskGlobs([GlobPattern("data")], directory: nil).cover("/data"))
  }

  // MARK: - Decisions

  /// Facts of a call that wants something of a disk.
  private struct WantedFacts: ChaosFacts {
    var use: DiskUse?
    var base = LaidFacts()

    var processOrdinal: Int { base.processOrdinal }
    func argument(_ index: Int) -> UInt64 { 0 }
    func paths() -> [String] { [] }
    func descriptorKind() -> DescriptorKind? { nil }
    func host() -> String? { nil }
    func port() -> Int64? { nil }
    func size() -> Int64? { nil }
    func offset() -> Int64? { nil }
    func flags() -> UInt64? { nil }
    func program() -> ProgramNames { base.names }
    func threadName() -> String { "" }
    func caller() -> String? { nil }
    func elapsed() -> Nanoseconds { base.time }
    func wall() -> WallInstant { base.clock }
    func diskUse() -> DiskUse? { use }
  }

  private func write(_ bytes: Int64, to path: String = "/case/work/file") -> DiskUse {
    var use = DiskUse(paths: [path])
    use.range = 0..<bytes
    use.holes = [0..<bytes]
    use.canBeCut = true
    use.isChange = true
    use.isRefusedReadOnly = true
    return use
  }

  private func decide(_ table: inout FaultRuleSet, _ use: DiskUse) throws -> DiskAnswer? {
    let index = try #require(table.systemCallNames.firstIndex(of: "write"))
    var facts = WantedFacts(use: use)
    guard let decision = table.decideDisks(call: index, &facts) else { return nil }
    guard case .disk(let answer) = decision.action.deed else {
      Issue.record("\(decision.action.deed)")
      return nil
    }
    return answer
  }

  private func table(_ entries: String) throws -> FaultRuleSet {
    try FaultRuleSet.of(entries, directory: "/case/work")
  }

  @Test("A write gets what there is, then nothing, and a deletion makes room")
  func budget() throws {
    var table = try table("  - { disk: ., provide: { free: 100 } }")

    #expect(try decide(&table, write(60)) == nil)
    table.charge(60, in: [0])
    #expect(try decide(&table, write(60)) == .cut(40))
    table.charge(40, in: [0])
    #expect(try decide(&table, write(1)) == .fail(ErrorNumber(name: "ENOSPC", code: 28)))
    table.charge(-50, in: [0])
    #expect(try decide(&table, write(50)) == nil)
    #expect(table.counts[0].matched == 4)
    #expect(table.counts[0].fired == 2)
  }

  @Test("Each disk has its own error")
  func errors() throws {
    for (provider, error) in [
      ("full", "ENOSPC"), ("read_only", "EROFS"), ("{ quota: 0 }", "EDQUOT"),
      ("{ free: 0B }", "ENOSPC"),
    ] {
      var table = try table("  - { disk: ., provide: \(provider) }")
      guard case .fail(let number)? = try decide(&table, write(1)) else {
        Issue.record("\(provider)")
        continue
      }
      #expect(number.name == error)
    }
  }

  @Test("Only what would be refused counts for the schedule")
  func schedule() throws {
    var table = try table(
      "  - { disk: ., when: { skip: 1, times: 1 }, provide: { free: 10 } }")

    #expect(try decide(&table, write(5)) == nil)
    #expect(try decide(&table, write(20)) == nil)
    #expect(try decide(&table, write(20)) == .cut(10))
    #expect(try decide(&table, write(20)) == nil)
  }

  @Test("A disk that would have refused, had its schedule said so, tells that it counts refusals")
  func refusals() throws {
    var table = try table("  - { name: small, disk: ., when: { nth: 3 }, provide: { free: 10 } }")
    for length in [5, 20, 20] { #expect(try decide(&table, write(Int64(length))) == nil) }

    #expect(
      table.unfired().first?.explanation == [
        "3 calls matched",
        "2 calls needed more than the disk has; only these count, but only number 3 is chosen",
      ])
    #expect(try decide(&table, write(20)) == .cut(10))
  }

  @Test("What stands elsewhere is left alone, and told as a near miss")
  func nearMiss() throws {
    var table = try table("  - { name: small, disk: data, provide: full }")

    #expect(try decide(&table, write(5, to: "/case/work/date/file")) == nil)
    #expect(
      table.unfired().first?.explanation == [
        "write was called once, on /case/work/date/file", "none of them with \"data\"",
      ])
  }

  @Test("Where the caller was not meant, the near miss says so")
  func otherCaller() throws {
    var table = try table("  - { disk: ., where: { process: cp }, provide: full }")

    #expect(try decide(&table, write(5)) == nil)
    #expect(
      table.unfired().first?.explanation == ["write was called once", "none of them with \"cp\""])
  }

  @Test("A disk that refused nothing tells how much was taken")
  func unfired() throws {
    var table = try table("  - { name: small, disk: ., provide: { free: 1KiB } }")

    #expect(table.unfired().first?.explanation == ["no call used space on a disk"])
    #expect(try decide(&table, write(5)) == nil)
    table.charge(5, in: [0])
    #expect(
      table.unfired().first?.explanation == ["1 call used at most 5 of 1024 bytes on \".\""])
  }

  @Test("Of several disks the one with the least room answers")
  func severalDisks() throws {
    var table = try table(
      """
        - { name: wide, disk: ., provide: { free: 6 } }
        - { name: narrow, disk: "*", provide: { quota: 4 } }
      """)

    #expect(try decide(&table, write(8)) == .cut(4))
    table.charge(4, in: [0, 1])
    #expect(try decide(&table, write(4)) == .fail(ErrorNumber(name: "EDQUOT", code: 122)))
    #expect(try decide(&table, write(1)) == .fail(ErrorNumber(name: "EDQUOT", code: 122)))
  }

  @Test("Entries about calls come first, and a disk that is applied anew has its room again")
  func order() throws {
    var table = try table(
      """
        - { name: other, call: write, when: { times: 1 }, provide: { error: EIO } }
        - { name: disk, disk: ., provide: { free: 3 } }
      """)
    let index = try #require(table.systemCallNames.firstIndex(of: "write"))
    var facts = WantedFacts(use: write(9))
    #expect(
      table.decide(call: index, &facts)?.action.deed
        == .fail(ErrorNumber(name: "EIO", code: 5)))
    #expect(try decide(&table, write(9)) == .cut(3))
    table.charge(3, in: [1])
    #expect(try decide(&table, write(9)) == .fail(ErrorNumber(name: "ENOSPC", code: 28)))
    table.apply(.entry("disk"), seed: nil)
    #expect(try decide(&table, write(9)) == .cut(3))
    table.revert(.all)
    #expect(try decide(&table, write(9)) == nil)
  }

  @Test("A folder that is the disk itself takes no room on it")
  func mount() throws {
    var table = try table("  - { disk: data, provide: full }")
    var use = DiskUse(paths: ["/case/work/data"])
    use.entry = 4_096
    use.makesFolder = true

    #expect(try decide(&table, use) == nil)
    use.paths = ["/case/work/data/inner"]
    #expect(try decide(&table, use) == .fail(ErrorNumber(name: "ENOSPC", code: 28)))
  }

  @Test("A question is told how much room there is")
  func question() throws {
    var table = try table("  - { disk: data, provide: { free: 5000 } }")
    var use = DiskUse(paths: ["/case/work/data"])
    use.isQuestion = true

    #expect(try decide(&table, use) == .room(5_000))
    use.paths = ["/case/other"]
    #expect(try decide(&table, use) == nil)
  }

  // MARK: - Mistakes

  @Test(
    "What a disk cannot be given is an error before anything runs",
    arguments: [
      ("disk: ., provide: { error: EIO }", "this provider is not supported for a disk"),
      (
        "disk: ., provide: { sequence: [full, original] }",
        "this provider is not supported for a disk"
      ),
      ("disk: ., provide: { kill: tree, lose: unsynced }", "\"kill\" is not supported for a disk"),
      ("call: write, provide: full", "this provider is supported only for a disk"),
      ("call: write, provide: { free: 1 }", "this provider is supported only for a disk"),
      ("call: write, provide: { lose: unsynced }", "this provider is supported only for a disk"),
      (
        "call: write, provide: { sequence: [original, full] }",
        "this provider is supported only for a disk"
      ),
      ("function: malloc, provide: read_only", "this provider is supported only for a disk"),
      ("disk: ., where: { path: a }, provide: full", "\"path\" is not a condition for a disk"),
      ("disk: ., where: { fd: file }, provide: full", "\"fd\" is not a condition for a disk"),
      ("disk: '[a', provide: full", "[a"),
      ("disk: '', provide: full", "the glob is empty"),
      ("disk: ../x, provide: full", "leaves the case's directory"),
    ])
  func mistakes(entry: String, message: String) throws {
    let diagnostics = try Samples.plan(
      "target: { command: [./program] }\nsteps: [{ run: }]\nchaos: [{ \(entry) }]"
    ).diagnostics

    #expect(diagnostics.count == 1)
    #expect(diagnostics.first?.message.contains(message) ?? false, "\(diagnostics)")
    #expect(diagnostics.first?.severity == .error)
  }

  @Test("A crash stands wherever a provider may stand")
  func crashes() throws {
    let entries = try Samples.onlyCase(
      """
      target: { command: [./program] }
      steps: [{ run: }]
      chaos:
        - { call: fsync, provide: { sequence: [original, { kill: tree, lose: unsynced, torn: 512 }] } }
        - { disk: data, provide: { lose: unsynced, metadata: lost } }
        - { call: write, provide: { delay: 1s, then: { kill: process, lose: unsynced, files: "*.db" } } }
      """
    ).chaos

    #expect(
      entries.flatMap(\.crashes) == [
        PlannedCrash(scope: .tree, files: [GlobPattern(".")], torn: 512),
        PlannedCrash(scope: .tree, files: [GlobPattern("data")], names: .lost),
        PlannedCrash(scope: .process, files: [GlobPattern("*.db")]),
      ])
  }
}
