internal import CSupervisor
internal import Glibc
internal import Synchronization

/// The process between the runner and a command outside the environment, which adopts everything
/// that the command leaves behind (PR_SET_CHILD_SUBREAPER of prctl(2)): sessions of their own
/// included.
///
/// When the runner releases it, or ends in whatever way, it kills all of them.
package final class HelperReaper: Sendable {
  private struct State {
    /// The descriptor that keeps it waiting as long as it is open; -1 once everything has been
    /// ended.
    var control: Int32
    var status: ExitStatus?
    var isOver = false
  }

  /// The keeper, a child of this process.
  let process: Int32
  /// The descriptor that becomes readable when the command ends.
  let news: Int32
  private let state: Mutex<State>

  /// Starts a command with its keeper; the descriptors stay the caller's.
  ///
  /// - Throws: `LaunchError`, with the errno of what failed.
  init(
    _ request: HelperProcess.Request, input: Int32, output: Int32, errorOutput: Int32
  ) throws(LaunchError) {
    var helper = scenario_helper()
    let subjects = request.witness?.subjects ?? []
    let error = withCStrings(request.arguments) { arguments in
      withCStrings(request.environment) { environment in
        request.path.withCString { path in
          request.directory.withCString { directory in
            var request = scenario_helper_request(
              path: path, arguments: arguments, environment: environment, directory: directory,
              standard_input: input, standard_output: output, standard_error: errorOutput,
              tells_of: subjects.rawValue)
            return scenario_start_helper(&request, &helper)
          }
        }
      }
    }
    guard error == 0 else { throw .cannotExecute(errorNumber: error) }
    process = helper.keeper
    news = helper.news
    state = Mutex(State(control: helper.control))
    guard let witness = request.witness else { return }
    if helper.told_calls >= 0 {
      try witness.attend(to: helper.told_calls, of: process)
    } else {
      witness.recordBlindness(to: process)
    }
  }

  deinit {
    endAll()
    close(news)
  }

  /// Returns the status with which the command ended; `nil` while it lives.
  func end() -> ExitStatus? {
    state.withLock { state in
      guard !state.isOver else { return state.status }
      var status: Int32 = 0
      let answer = scenario_helper_end(news, &status)
      guard answer != 0 else { return nil }
      state.isOver = true
      // A keeper that was killed itself has taken the command with it.
      state.status =
        answer < 0
        ? .signaled(number: SIGKILL)
        : status & 0x7f == 0
          ? .exited(code: (status >> 8) & 0xff) : .signaled(number: status & 0x7f)
      return state.status
    }
  }

  /// True if nothing lives that the command was or has started.
  package var isIdle: Bool { children(of: process).isEmpty }

  /// Lets the keeper go on if a command has stopped it.
  ///
  /// Each command can, as it is their parent, and while it is stopped it neither tells of ends nor ends anything. No
  /// terminal stops it: it has a group of its own.
  func continueKeeper() {
    var information = siginfo_t()
    guard waitid(P_PID, id_t(process), &information, WSTOPPED | WNOHANG) == 0,
      information.si_signo != 0
    else { return }
    kill(process, SIGCONT)
  }

  /// Asks everything that the command was and has started to end.
  func terminateAll() {
    var left = children(of: process)
    var known = Set(left)
    while let next = left.popLast() {
      kill(next, SIGTERM)
      // A stopped process takes no signal but KILL until it goes on.
      kill(next, SIGCONT)
      left += children(of: next).filter { known.insert($0).inserted }
    }
  }

  /// Kills everything that the command was and has started, and waits until it is gone.
  package func endAll() {
    let control = state.withLock { state in
      defer { state.control = -1 }
      return state.control
    }
    guard control >= 0 else { return }
    close(control)
    var status: Int32 = 0
    while true {
      let answer = waitpid(process, &status, WUNTRACED)
      guard answer >= 0 else {
        if errno == EINTR { continue }
        return
      }
      // wait(2): the low byte of a stop is 0x7f.
      guard status & 0xff == 0x7f else { return }
      // Who stops the keeper over and over is among those that it would kill: while it is stopped, nobody takes note of
      // their ends, so that their numbers stay theirs.
      for child in children(of: process) { kill(child, SIGKILL) }
      kill(process, SIGCONT)
    }
  }

  /// The processes that a process has made, or that have fallen to it (proc(5)).
  private func children(of process: Int32) -> [Int32] {
    SmallFile.names(in: "/proc/\(process)/task").flatMap { thread in
      (SmallFile.read("/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ")
        .compactMap { Int32($0) }
    }
  }
}
