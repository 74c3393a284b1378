internal import Foundations
internal import Glibc

/// The kernel's clock, for what stays real.
enum RealClock {
  /// CLOCK_MONOTONIC.
  static func monotonic() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
  }

  /// Returns the processor time that a process has used on all processors; zero if it is gone
  /// (clock_getcpuclockid(3)).
  static func processorTime(ofProcess process: Int32) -> Nanoseconds {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return .zero
    }
    return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
  }

  /// CLOCK_BOOTTIME.
  static func boot() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
  }

  /// CLOCK_REALTIME, behind which files that have just been stamped are by a few milliseconds at most.
  static func wall() -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}
