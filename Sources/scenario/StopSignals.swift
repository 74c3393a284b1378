internal import Glibc
internal import Synchronization

/// SIGINT and SIGTERM, taken by a thread of their own, so that a run can end in good order.
///
/// The first one stops the run, and reports are still written; a second SIGINT ends the program at
/// once, and the kernel ends the targets with it.
final class StopSignals: Sendable {
  private let state = Mutex<Int32?>(nil)

  /// Blocks the signals in this thread and in those that it creates.
  init() {
    var set = Self.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Which signal has come.
  var received: Int32? { state.withLock { $0 } }

  /// Calls `action`, on another thread, when the first signal comes.
  func watch(_ action: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Watch(signals: self, action: action))
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Watch>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    if error == 0 { pthread_detach(thread) } else { box.release() }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    return set
  }

  private final class Watch {
    let signals: StopSignals
    let action: @Sendable () -> Void

    init(signals: StopSignals, action: @escaping @Sendable () -> Void) {
      self.signals = signals
      self.action = action
    }

    func run() {
      while true {
        var set = StopSignals.set
        var number: Int32 = 0
        guard sigwait(&set, &number) == 0 else { continue }
        let isFirst = signals.state.withLock { state in
          defer { state = state ?? number }
          return state == nil
        }
        if isFirst {
          action()
        } else {
          _exit(128 + number)
        }
      }
    }
  }
}
