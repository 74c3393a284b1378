import CSupervisor
import FaultEngine
import Glibc
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Disks and names that cross their edges")
struct DiskMoveTests {
  private func moves(_ provider: String) throws -> [String] {
    let run = try DiskRun("moves", "disk: FOLDER/disk, provide: \(provider)", isDisk: false)
    defer { run.remove() }
    return run.output
  }

  @Test("What moves to a disk, or is linked there, takes room, and what leaves gives it back")
  func free() throws {
    #expect(
      try moves("{ free: 10000 }") == [
        "big=ENOSPC", "small=0", "room=4096", "tree=ENOSPC", "link to big=ENOSPC",
        "exchange=ENOSPC", "over nothing new=EEXIST", "within=0", "away=0", "room=8192",
        "link=0", "link within=0", "room=4096", "one gone=0", "room=4096",
        "moved onto its other name=0", "away=0", "room=8192", "twig=0", "room=4096",
        "write=4904", "away=0", "write outside=1000", "room=8192", "write=10000",
        "small=ENOSPC", "exchange=ENOSPC", "exchange=0", "room=0", "write=20000",
        "name=ENOSPC",
      ])
  }

  @Test("A quota refuses the same by another name")
  func quota() throws {
    let output = try moves("{ quota: 10000 }")

    #expect(output.prefix(3) == ["big=EDQUOT", "small=0", "room=4096"])
    #expect(output.filter { $0.hasSuffix("EDQUOT") }.count == 7)
  }

  @Test("A full disk takes in nothing, and lets everything go")
  func full() throws {
    let output = try moves("full")

    #expect(output.contains("small=ENOSPC"))
    #expect(!output.contains("twig=0"))
  }

  @Test("Without the entry everything moves")
  func contrast() throws {
    let output = try moves("full, apply: false")

    #expect(!output.contains { $0.hasSuffix("ENOSPC") })
    #expect(output.first == "big=0")
  }

  @Test("A quota counts what lies there when it begins, each file once")
  func laidFiles() throws {
    let files = ["there": String(repeating: "x", count: 6000)]
    let run = try DiskRun(
      "quota", "provide: { quota: 10000 }", files: files, links: ["again": "there"])
    defer { run.remove() }

    #expect(run.output == ["write=4000", "unlink=0", "write=EDQUOT", "unlink=0", "write=6000"])
    let free = try DiskRun(
      "quota", "provide: { free: 10000 }", files: files, links: ["again": "there"])
    defer { free.remove() }
    #expect(free.output.first == "write=10000")
    // A glob may name the files themselves.
    let named = try DiskRun(
      "quota", "disk: [FOLDER/there, FOLDER/new], provide: { quota: 10000 }", isDisk: false,
      files: files)
    defer { named.remove() }
    #expect(named.output.first == "write=4000")
  }

  @Test("Files that were mapped or had no name are not kept open for ever")
  func many() throws {
    let run = try DiskRun("many", "provide: { free: 100MiB }")
    defer { run.remove() }

    #expect(run.output.count == 1)
    let open = SmallFile.names(in: "/proc/self/fd").compactMap {
      SmallFile.link("/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(run.folder) }
    #expect(open.count < 200)
  }

  @Test("Queues of asynchronous writes are refused where disks would not see them, and told")
  func queues() throws {
    let run = try DiskRun("queue", "provide: full")
    defer { run.remove() }
    let plain = try DiskRun("queue", "call: fsync, provide: { error: EIO }", isDisk: false)
    defer { plain.remove() }

    #expect(run.output == ["io_setup=Function not implemented"])
    let notices = run.program.events.compactMap { event -> String? in
      if case .notice(_, let text) = event { text } else { nil }
    }
    #expect(notices.contains { $0.contains("io_setup fails with ENOSYS") })
    #expect(plain.output == ["io_setup=0"])
  }
}

@Suite("Names after a crash")
struct DiskNameCrashTests {
  private func run(_ mode: String, files: String = "FOLDER") throws -> DiskRun {
    try DiskRun(
      mode, "call: kill, provide: { kill: tree, lose: unsynced, metadata: lost, files: \(files) }",
      isDisk: false)
  }

  @Test("A move is undone if either of its names is among those that are lost")
  func moves() throws {
    let run = try run("crash-moves", files: "FOLDER/lost")
    defer { run.remove() }

    #expect(run.content("kept/in") != nil)
    #expect(run.content("lost/in") == nil)
    #expect(run.content("lost/out") != nil)
    #expect(run.content("kept/out") == nil)
    let other = try self.run("crash-moves", files: "FOLDER/elsewhere")
    defer { other.remove() }
    #expect(other.content("lost/in") != nil)
    #expect(other.content("kept/out") != nil)
  }

  @Test("A sync of another disk makes no name durable")
  func otherDisk() throws {
    let other = try run("crash-other-disk")
    defer { other.remove() }
    let own = try run("crash-own-disk")
    defer { own.remove() }

    #expect(other.content("new") == nil)
    #expect(own.content("new")?.count == 3)
  }

  @Test("What was removed comes back with its mode, its times and its attributes")
  func attributes() throws {
    let run = try run("crash-attributes")
    defer { run.remove() }
    func status(_ name: String) throws -> stat {
      var status = stat()
      try #require(lstat("\(run.folder)/\(name)", &status) == 0)
      return status
    }

    let file = try status("file")
    #expect(file.st_mode == S_IFREG | 0o640)
    #expect(file.st_mtim.tv_sec == 2_000_000)
    #expect(file.st_mtim.tv_nsec == 7)
    var color = [UInt8](repeating: 0, count: 16)
    #expect(getxattr("\(run.folder)/file", "user.color", &color, 16) == 5)
    #expect(color.prefix(5) == Array("green".utf8)[...])
    #expect(try status("folder").st_mode == S_IFDIR | 0o1777)
    #expect(try status("pipe").st_mode == S_IFIFO | 0o622)
    let link = try status("link")
    #expect(link.st_mode & S_IFMT == S_IFLNK)
    #expect(link.st_mtim.tv_sec == 2_000_000)
  }

  @Test("A torn write of nothing leaves no file open")
  func tornNothing() throws {
    var template = Array("/tmp/torn-XXXXXX".utf8CString)
    let made = mkstemp(&template)
    try #require(made >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    close(made)
    let file = FileHandle(descriptor: open(path, PathFlags.pathOnly | O_CLOEXEC))
    let status = try #require(file.status)
    let globs = DiskGlobs([GlobPattern(path)], directory: nil)
    let log = WritebackJournal(globs: globs, losses: [.kept], fileLimit: 8)

    log.prepare(file, status, path: path, range: 0..<3, byPosition: false)
    log.finish(status, range: 0..<3, result: 3, byPosition: false, isDurable: false)
    log.crash(
      PlannedCrash(scope: .tree, files: [GlobPattern(path)], torn: 0), globs)

    let open = SmallFile.names(in: "/proc/self/fd").compactMap {
      SmallFile.link("/proc/self/fd/\($0)")
    }.filter { $0 == path }
    #expect(open.count == 1)
  }
}
