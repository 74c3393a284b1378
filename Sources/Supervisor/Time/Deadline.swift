package import Foundations

/// When something is due.
///
/// A step of the wall clock moves deadlines on the wall clock only; a suspension moves those on the wall
/// clock and on the boot clock.
package enum Deadline: Hashable, Sendable {
  /// CLOCK_MONOTONIC shows this.
  case monotonic(Nanoseconds)
  /// CLOCK_REALTIME shows this.
  case wall(WallInstant)
  /// CLOCK_BOOTTIME shows this.
  case boot(Nanoseconds)

  /// When that is on the monotonic clock, as the other clocks stand now; `.forever` if it is further away
  /// than clocks can count.
  package func instant(on clock: VirtualClock) -> Nanoseconds {
    switch self {
    case .monotonic(let instant): instant
    case .wall(let instant): clock.monotonic(whenWallShows: instant)
    case .boot(let instant): clock.monotonic(whenBootShows: instant)
    }
  }
}
