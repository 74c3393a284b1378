import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Programs that guard themselves")
struct HostileProgramTests {
  private func run(_ kind: String) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try SmallProgram.path("hostile"), kind])
    #expect(program.awaitExit().hasHappened)
    return program
  }

  @Test(
    "Whatever a program does to itself, its hour is an hour of the scenario's",
    arguments: [
      "own-trap", "filter-for-all-threads", "own-notification", "daemon", "stopped-beyond-its-end",
      "stopped-before-its-end", "spawns", "asks-to-be-traced", "hides-its-memory", "told-of-death",
      "closes-everything", "little-memory", "foreign-calls",
    ])
  func hardships(kind: String) throws {
    let program = try run(kind)

    #expect(program.output == "fine\n")
    #expect(!program.events.contains { $0.isEscape })
  }

  @Test(
    "A program that changes its user or its root stays under control",
    .enabled(if: geteuid() == 0, "only root can change to another user"),
    arguments: ["changes-user", "changes-root"])
  func privileged(kind: String) throws {
    let program = try run(kind)

    #expect(program.output == "fine\n")
    #expect(!program.events.contains { $0.isEscape })
  }

  @Test("A program that asks to be traced is told of, with the reason of its failure")
  func tracer() throws {
    let program = try run("asks-to-be-traced")

    #expect(
      program.events.notices.contains { $0.hasPrefix("\"hostile\" tries to trace a process") })
    #expect(try run("hour").events.notices.isEmpty)
  }

  @Test("A program for 32 bits is refused as a target, and killed and told of as a child")
  func foreignProgram() throws {
    let folder = try ProgramFolder()
    let path = folder.write(Self.program32, to: "program32")
    let target = try SupervisedProgram(clock: .from2030(.auto))
    #expect(throws: LaunchError.foreignProgram("is a 32-bit program")) {
      try target.start([path])
    }

    let parent = try SupervisedProgram(clock: .from2030(.auto))
    try parent.start(["/bin/sh", "-c", "\(path); echo $?"])
    #expect(parent.awaitExit().hasHappened)

    // A kernel without the emulation refuses it by itself.
    let refused = parent.output == "126\n"
    #expect(refused || parent.output == "137\n")
    #expect(refused || parent.events.contains { $0.isEscape })
  }

  /// An i386 executable that ends with code 0: ELF header, one segment, `_exit(0)`.
  private static let program32: [UInt8] = {
    let header: [UInt8] = [
      0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 1, 0, 0, 0,
      0x54, 0x80, 0x04, 0x08, 52, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52, 0, 32, 0, 1, 0, 0, 0, 0, 0,
      0, 0,
    ]
    let segment: [UInt8] = [
      1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x04, 0x08, 0, 0x80, 0x04, 0x08, 96, 0, 0, 0, 96, 0, 0, 0,
      5, 0, 0, 0, 0, 0x10, 0, 0,
    ]
    let code: [UInt8] = [0xb8, 1, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80, 0x90, 0x90, 0x90]
    return header + segment + code
  }()

  @Test(
    "A program with its owner's rights runs without them, and that is reported",
    .enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func lostPrivileges() throws {
    let folder = try ProgramFolder()
    let bytes = try #require(ProgramFolder.read("/usr/bin/id"))
    let path = folder.write(bytes, to: "id")
    try #require(chown(path, 65534, 65534) == 0 && chmod(path, 0o4755) == 0)
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([path, "-u"])
    #expect(program.awaitExit().hasHappened)

    #expect(program.output == "0\n")
    #expect(program.events.notices.contains { $0.hasPrefix("\"id\" is set-user-ID 65534") })

    try #require(chmod(path, 0o755) == 0)
    let twin = try SupervisedProgram(clock: .from2030(.auto))
    try twin.start([path, "-u"])
    #expect(twin.awaitExit().hasHappened)
    #expect(twin.events.notices.isEmpty)
  }
}

/// The small programs of Tests/Programs, which `make` compiles before the tests.
enum SmallProgram {
  static func path(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/\(name)"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    return path
  }
}

/// A folder for programs that a test makes, removed with it.
final class ProgramFolder {
  let path: String
  private var files: [String] = []

  init() throws {
    var template = Array("/tmp/scenario-programs-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// Notes a file that somebody else writes.
  func file(_ name: String) -> String {
    files.append("\(path)/\(name)")
    return "\(path)/\(name)"
  }

  func write(_ bytes: [UInt8], to name: String) -> String {
    let file = file(name)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    defer { close(descriptor) }
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    return file
  }

  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}

extension SupervisorEvent {
  /// Whether something was out of control.
  var isEscape: Bool {
    switch self {
    case .waitEscaped, .outOfReach: true
    default: false
    }
  }
}

extension [SupervisorEvent] {
  /// What was told that fails nothing.
  var notices: [String] {
    compactMap { event in
      guard case .notice(_, let text) = event else { return nil }
      return text
    }
  }
}
