import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

/// A process of the tests, not of a scenario.
private final class Bystander {
  let number: Int32

  /// - Parameters:
  ///   - command: a line of sh, which `exec`s.
  ///   - isOrphan: whether it belongs to nobody, as its parent has ended. Otherwise it is a command of this process's.
  init(_ command: String, isOrphan: Bool) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let line =
      isOrphan
      ? "setsid sh -c 'echo $$; exec >/dev/null; \(command)' &"
      : "echo $$; exec >/dev/null; \(command)"
    let words: [String] = ["/bin/sh", "-c", line]
    var arguments = words.map { strdup($0) } + [nil]
    var shell = pid_t()
    let error = posix_spawn(&shell, "/bin/sh", &actions, nil, &arguments, environ)
    posix_spawn_file_actions_destroy(&actions)
    for argument in arguments { free(argument) }
    close(ends[1])
    defer { close(ends[0]) }
    try #require(error == 0)
    child = isOrphan ? nil : shell
    if isOrphan { waitpid(shell, nil, 0) }
    var text = [UInt8](repeating: 0, count: 32)
    let count = read(ends[0], &text, 32)
    number = try #require(
      Int32(String(decoding: text[..<max(0, count)], as: UTF8.self).filter(\.isNumber)))
  }

  /// Its number where it is to be waited for.
  private let child: pid_t?

  deinit {
    kill(number, SIGKILL)
    if let child { waitpid(child, nil, 0) }
  }

  var lives: Bool { kill(number, 0) == 0 }
}

@Suite("Processes that are not of the scenario")
struct StrangerTests {
  private func act(
    _ kind: String, on process: String, clock: PlannedClock? = nil
  ) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: clock)
    try program.start([try SmallProgram.path("strangers"), kind, process])
    #expect(program.awaitExit().hasHappened)
    return program
  }

  @Test(
    "A process out of the tree is out of reach, with a clock and without, and that is reported",
    arguments: [
      "ask", "kill", "group", "tkill", "tgkill", "queue", "queue-thread", "pidfd", "owner",
      "owner-structure", "owner-request", "trace", "read", "write", "descriptor", "limit",
      "priority",
      "priority-group", "priority-user", "io-priority", "io-priority-group", "io-priority-user",
    ])
  func strangers(kind: String) throws {
    for clock in [nil, PlannedClock.from2030(.auto)] {
      let stranger = try Bystander("exec sleep 600", isOrphan: true)
      let program = try act(kind, on: "\(stranger.number)", clock: clock)

      #expect(program.output == "EPERM\n")
      #expect(stranger.lives)
      #expect(
        program.events.notices.contains { $0.contains("outside of the scenario") },
        "\(program.events.notices)")
    }
  }

  @Test("A program that signals one process after the other is reported for the first three")
  func manyStrangers() throws {
    let folder = try ProgramFolder()
    let strangers = try (1...6).map { number in
      let path = folder.file("sleeper-\(number)")
      return try Bystander("cp /bin/sleep \(path) && exec \(path) 600", isOrphan: true)
    }
    let program = try SupervisedProgram()
    // Each has its name only once it has become the program.
    let wait = strangers.map {
      "until grep -q sleeper /proc/\($0.number)/comm; do :; done; "
    }.joined()
    let line = strangers.map { "kill -0 \($0.number)" }.joined(separator: "; ")
    try program.start(["/bin/bash", "-c", "\(wait)\(line); \(line); exit 0"])
    #expect(program.awaitExit().hasHappened)
    let notices = program.events.notices.filter { $0.contains("outside of the scenario") }

    #expect(notices.count == 4, "\(notices)")
    #expect(notices.first?.contains("\"sleeper-1\"") == true, "\(notices)")
    #expect(notices.last?.contains("further processes") == true, "\(notices)")
    withExtendedLifetime((folder, strangers)) {}
  }

  @Test(
    "A process that does not exist is still none", arguments: ["ask", "kill", "group", "tkill"])
  func nobody(kind: String) throws {
    // The kernel gives out no number as large as that (proc(5): pid_max).
    let program = try act(kind, on: "\(Int32.max / 2)")

    #expect(program.output == "ESRCH\n")
    #expect(program.events.notices.isEmpty)
  }

  @Test("A process changes the priorities of its own group")
  func ownPriorities() throws {
    let program = try act("own-priorities", on: "0")

    #expect(program.output == "done\n")
    #expect(program.events.notices.isEmpty)
  }

  @Test("A scenario's own processes reach each other, ended ones as well")
  func family() throws {
    let program = try SupervisedProgram()
    let line = """
      sleep 600 & kill -0 $! && kill $!; kill -0 $! && echo ended; wait $!; echo $?
      set -m; sleep 600 | sleep 601 & kill -TERM -- -$(ps -o pgid= -p $! | tr -d ' ') && echo group
      """
    try program.start(["/bin/bash", "-c", line])

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "ended\n143\ngroup\n")
    #expect(program.events.notices.isEmpty)
  }

  @Test(
    "What the runner keeps to itself is closed to its targets",
    arguments: [
      "environ", "mem", "thread-environ", "environ-from-folder", "trace", "kill", "read", "write",
      "descriptor",
    ])
  func runner(kind: String) throws {
    let program = try act(kind, on: "\(getpid())")

    #expect(["EACCES\n", "EPERM\n"].contains(program.output), "\(program.output)")
    // What a list of processes shows can be read.
    #expect(try act("stat", on: "\(getpid())").output == "done\n")
  }

  @Test(
    "Who made a connection is found out: the target, the runner or a command of its, or a stranger")
  func connections() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 4) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    try #require(isListening)
    let port = UInt16(bigEndian: address.sin_port)
    func source() throws -> (port: UInt16, connection: Int32) {
      var peer = sockaddr_in()
      let connection = withUnsafeMutablePointer(to: &peer) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &length) }
      }
      try #require(connection >= 0)
      return (UInt16(bigEndian: peer.sin_port), connection)
    }
    func isStranger(_ program: SupervisedProgram, _ source: UInt16) -> Bool {
      let answer = OneShot<Bool>()
      program.supervisor.findStranger(sourcePort: source, port: port) { isStranger, _ in
        answer.leave(isStranger)
      }
      return answer.value()
    }
    let connects = "exec 3<>/dev/tcp/127.0.0.1/\(port); read -u 3 line"
    let program = try SupervisedProgram()
    try program.start(["/bin/bash", "-c", connects])
    let own = try source()
    #expect(!isStranger(program, own.port))

    let stranger = try Bystander("exec bash -c \"\(connects)\"", isOrphan: true)
    let foreign = try source()
    #expect(isStranger(program, foreign.port))
    withExtendedLifetime(stranger) {}

    // As the commands of `exec:`, and as the probes of `ready:`, which the runner makes itself.
    let helper = try Bystander("exec bash -c \"\(connects)\"", isOrphan: false)
    let command = try source()
    #expect(!isStranger(program, command.port))
    withExtendedLifetime(helper) {}
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(probe) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(probe, $0, length) == 0 }
    }
    try #require(isConnected)
    let probed = try source()
    #expect(!isStranger(program, probed.port))

    // The target of another scenario of the same runner.
    let other = try SupervisedProgram()
    try other.start(["/bin/bash", "-c", connects])
    let neighbour = try source()
    #expect(isStranger(program, neighbour.port))
    #expect(!isStranger(other, neighbour.port))
    for connection in [own, foreign, command, probed, neighbour].map(\.connection) {
      close(connection)
    }
  }
}
