internal import Foundations

/// A timer of the target's, and the way in which its expiry is delivered.
struct TargetTimer {
  /// The way in which expiry is delivered.
  enum Delivery {
    /// A descriptor becomes readable.
    case descriptor
    /// A signal is sent.
    case signal(TimerSignal)
    /// Expiry is not delivered: SIGEV_NONE.
    case silent
  }

  /// The timer.
  var timer: VirtualTimer
  /// The way in which expiry is delivered.
  var delivery: Delivery
  /// The caller that set it.
  var owner: WaitDescription
  /// The length that it was set to.
  var length = Nanoseconds.zero
  /// Its place on the timeline.
  var ticket: Timeline<WaitOwner>.Ticket?
  /// Expirations that came while a signal was under way (timer_getoverrun(2)).
  var overrun: UInt64 = 0
  /// The overrun of the signal that was delivered last.
  var deliveredOverrun: UInt64 = 0
  /// True if a step of the wall clock cancels it (TFD_TIMER_CANCEL_ON_SET).
  var cancelsOnSet = false
  /// True if a signal has been sent and not been seen to arrive.
  var isSignalled = false
}

/// The signal of a timer (sigevent(7)).
struct TimerSignal {
  /// The signal's number.
  var number: Int32
  /// The thread that gets it; `nil` for any thread of the process.
  var thread: ThreadIdentifier?
  /// The value that it carries (sigev_value).
  var value: UInt64
}

/// A setting of a timer in its layout in memory: struct itimerspec, or struct itimerval.
struct TimerSetting: BitwiseCopyable {
  /// The interval at which the timer repeats.
  var interval: TimeValue
  /// The time of its first expiry; zero disarms it.
  var first: TimeValue

  /// True if the kernel would take it for a struct itimerspec.
  var isValid: Bool { isValid(unitsPerSecond: 1_000_000_000) }

  /// Returns whether the kernel would take it, its fractions being such units.
  func isValid(unitsPerSecond: Int64) -> Bool {
    [interval, first].allSatisfy {
      $0.seconds >= 0 && $0.fraction >= 0 && $0.fraction < unitsPerSecond
    }
  }

  /// Creates the setting that a timer shows.
  init(interval: Nanoseconds, rest: Nanoseconds) {
    self.interval = TimeValue(interval)
    first = TimeValue(rest)
  }

  /// The same with microseconds for nanoseconds, as setitimer(2) has it.
  var inMicroseconds: TimerSetting {
    var copy = self
    copy.interval.fraction /= 1_000
    copy.first.fraction /= 1_000
    return copy
  }

  /// The same with nanoseconds for microseconds.
  var inNanoseconds: TimerSetting {
    var copy = self
    copy.interval.fraction *= 1_000
    copy.first.fraction *= 1_000
    return copy
  }
}
