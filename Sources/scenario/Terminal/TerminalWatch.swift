internal import Glibc
internal import ScenarioReport
internal import Synchronization

/// A thread that draws a terminal anew from time to time, and handles SIGUSR1 (list what runs),
/// SIGTSTP and SIGCONT for it.
final class TerminalWatch: Sendable {
  private let terminal: LiveTerminal
  private let dump: @Sendable () -> Void
  private let isOver = Mutex(false)
  private let thread = Mutex<pthread_t?>(nil)

  /// Blocks the signals in this thread and in those that it creates.
  static func block(isLive: Bool) {
    var set = signalSet(isLive: isLive)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Prepares a watch; `begin` starts it.
  ///
  /// - Parameter dump: lists what runs.
  init(_ terminal: LiveTerminal, dump: @escaping @Sendable () -> Void) {
    self.terminal = terminal
    self.dump = dump
  }

  /// Starts to draw, on a thread of its own.
  func begin() {
    let box = Unmanaged.passRetained(self)
    var made = pthread_t()
    let error = pthread_create(
      &made, nil,
      { argument in
        if let argument { Unmanaged<TerminalWatch>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard error == 0 else { return box.release() }
    let started = made
    thread.withLock { $0 = started }
  }

  /// Ends the thread, and waits until it has ended; SIGTSTP does again what it does by itself.
  func end() {
    isOver.withLock { $0 = true }
    let started = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let started else { return }
    // A signal for that thread alone wakes it out of its wait.
    pthread_kill(started, SIGUSR1)
    pthread_join(started, nil)
    guard terminal.isLive else { return }
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    sigaddset(&set, SIGCONT)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private func run() {
    // As eyes can follow; a list has nothing to draw, and only tells what is slow.
    var pause = timespec(
      tv_sec: terminal.isLive ? 0 : 1, tv_nsec: terminal.isLive ? 100_000_000 : 0)
    var set = Self.signalSet(isLive: terminal.isLive)
    while !isOver.withLock({ $0 }) {
      let number = sigtimedwait(&set, nil, &pause)
      guard !isOver.withLock({ $0 }) else { return }
      switch number {
      case SIGUSR1: dump()
      case SIGTSTP: stop()
      case SIGCONT: terminal.resume()
      default: terminal.tick()
      }
    }
  }

  /// Stops the process as SIGTSTP would have, with a clean terminal.
  private func stop() {
    terminal.suspend()
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    pthread_kill(pthread_self(), SIGTSTP)
    // Here the kernel stops the process, unless no shell could continue it.
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var continuation = sigset_t()
    sigemptyset(&continuation)
    sigaddset(&continuation, SIGCONT)
    var now = timespec()
    _ = sigtimedwait(&continuation, nil, &now)
    terminal.resume()
  }

  private static func signalSet(isLive: Bool) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in isLive ? [SIGUSR1, SIGTSTP, SIGCONT] : [SIGUSR1] { sigaddset(&set, number) }
    return set
  }
}
