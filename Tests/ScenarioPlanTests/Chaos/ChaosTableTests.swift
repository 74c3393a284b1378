import ScenarioModel
import ScenarioPlan
import Testing

@Suite("The chaos table")
struct ChaosTableTests {
  private func table(_ entries: String, directory: String? = nil) throws -> ChaosTable {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nchaos:\n" + entries)
    return ChaosTable(entries: planned.chaos, directory: directory)
  }

  private func fails(_ verdict: ChaosTable.Verdict) -> String? {
    guard case .fail(let error, _) = verdict else { return nil }
    return error.name
  }

  @Test("After and times count the calls that match, over all members of the family")
  func counting() throws {
    var table = try table(
      "  - { call: [fsync, fdatasync], when: { after: 2, times: 2 }, provide: { error: EIO } }")

    let calls = ["fsync", "fdatasync", "fsync", "fdatasync", "fsync", "open"]
    let errors = calls.map { fails(table.verdict(systemCall: $0, path: "/x")) }

    #expect(errors == [nil, nil, "EIO", "EIO", nil, nil])
    #expect(table.counts[0].seen == 5)
    #expect(table.counts[0].matched == 5)
    #expect(table.counts[0].fired == 2)
    #expect(table.unfired() == [])
  }

  @Test("Only calls of which the path matches are counted")
  func paths() throws {
    var table = try table(
      """
        - { call: write, where: { path: "**/*.db-journal" }, when: { times: 1 }, provide: { error: ENOSPC } }
      """)

    #expect(table.verdict(systemCall: "write", path: "/tmp/a.db") == .original)
    #expect(table.verdict(systemCall: "write", path: nil) == .original)
    #expect(fails(table.verdict(systemCall: "pwrite64", path: "/t/a.db-journal")) == "ENOSPC")
    #expect(table.counts[0].seen == 3)
    #expect(table.counts[0].matched == 1)
  }

  @Test("A relative pattern counts from the case's directory")
  func relative() throws {
    var table = try table(
      "  - { call: open, where: { path: out/*.txt }, provide: { error: EACCES } }",
      directory: "/case")

    #expect(fails(table.verdict(systemCall: "openat", path: "/case/out/a.txt")) == "EACCES")
    #expect(table.verdict(systemCall: "openat", path: "/other/out/a.txt") == .original)
    #expect(table.verdict(systemCall: "openat", path: "out/a.txt") == .original)
  }

  @Test("Either of two paths may match")
  func twoPaths() throws {
    var table = try table(
      "  - { call: rename, where: { path: /x/final }, provide: { error: EXDEV } }")
    let index = try #require(table.systemCallNames.firstIndex(of: "renameat2"))

    #expect(fails(table.verdict(call: index, path: "/x/tmp", otherPath: "/x/final")) == "EXDEV")
    #expect(table.verdict(call: index, path: "/x/tmp", otherPath: "/x/other") == .original)
  }

  @Test("A host matches whatever its capitals, also by pattern")
  func hosts() throws {
    var table = try table(
      "  - { call: connect, where: { host: '*.Example.com' }, provide: { error: ECONNREFUSED } }")

    #expect(
      fails(table.verdict(systemCall: "connect", path: nil, host: "API.example.COM"))
        == "ECONNREFUSED")
    #expect(table.verdict(systemCall: "connect", path: nil, host: "example.org") == .original)
    #expect(table.verdict(systemCall: "connect", path: nil, host: nil) == .original)
  }

  @Test("The first entry that is due fires; a used-up one lets the next one act")
  func firstDue() throws {
    var table = try table(
      """
        - { name: one, call: fsync, when: { times: 1 }, provide: { error: EIO } }
        - { name: two, call: fsync, when: { times: 1 }, provide: { error: ENOSPC } }
      """)

    let errors = (0..<3).map { _ in fails(table.verdict(systemCall: "fsync", path: "/x")) }

    #expect(errors == ["EIO", "ENOSPC", nil])
  }

  @Test("The names of calls are sorted, and each stands once")
  func names() throws {
    let table = try table(
      """
        - { call: [fsync, fdatasync], provide: { error: EIO } }
        - { call: [close, fsync], where: { path: /x }, provide: { error: EIO } }
      """)

    #expect(table.systemCallNames == ["close", "fdatasync", "fsync"])
    #expect(table.needsPath(call: 0))
    #expect(!table.needsPath(call: 1))
    #expect(table.needsPath(call: 2))
    #expect(!table.needsHost(call: 2))
  }

  @Test("A call that nobody asked about, or an index that does not exist, changes nothing")
  func outside() throws {
    var table = try table("  - { call: fsync, provide: { error: EIO } }")

    #expect(table.verdict(call: 99, path: nil) == .original)
    #expect(table.verdict(call: -1, path: nil) == .original)
    #expect(!table.needsPath(call: 99))
    #expect(table.counts[0].seen == 0)
  }

  @Test("An entry that never fired tells the nearest subjects")
  func nearest() throws {
    var table = try table(
      """
        - { name: j, call: write, where: { path: "/data/app.db-journal" }, provide: { error: EIO } }
      """)
    for path in ["/etc/hosts", "/tmp/app.db-journal", "/data/app.db", "/data/app.db-wal"] {
      _ = table.verdict(systemCall: "write", path: path)
    }

    let unfired = try #require(table.unfired().first)

    #expect(unfired.name == "j")
    #expect(unfired.counts.seen == 4)
    #expect(unfired.closestSubjects.first == "/tmp/app.db-journal")
    #expect(unfired.closestSubjects.count == 3)
    #expect(unfired.explanation.first == "4 calls were seen, none with \"/data/app.db-journal\"")
  }

  @Test(
    "An entry that never fired tells why",
    arguments: [
      (0, "the target made none of these calls: fsync"),
      (1, "1 call matched, but 3 must pass first"),
      (3, "3 calls matched, but 3 must pass first"),
    ])
  func reasons(calls: Int, reason: String) throws {
    var table = try table("  - { call: fsync, when: { after: 3 }, provide: { error: EIO } }")
    for _ in 0..<calls { _ = table.verdict(systemCall: "fsync", path: "/x") }

    #expect(table.unfired().first?.explanation == [reason])
  }

  @Test("What passes by is remembered within bounds")
  func bounded() throws {
    var table = try table("  - { call: write, where: { path: /no }, provide: { error: EIO } }")
    for number in 0..<10_000 { _ = table.verdict(systemCall: "write", path: "/f\(number)") }

    #expect(table.unfired().first?.counts.seen == 10_000)
    #expect(table.unfired().first?.closestSubjects.count == 3)
  }
}
