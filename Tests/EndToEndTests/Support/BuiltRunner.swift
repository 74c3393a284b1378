import Foundations
import Glibc
import Testing

/// The runner that this package has built, started as a user would start it at a desk: without the
/// `OutsideVariables` of the machine that runs the tests.
struct BuiltRunner {
  /// How a run of the runner ended.
  struct Outcome {
    var exitCode: Int32
    var output: String
    var errorOutput: String

    /// Everything that was said.
    var text: String { output + errorOutput }

    /// Expects an exit code, and shows what was said where it is another one.
    func expectExit(_ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(exitCode == code, "\(text)", sourceLocation: sourceLocation)
    }
  }

  /// The package's folder.
  static let root = String(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined())

  /// A file that takes the place of what the build has made, such as the one that is to be released.
  private static let given = getenv("PROGRAM_UNDER_TEST").map { path in
    let path = String(cString: path)
    return path.hasPrefix("/") ? path : "\(root)/\(path)"
  }

  /// The executable, which the build puts beside the tests.
  static var executable: String {
    if let given { return given }
    let tests = link("/proc/self/exe")
    // On Linux the tests run either as an executable of their own or inside a helper of the toolchain.
    let folders = [tests.parent, CommandLine.arguments[0].parent, "\(root)/.build/debug"]
    return folders.map { "\($0)/scenario" }.first { access($0, X_OK) == 0 } ?? "scenario"
  }

  /// The executable as one file that needs no shared library, linked from what the build has made.
  static func staticExecutable() throws -> String {
    if let given { return given }
    let program = "\(root)/.build/static/scenario"
    let linked = try command(["\(root)/Tests/link-static.sh", program])
    try #require(linked.exitCode == 0, "\(linked.text)")
    return program
  }

  /// Runs the runner in the package's folder.
  static func run(_ arguments: [String], prefix: [String] = []) throws -> Outcome {
    let process = try start(arguments, prefix: prefix)
    return process.wait()
  }

  /// Runs another program in the package's folder.
  static func command(_ command: [String]) throws -> Outcome {
    try Running(command, directory: root).wait()
  }

  /// Starts the runner in the package's folder.
  static func start(_ arguments: [String], prefix: [String] = []) throws -> Running {
    try Running(prefix + [executable] + arguments, directory: root)
  }

  private static func link(_ path: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    return String(
      decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A process whose output is collected in files.
  final class Running {
    let process: pid_t
    private let outputPath: String
    private let errorPath: String

    /// What a process that was started does not do.
    struct Missing: Error, CustomStringConvertible {
      let description: String
    }

    /// Waits until the process has done something, for two minutes at most; one that ends before never will.
    func await(_ deed: String, _ isDone: () -> Bool) throws {
      var limit = timespec()
      clock_gettime(CLOCK_MONOTONIC, &limit)
      limit.tv_sec += 120
      while !isDone() {
        var information = siginfo_t()
        waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let hasEnded = information.si_signo != 0
        // It may have been done between the two looks.
        if hasEnded || now.tv_sec > limit.tv_sec, !isDone() {
          throw Missing(
            description: "the process \(hasEnded ? "has ended" : "lives") and has not \(deed)")
        }
        usleep(1_000)
      }
    }

    fileprivate init(_ command: [String], directory: String) throws {
      let arguments =
        ["/usr/bin/env", "-C", directory] + OutsideVariables.removal + command
      outputPath = TemporaryFolder.unique("output")
      errorPath = TemporaryFolder.unique("error")
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      for (descriptor, path) in [(Int32(1), outputPath), (2, errorPath)] {
        posix_spawn_file_actions_addopen(
          &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
      // Threads of the tests' pool block nearly all signals, and a shell none.
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var blocked = sigset_t()
      sigemptyset(&blocked)
      posix_spawnattr_setsigmask(&attributes, &blocked)
      // Whoever runs the tests under nohup(1) ignores hang-ups, and so would the program.
      var defaults = sigset_t()
      sigemptyset(&defaults)
      for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&defaults, number) }
      posix_spawnattr_setsigdefault(&attributes, &defaults)
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
      var pointers = arguments.map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      var child = pid_t()
      let error = posix_spawn(&child, arguments[0], &actions, &attributes, &pointers, environ)
      try #require(error == 0, "cannot start \(arguments[0]): \(String(cString: strerror(error)))")
      process = child
    }

    /// Waits for the end.
    func wait() -> Outcome {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
      defer {
        unlink(outputPath)
        unlink(errorPath)
      }
      return Outcome(
        exitCode: code, output: TemporaryFolder.read(outputPath) ?? "",
        errorOutput: TemporaryFolder.read(errorPath) ?? "")
    }
  }
}

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = Self.unique("folder")
    try #require(mkdir(path, 0o700) == 0)
  }

  deinit {
    for name in Self.names(path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String, mode: mode_t = 0o644) -> String {
    write(Array(text.utf8), to: name, mode: mode)
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o644) -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    defer { close(descriptor) }
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    return file
  }

  /// The text of a file.
  static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// The names in a folder, sorted.
  static func names(_ folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var list: [String] = []
    while let entry = readdir(handle) {
      list.append(String(decoding: entry.name, as: UTF8.self))
    }
    return list.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// A path that nobody else uses.
  static func unique(_ name: String) -> String {
    var template = Array("/tmp/scenario-tests-\(name)-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    close(descriptor)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    unlink(path)
    return path
  }
}

extension String {
  fileprivate var parent: String {
    lastIndex(of: "/").map { String(self[..<$0]) } ?? "."
  }
}
