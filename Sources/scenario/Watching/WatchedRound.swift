internal import Glibc
internal import ScenarioReport

/// One run of some cases, by a runner of its own: it reports mistakes, writes reports, and ends as
/// runs do.
struct WatchedRound {
  /// The runner.
  let process: pid_t
  /// The pipe whose closing interrupts it.
  private let deathPipe: Int32

  /// Starts a run with the words of a command line.
  ///
  /// This runner itself runs no case: the child is not announced, and what a case closes meanwhile would stay open in it.
  ///
  /// - Parameters:
  ///   - words: The words, from the command on.
  ///   - identifiers: The cases; `nil` for all that the arguments select.
  ///   - additions: Options that are added.
  /// - Returns: `nil`, with errno set, if it cannot be started.
  init?(_ words: [String], of identifiers: [String]?, adding additions: [String]) {
    var words = words
    let place = words.firstIndex(of: "--") ?? words.endIndex
    words.insert(
      contentsOf: ["--no-watch"] + additions + (identifiers == nil ? [] : ["--test-list", "-"]),
      at: place)
    let input =
      identifiers.map { Self.file(holding: $0.joined(separator: "\n") + "\n") }
      ?? open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return nil }
    defer { close(input) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    guard let deathPipe = ParentDeathPipe.make() else { return nil }
    defer { close(deathPipe.round) }
    // Onto itself: it stays open over the exec (posix_spawn(3)).
    posix_spawn_file_actions_adddup2(&actions, deathPipe.round, deathPipe.round)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = ([CommandLine.arguments.first ?? "scenario"] + words).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var environment = ParentDeathPipe.environment(with: deathPipe.round).map { strdup($0) } + [nil]
    defer { environment.forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, &arguments, &environment)
    guard error == 0 else {
      close(deathPipe.watcher)
      errno = error
      return nil
    }
    self.process = process
    self.deathPipe = deathPipe.watcher
  }

  /// The exit code, once the run has ended; `nil` before.
  func end() -> Int32? {
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    close(deathPipe)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  /// A file without a name that is open for reading from its beginning.
  private static func file(holding text: String) -> Int32 {
    var template = Array("\(ProcessEnvironment.temporaryFolder)/scenario-watch.XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return -1 }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    do throws(ReportError) {
      try DescriptorSink(descriptor: descriptor, name: "the list of cases").write(text)
    } catch {
      close(descriptor)
      return -1
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }
}
