internal import Glibc

/// A program that the runner asks, such as git: no shell, nothing to read, all output taken.
struct Subprocess {
  /// The outcome of the process.
  struct Outcome {
    /// The exit code; 128 and the signal's number where one ended it.
    var exitCode: Int32
    var output: [UInt8]
    var errorOutput: [UInt8]
  }

  /// The largest number of bytes of either stream that are kept.
  static let outputLimit = 64 << 20

  /// Runs a program to its end, where no case runs in this process: the child is not announced, and what a case closes
  /// meanwhile would stay open in it.
  ///
  /// - Parameters:
  ///   - command: The program's name, looked for in PATH, and its arguments.
  ///   - variables: Set in addition to those of the runner, as `NAME=VALUE`.
  /// - Throws: If it cannot be started.
  static func run(
    _ command: [String], variables: [String] = []
  ) throws(FileReadError) -> Outcome {
    var pair: [Int32] = [-1, -1]
    guard Self.makePipe(&pair) else { throw .system(errorNumber: errno) }
    var second: [Int32] = [-1, -1]
    guard Self.makePipe(&second) else {
      let number = errno
      pair.forEach { close($0) }
      throw .system(errorNumber: number)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pair[1], 1)
    posix_spawn_file_actions_adddup2(&actions, second[1], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The runner blocks signals that its helpers must still be ended by, and ignores some, which an exec would keep.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    var arguments = command.map { strdup($0) } + [nil]
    var environment = Self.environment(with: variables).map { strdup($0) } + [nil]
    let error = posix_spawnp(
      &process, command.first ?? "", &actions, &attributes, &arguments, &environment)
    arguments.forEach { free($0) }
    environment.forEach { free($0) }
    close(pair[1])
    close(second[1])
    defer {
      close(pair[0])
      close(second[0])
    }
    guard error == 0 else { throw .system(errorNumber: error) }
    let (output, errorOutput) = drain(pair[0], second[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    return Outcome(exitCode: code, output: output, errorOutput: errorOutput)
  }

  /// A pipe whose ends no other program inherits.
  private static func makePipe(_ ends: inout [Int32]) -> Bool {
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }

  private static func environment(with variables: [String]) -> [String] {
    let names = Set(variables.map { String($0.prefix { $0 != "=" }) })
    var list = variables
    var pointer = environ
    while let entry = pointer.pointee {
      let text = String(cString: entry)
      if !names.contains(String(text.prefix { $0 != "=" })) { list.append(text) }
      pointer += 1
    }
    return list
  }

  /// Reads two pipes to their ends, whichever has something.
  private static func drain(_ first: Int32, _ second: Int32) -> ([UInt8], [UInt8]) {
    var kept: [[UInt8]] = [[], []]
    var polls = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while polls.contains(where: { $0.fd >= 0 }) {
      guard poll(&polls, nfds_t(polls.count), -1) >= 0 || errno == EINTR else { break }
      for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
        let count = read(polls[index].fd, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          // poll(2) passes over entries with a negative descriptor.
          polls[index].fd = -1
          continue
        }
        let room = max(0, outputLimit - kept[index].count)
        kept[index] += buffer[..<min(count, room)]
      }
    }
    return (kept[0], kept[1])
  }
}
