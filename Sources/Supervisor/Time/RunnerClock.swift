internal import CSupervisor
package import Foundations
internal import Glibc
internal import Synchronization

/// The clock of everything that the runner limits in real time: CLOCK_MONOTONIC without the time in which the runner
/// itself stood still.
///
/// Ctrl-Z, SIGSTOP, a frozen control group and a paused virtual machine stop the runner. A target that had no time, or a
/// runner that could not look, must not be judged for that. The kernel reports none of these stops to a process that has
/// been stopped. So a thread reads the clock regularly, and where nobody has read it for long, nobody could.
package enum RunnerClock {
  private static let time = Mutex(RunningTime())

  /// Returns the time; readings of several threads never go back.
  package static func now() -> Nanoseconds {
    // Within the lock, lest a later reading be recorded before an earlier one.
    time.withLock { $0.reading(at: RealClock.monotonic()) }
  }

  /// Starts the thread without which the clock counts stops as well; without effect where no thread can be made.
  package static func begin() {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    // A new thread inherits the mask: no signal shall be handled there.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let error = pthread_create(
      &thread, &attributes,
      { _ in
        let pause = UInt32(RunningTime.interval.count / 1_000)
        while usleep(pause) == 0 || errno == EINTR { _ = RunnerClock.now() }
        RunnerClock.end()
        return nil
      }, nil)
    guard error == 0 else { return }
    time.withLock { $0.begin(at: RealClock.monotonic()) }
  }

  /// Nobody reads regularly any more: a machine may refuse to let threads sleep.
  private static func end() { time.withLock { $0.end() } }

  private static let stackSize = 128 * 1_024
}

/// Computes how long a process has run from readings of a clock that goes on while the process is stopped.
struct RunningTime {
  /// The real time between two readings, at most, while the process runs on an idle machine.
  static let interval = Nanoseconds.milliseconds(100)
  /// The time without a reading from which on the process must have been stopped: threads of a busy machine wait long
  /// for a processor, too.
  static let longestGap = Nanoseconds.milliseconds(500)

  private var stopped = Nanoseconds.zero
  /// The clock at the last reading; `nil` as long as readings are not regular.
  private var last: Nanoseconds?

  /// From now on readings are regular.
  mutating func begin(at real: Nanoseconds) { last = real }

  /// From now on they are not.
  mutating func end() { last = nil }

  /// Returns the time at a reading of the clock, without the time in which the process was stopped.
  mutating func reading(at real: Nanoseconds) -> Nanoseconds {
    if let last {
      let gap = real - last
      if gap > Self.longestGap { stopped = stopped + gap - Self.interval }
      self.last = real
    }
    return real - stopped
  }
}
