package import Foundations
internal import Glibc
internal import Supervisor

/// The machine's own clocks and name; nothing above the runner reads them.
package enum RealTime {
  /// CLOCK_MONOTONIC without the time in which the runner was stopped (`RunnerClock`).
  package static func monotonic() -> Nanoseconds { RunnerClock.now() }

  /// CLOCK_REALTIME.
  static func wall() -> WallInstant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallInstant(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// The name that gethostname(2) gives.
  static func hostname() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
