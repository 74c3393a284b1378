internal import Glibc
internal import ScenarioReport
internal import Synchronization

/// SIGHUP, SIGINT, SIGQUIT and SIGTERM, taken by a thread of their own, so that a run can end in good
/// order.
///
/// Before there is anything to put in order, a signal ends the program at once. After that the first one
/// stops the run, and reports are still written; a second one ends the program at once, and the kernel
/// ends the targets with it.
final class StopSignals: Sendable {
  private struct State {
    var received: Int32?
    var action: (@Sendable () -> Void)?
    /// Actions before the program ends at once.
    var goAwayHooks: [@Sendable () -> Void] = []
    /// The last signal, with its time.
    var last: (number: Int32, time: ContinuousClock.Instant)?
  }

  private let state = Mutex(State())
  private let numbers: [Int32]

  /// Blocks the signals in this thread and in those that it creates.
  init() {
    // nohup(1) has SIGHUP ignored, and a signal that is waited for would come all the same.
    numbers = [SIGINT, SIGQUIT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The signal that has come.
  var received: Int32? { state.withLock { $0.received } }

  /// The exit code after a signal; `nil` if none has come.
  var exitCode: ExitCode? {
    received.map { ExitCode(rawValue: 128 + $0) ?? .interrupted }
  }

  /// Sets what the first signal does, on another thread; done at once if it has come already.
  func whenReceived(_ action: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      state.action = action
      return state.received != nil
    }
    if hasCome { action() }
  }

  /// Adds to what is done, on another thread, before a signal ends the program at once; it must not wait.
  func beforeEndingAtOnce(_ farewell: @escaping @Sendable () -> Void) {
    state.withLock { $0.goAwayHooks.append(farewell) }
  }

  /// Starts to wait for signals, on a thread of its own.
  func watch() {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<StopSignals>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    if error == 0 { pthread_detach(thread) } else { box.release() }
  }

  private func run() {
    while true {
      var set = signalSet
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      guard !isRepetition(of: number) else { continue }
      let action = state.withLock { state in
        defer { state.received = state.received ?? number }
        return state.received == nil ? state.action : nil
      }
      guard let action else {
        for farewell in state.withLock({ $0.goAwayHooks }) { farewell() }
        _exit(128 + number)
      }
      action()
    }
  }

  /// Returns whether a signal is the one that has just come: timeout(1) sends it to a program, and to its group.
  private func isRepetition(of number: Int32) -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      defer { state.last = (number, now) }
      guard number == SIGTERM, let last = state.last else { return false }
      return last.number == number && now - last.time < .milliseconds(100)
    }
  }

  private var signalSet: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
