import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Which files are the scenario's own")
struct ContainedFilesTests {
  private static func standing(
    _ path: String, isFolder: Bool = false, environment: [String] = []
  ) throws -> ContainedFiles.Standing {
    var files = try #require(ContainedFiles(FileBounds(folders: ["/usr"], refuses: false)))
    files.coverage.add(environment: environment)
    return files.standing(of: path, isFolder: isFolder) { $0 == 42 }
  }

  @Test(
    "What is in a case's folders is its own, and nothing beside them",
    arguments: [
      ("/usr", ContainedFiles.Standing.own), ("/usr/x", .own), ("/usr/lib/y", .own),
      ("/usrx", .outside), ("/us", .outside), ("/", .outside), ("/etc/passwd", .outside),
    ])
  func folders(path: String, standing: ContainedFiles.Standing) throws {
    #expect(try Self.standing(path) == standing)
  }

  @Test(
    "Devices, what stands for no file, and the processes' own entries in /proc may be written to",
    arguments: [
      ("/dev/null", ContainedFiles.Standing.exempt), ("/dev/pts/3", .exempt),
      ("/dev/shm/x", .exempt), ("/device", .outside), ("pipe:[5]", .exempt),
      ("/memfd:x", .exempt), ("/proc/42/comm", .exempt), ("/proc/42/task/42/comm", .exempt),
      ("/proc/43/comm", .outside), ("/proc/sys/kernel/hostname", .outside),
      ("/tmp/hsperfdata_me/7", .exempt), ("/tmp/hsper", .outside), ("/sys/power/state", .outside),
    ])
  func exceptions(path: String, standing: ContainedFiles.Standing) throws {
    #expect(try Self.standing(path) == standing)
  }

  @Test(
    "Coverage files may be written wherever they lie",
    arguments: [
      "/build/a.gcda", "/build/default.profraw", "/build/.coverage", "/build/.coverage.host.7.x",
      "/build/.coverage-journal", "/c/covmeta.1f", "/c/covcounters.1f.7.9", "/c/tmp.covmeta.1f1",
      "/build/jacoco.exec", "/build/jacoco-it.exec",
    ])
  func coverage(path: String) throws {
    #expect(try Self.standing(path) == .exempt)
    #expect(try Self.standing(path + "x/y") == .outside)
  }

  @Test("Names that only look like those of coverage files are none")
  func coverageTwins() throws {
    for path in ["/b/gcda", "/b/.coveragerc", "/b/.coveragerc.x", "/b/my.exec", "/b/covmeta"] {
      #expect(try Self.standing(path) == .outside, "\(path)")
    }
  }

  @Test(
    "Variables name places of coverage files, and the folders on the way may be made",
    arguments: [
      ("GOCOVERDIR=/c/go", "/c/go/x", "/c/gox"), ("GCOV_PREFIX=/c/g/", "/c/g/a/b", "/c/h"),
      ("NODE_V8_COVERAGE=/c/./v8", "/c/v8/coverage-1-2-3.json", "/c/coverage-1.json"),
      ("LLVM_PROFILE_FILE=/c/p-%p.raw", "/c/p-77.raw", "/c/q-77.raw"),
      ("COVERAGE_FILE=/c/data", "/c/data.host.7", "/c/dat"),
    ])
  func variables(variable: String, inside: String, outside: String) throws {
    #expect(try Self.standing(inside, environment: [variable]) == .exempt)
    #expect(try Self.standing(outside, environment: [variable]) == .outside)
    #expect(try Self.standing("/c", isFolder: true, environment: [variable]) == .exempt)
    #expect(try Self.standing("/c", environment: [variable]) == .outside)
    #expect(try Self.standing(inside) == .outside)
  }

  @Test("Nothing is outside of the root")
  func root() {
    #expect(ContainedFiles(FileBounds(folders: ["/tmp", "/"], refuses: true)) == nil)
    #expect(ContainedFiles(FileBounds(folders: ["/tmp"], refuses: true)) != nil)
  }

  @Test("A look at the way of a path sees what links and dots lead to")
  func certainty() throws {
    var template = Array("/tmp/scenario-tests-contained-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer {
      for name in ["out", "loop", "in", "file"] { unlink("\(folder)/own/\(name)") }
      rmdir("\(folder)/own/deep")
      rmdir("\(folder)/own")
      rmdir(folder)
    }
    try #require(mkdir("\(folder)/own", 0o700) == 0 && mkdir("\(folder)/own/deep", 0o700) == 0)
    try #require(symlink("../elsewhere", "\(folder)/own/out") == 0)
    try #require(symlink("loop", "\(folder)/own/loop") == 0)
    try #require(symlink("deep/new", "\(folder)/own/in") == 0)
    let files = try #require(
      ContainedFiles(FileBounds(folders: ["\(folder)/own"], refuses: false)))
    func holds(_ path: String, follows: Bool = true) -> Bool {
      files.certainlyHold(
        Array(path.utf8), from: AT_FDCWD, of: ThreadIdentifier(getpid()), follows: follows)
    }

    #expect(holds("\(folder)/own") && holds("\(folder)//own//new") == false)
    #expect(holds("\(folder)/own/new") && holds("\(folder)/own/deep/../new"))
    #expect(holds("\(folder)/own//new"))
    #expect(!holds("\(folder)/own/../new") && !holds("\(folder)/own/deep/../../new"))
    #expect(!holds("\(folder)/owner/new") && !holds("/etc/passwd") && !holds("relative"))
    #expect(!holds("\(folder)/own/out") && holds("\(folder)/own/out", follows: false))
    #expect(!holds("\(folder)/own/out/new", follows: false))
    #expect(holds("\(folder)/own/in") && !holds("\(folder)/own/loop"))
    let descriptor = open("\(folder)/own/file", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    #expect(files.certainlyHold(descriptor: descriptor, of: ThreadIdentifier(getpid())))
    #expect(!files.certainlyHold(descriptor: 0, of: ThreadIdentifier(getpid())))
  }

  @Test("Opens to read a file cost no stop, and without bounds nothing does")
  func filter() throws {
    let makeFolder = try #require(SystemCallTable.current.number(of: "mkdir"))
    let bounded = try rules(FileBounds(folders: ["/usr"], refuses: false))
    let bits = UInt32(O_ACCMODE | O_CREAT | O_TRUNC)
    #expect(bounded[SystemCallNumber.openat] == .traceIfAnySet(argument: 2, bits: bits))
    #expect(bounded[makeFolder] == .trace && bounded[SystemCallNumber.stat] == nil)
    #expect(bounded[SystemCallNumber.ioUringSetup] == nil)
    #expect(try rules(nil)[makeFolder] == nil)
    let refusing = try rules(FileBounds(folders: ["/usr"], refuses: true))
    #expect(refusing[SystemCallNumber.ioUringSetup] == .trace)
  }

  private func rules(_ bounds: FileBounds?) throws -> [Int: FilterRule] {
    var configuration = SupervisorConfiguration(
      clock: nil, view: ClockView(nil, present: WallInstant(seconds: 0)))
    configuration.fileBounds = bounds
    return try Interceptors.filterRules(of: configuration)
  }

  @Test("Each path is reported once, and beyond a thousand they are only counted")
  func account() {
    var account = OutsideAccount()
    func add(_ path: String) -> Bool {
      account.add(OutsideAccount.Change(path: path, program: "sh", systemCall: "open"))
    }

    #expect(add("/a") && !add("/a") && add("/b"))
    for number in 0..<OutsideAccount.pathLimit { _ = add("/\(number)") }

    #expect(account.changes.count == OutsideAccount.pathLimit)
    #expect(account.unlisted == 2)
  }
}
