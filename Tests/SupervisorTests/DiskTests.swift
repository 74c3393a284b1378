import Foundations
import Glibc
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@testable import Supervisor

/// A program in a folder of its own, where disks have limits and crashes happen.
struct DiskRun {
  let folder: String
  let output: [String]
  let program: SupervisedProgram
  let status: WaitResult

  /// - Parameter entry: what stands behind `disk: FOLDER, `, or, without a disk, an entry of its own.
  init(
    _ mode: String, _ entry: String, isDisk: Bool = true, files: [String: String] = [:],
    links: [String: String] = [:]
  ) throws {
    var template = Array("/tmp/disk-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    folder = made
    for (name, text) in files { try DiskRun.write(text, to: "\(made)/\(name)") }
    for (name, other) in links {
      try #require(link("\(made)/\(other)", "\(made)/\(name)") == 0)
    }
    let start = isDisk ? "disk: \(made), " : ""
    let text =
      "version: 2\ntarget: { command: [/bin/true] }\nchaos:\n  - { \(start)\(entry) }\n"
    let file = try #require(
      ScenarioFile.parse(
        text: text.replacing("FOLDER", with: made), path: "test.yaml"
      ).file)
    let (plan, diagnostics) = Planner.plan(
      files: [file], options: PlannerOptions(fileExists: { _ in true }))
    #expect(diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    program = try SupervisedProgram(chaos: try #require(plan?.cases.first?.chaos))
    try program.start(
      [try CompiledProgram.path("disk_calls"), mode], directory: made)
    status = program.awaitExit()
    output = program.output.split(separator: "\n").map(String.init)
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  func content(_ name: String) -> [UInt8]? {
    let descriptor = open("\(folder)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, 4_096))
    }
  }

  func text(_ name: String) -> String? {
    content(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The letters that stand in a page of a file, sorted, each once.
  func letters(_ name: String, page: Int) -> String? {
    let descriptor = open("\(folder)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, 4_096, off_t(4_096 * page)))
    }
    return String(decoding: Set(bytes).sorted(), as: UTF8.self)
  }

  var account: RuleStatistics? { program.supervisor.snapshot().faults.first }

  /// Removes the folder.
  func remove() {
    program.stop()
    Self.remove(folder)
  }

  private static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in SmallFile.names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}

@Suite("Disks under the supervisor")
struct DiskTests {
  @Test("Whatever takes room is refused where there is none, cut where there is some")
  func ways() throws {
    let run = try DiskRun("ways", "provide: { free: 10000 }")
    defer { run.remove() }

    #expect(
      run.output == [
        "writev=6000", "pwritev=4000", "where it stands=1", "in place=10000", "empty=0",
        "shrink=0", "sparse=0", "in the hole=5904", "shrink=0", "fallocate=ENOSPC",
        "fallocate=0", "allocated=8192", "punch=0", "extend=5904", "unlink=0",
        "memory=1048576", "sendfile=10000", "sendfile=ENOSPC", "nothing to send=0",
        "truncate=0", "write=6000", "copy_file_range=4000", "truncate=0", "pipe=6000",
        "splice=4000",
      ])
    #expect(run.account?.fired == 8)
  }

  @Test("On a full disk names are made as on ext4, and folders and long links are not")
  func entries() throws {
    let run = try DiskRun("entries", "provide: full")
    defer { run.remove() }

    #expect(
      run.output == [
        "file=3", "mkdir=ENOSPC", "mkdir there=EEXIST", "symlink=0", "long symlink=ENOSPC",
        "rename=0", "link=0", "unlink=0",
      ])
  }

  @Test("A file without a name keeps its room until it is closed everywhere")
  func orphans() throws {
    let run = try DiskRun("orphans", "provide: { free: 40960 }")
    defer { run.remove() }

    #expect(
      run.output == [
        "write=8192", "free=32768", "free while open=32768", "free while a copy is open=32768",
        "free=40960", "nameless=8192", "free while open=32768", "free=40960", "write=8192",
        "rename over it=0", "free=40960",
      ])
  }

  @Test("Twenty threads in each of three processes share a disk to the byte")
  func crowd() throws {
    let run = try DiskRun("crowd", "provide: { quota: 100050 }")
    defer { run.remove() }

    #expect(run.output == ["sum=100050"])
    #expect(run.account?.processes.count == 3)
  }

  @Test("What a mapping has taken is missing behind it")
  func mapped() throws {
    let run = try DiskRun("mapped", "provide: { free: 10000 }")
    defer { run.remove() }

    #expect(run.output == ["sparse=0", "write=1808"])
  }

  @Test("A disk that cannot be changed refuses every change as the kernel does")
  func readOnly() throws {
    let run = try DiskRun(
      "read-only", "when: { skip: 1 }, provide: read_only", files: ["there": "x"])
    defer { run.remove() }

    #expect(
      run.output == [
        "open to read=4", "open to create what is there=5", "open what must not be there=EEXIST",
        "open to write=EROFS", "open to cut=EROFS", "open what is not there=ENOENT",
        "open a folder to write=EISDIR", "create=EROFS", "nameless=EROFS", "mkdir=EROFS",
        "mkdir there=EEXIST", "unlink=EROFS", "unlink nothing=EROFS", "unlink in nothing=ENOENT",
        "rename=EROFS", "link=EROFS", "symlink=EROFS", "mknod=EROFS", "chmod=EROFS",
        "fchmod=EROFS", "utimes=EROFS", "truncate=EROFS", "write=EROFS", "access to read=0",
        "access to write=EROFS", "flag=1",
      ])
    #expect(run.text("there") == "x")
  }

  @Test("Without its entry nothing is refused")
  func contrast() throws {
    let run = try DiskRun("ways", "provide: full, apply: false")
    defer { run.remove() }

    #expect(!run.output.contains { $0.hasSuffix("ENOSPC") })
    #expect(run.output.contains("sendfile=1048576"))
  }

  // MARK: - What is traced

  /// The rules for calls by name, for an entry.
  private func rules(_ entry: String) throws -> [String: FilterRule] {
    let file = try #require(
      ScenarioFile.parse(
        text: "version: 2\ntarget: { command: [/bin/true] }\nchaos: [{ \(entry) }]",
        path: "test.yaml"
      ).file)
    let plan = Planner.plan(
      files: [file], options: PlannerOptions(fileExists: { _ in true })
    ).plan
    let entries = try #require(plan?.cases.first?.chaos)
    let view = ClockView(nil, present: WallInstant(seconds: 0))
    let rules = try Interceptors.filterRules(
      of: SupervisorConfiguration(clock: nil, view: view, chaos: entries))
    return Dictionary(
      uniqueKeysWithValues: rules.map { (SystemCallTable.current.name(of: $0.key), $0.value) })
  }

  @Test("Calls that only read are not traced, nor any for an entry without a disk")
  func filter() throws {
    let full = try rules("disk: ., provide: full")
    #expect(full["write"] == .trace)
    #expect(full["read"] == nil)
    #expect(full["openat"] == nil)
    #expect(full["unlink"] == nil)
    let free = try rules("disk: ., provide: { free: 1 }")
    #expect(free["openat"] == .traceIfAnySet(argument: 2, bits: 0x40_0200))
    #expect(free["unlink"] == .trace)
    #expect(free["mmap"] == .traceIfAnySet(argument: 3, bits: 1))
    #expect(free["read"] == nil)
    #expect(free["fsync"] == nil)
    let call = try rules("call: fsync, provide: { kill: tree }")
    #expect(call["fsync"] == .trace)
    #expect(call["write"] == nil)
    let crash = try rules("call: fsync, provide: { kill: tree, lose: unsynced }")
    #expect(crash["write"] == .trace)
    #expect(crash["msync"] == .traceIfAnySet(argument: 2, bits: 4))
    #expect(crash["mprotect"] == .traceIfAnySet(argument: 2, bits: 2))
    #expect(free["mprotect"] == nil)
    // What is moved to where a crash takes changes back may have some that it loses.
    #expect(crash["rename"] == .trace)
    #expect(call["rename"] == nil)
    let names = try rules("call: fsync, provide: { kill: tree, lose: unsynced, metadata: lost }")
    #expect(names["rename"] == .trace)
  }

  // MARK: - Crashes

  @Test("What is written to a mapping is lost but for what was synced, however it was mapped")
  func mappedWrites() throws {
    let run = try DiskRun(
      "crash-mapped", "call: kill, provide: { kill: tree, lose: unsynced, files: FOLDER }",
      isDisk: false)
    defer { run.remove() }

    #expect(run.letters("synced", page: 0) == "mx")
    #expect(run.letters("synced", page: 1) == "o")
    #expect(run.letters("protected", page: 0) == "o")
    #expect(run.letters("moved", page: 1) == "o")
    #expect(run.letters("file-synced", page: 1) == "m")
    #expect(!run.program.events.contains { if case .crashUnknown = $0 { true } else { false } })
  }

  @Test("A crash of which it is not known what it leaves is reported")
  func unknownCrash() throws {
    let run = try DiskRun(
      "crash-mapped-failing",
      "call: fsync, when: { nth: 1 }, provide: { error: EIO } }\n"
        + "  - { call: kill, provide: { kill: tree, lose: unsynced, files: FOLDER }",
      isDisk: false)
    defer { run.remove() }

    let reasons = run.program.events.compactMap { event -> String? in
      if case .crashUnknown(_, let reason) = event { reason } else { nil }
    }
    #expect(
      reasons == ["a sync of \(run.folder)/mapped failed, which is mapped for writing"])
  }

  @Test("A crash leaves what was made durable, of each file by its own calls")
  func crash() throws {
    let run = try DiskRun(
      "crash", "call: kill, provide: { kill: process, lose: unsynced, files: FOLDER }",
      isDisk: false)
    defer { run.remove() }

    #expect(run.status.hasHappened)
    #expect(run.program.supervisor.exitStatus() == .signaled(number: SIGKILL))
    #expect(run.text("overwritten") == "durable durable")
    #expect(run.text("cut") == "w")
    #expect(run.text("emptied") == "")
    #expect(run.text("synchronous") == "kept")
    #expect(run.text("plain") == "")
    #expect(run.text("appended") == "one")
    #expect(run.text("mixed") == "\0\0\0\0kept")
  }

  @Test("Which files come back as they were depends on whether metadata is kept, length by length")
  func lengths() throws {
    func state(_ metadata: String) throws -> [String?] {
      let run = try DiskRun(
        "crash-lengths",
        "call: kill, provide: { kill: tree, lose: unsynced, metadata: \(metadata), files: FOLDER }",
        isDisk: false)
      defer { run.remove() }
      return ["cut", "grown", "allocated", "punched", "opened"].map { run.text($0) }
    }

    #expect(try state("kept") == ["dur", "durable\0\0\0", "durable\0", "\0\0rable", ""])
    #expect(try state("lost") == [String?](repeating: "durable", count: 5))
  }

  @Test("A sync that has failed loses what it was to write, though the next one succeeds")
  func failedSync() throws {
    for (error, expected) in [("EIO", "old"), ("ENOSPC", "old"), ("EINTR", "new")] {
      let run = try DiskRun(
        "crash-failed-sync",
        "call: fsync, when: { nth: 2 }, provide: { error: \(error) } }\n"
          + "  - { call: kill, provide: { kill: tree, lose: unsynced, files: FOLDER }",
        isDisk: false)
      defer { run.remove() }

      #expect(run.output.contains("again=0"))
      #expect(run.text("file") == expected)
    }
  }

  @Test("The last write may arrive in part")
  func torn() throws {
    let run = try DiskRun(
      "crash", "call: kill, provide: { kill: tree, lose: unsynced, torn: 2, files: FOLDER }",
      isDisk: false)
    defer { run.remove() }

    #expect(run.text("mixed") == "LO\0\0kept")
    #expect(run.text("appended") == "one")
  }

  @Test("A kill without a loss loses nothing")
  func kill() throws {
    let run = try DiskRun("crash", "call: kill, provide: { kill: process }", isDisk: false)
    defer { run.remove() }

    #expect(run.text("overwritten") == "LOSTble durableand LOST")
    #expect(run.text("plain") == "LOST")
  }

  @Test("Names that no sync of their folder covers go as well, if the entry says so")
  func names() throws {
    let run = try DiskRun(
      "crash",
      "call: kill, provide: { kill: tree, lose: unsynced, metadata: lost, files: FOLDER }",
      isDisk: false, files: ["there": "x"])
    defer { run.remove() }

    // sync(2) covered those that were made before it.
    #expect(run.text("appended") == "one")
    #expect(run.text("overwritten") == nil)
    #expect(run.text("plain") == nil)
    #expect(run.text("mixed") == nil)
    #expect(run.text("emptied") == "durable")
    #expect(run.text("there") == "x")
  }

  @Test("Twenty threads that sync and write keep what each has synced")
  func crowdOfSyncs() throws {
    let run = try DiskRun(
      "crash-crowd", "call: kill, provide: { kill: process, lose: unsynced, files: FOLDER }",
      isDisk: false)
    defer { run.remove() }

    for index in 0..<20 {
      #expect(run.content("file\(index)") == [19, 0, 0, 0])
    }
  }
}

@Suite("Disks beside other entries")
struct DiskJoinTests {
  /// What twenty writers of four bytes each bring to a disk with room for forty.
  private func written(_ entry: String, clock: PlannedClock? = nil) throws -> (
    Int, [RuleStatistics]
  ) {
    var template = Array("/tmp/disk-join-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let list = "  - { disk: \(folder), provide: { free: 40 } }\n" + entry
    let chaos = try chaosEntries(list)
    let program = try SupervisedProgram(clock: clock, chaos: chaos)
    defer {
      program.stop()
      unlink("\(folder)/all")
      rmdir(folder)
    }
    try program.start(
      ["/bin/sh", "-c", "for i in $(seq 20); do echo abc >> all & done; wait"], directory: folder)
    #expect(program.awaitExit().hasHappened)
    var status = stat()
    #expect(stat("\(folder)/all", &status) == 0)
    return (Int(status.st_size), program.supervisor.snapshot().faults)
  }

  @Test(
    "Calls that are made all the same, at once or later, meet the disk",
    arguments: [
      "", "  - { call: write, provide: original }", "  - { call: write, provide: { delay: 1s } }",
      "  - { call: write, when: { every: 2 }, provide: { short: { bytes: 3 } } }",
      "  - { call: write, provide: { signal: CONT, then: original } }",
      "  - { call: write, provide: { exec: [sh, -c, 'while read line; do echo \"{}\"; done'] } }",
      "  - { call: write, provide: { exec: [/bin/true] } }",
    ])
  func made(entry: String) throws {
    let clock = entry.contains("delay") ? PlannedClock.from2030(.auto) : nil
    let (size, accounts) = try written(entry, clock: clock)

    #expect(size == 40)
    #expect(accounts[0].fired > 0)
  }

  @Test("Calls that are not made take no room")
  func notMade() throws {
    let (size, accounts) = try written(
      "  - { call: write, where: { path: \"**/all\" }, when: { skip: 5 }, provide: { error: EIO } }"
    )

    #expect(size == 20)
    #expect(accounts[0].fired == 0)
    #expect(accounts[1].fired == 15)
  }
}
