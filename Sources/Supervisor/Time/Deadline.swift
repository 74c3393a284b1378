package import Foundations

/// The instant at which a wait ends.
///
/// A step of the wall clock moves deadlines on the wall clock only; a suspension moves those on the wall
/// clock and on the boot clock.
package enum Deadline: Hashable, Sendable {
  /// CLOCK_MONOTONIC shows this.
  case monotonic(Nanoseconds)
  /// CLOCK_TAI, less ``ClockKind/atomicOffset``, shows this, the scenario's or a target's own: CLOCK_REALTIME may show an
  /// instant twice.
  case wall(WallInstant, of: WallNumber = .scenario)
  /// CLOCK_BOOTTIME shows this.
  case boot(Nanoseconds)

  /// Returns the instant on the monotonic clock, by the present state of the other clocks;
  /// `.forever` if it is further away than clocks can count.
  package func instant(on clock: VirtualClock) -> Nanoseconds {
    switch self {
    case .monotonic(let instant): instant
    case .wall(let instant, let wall): clock.monotonic(whenAtomicShows: instant, of: wall)
    case .boot(let instant): clock.monotonic(whenBootShows: instant)
    }
  }
}
