internal import Foundations

/// The clocks at one moment.
struct ClockMoment {
  /// The state of the clocks.
  var clock: VirtualClock
  /// The kernel's CLOCK_MONOTONIC.
  var real: Nanoseconds

  /// CLOCK_MONOTONIC.
  var monotonic: Nanoseconds { clock.monotonic(real: real) }

  /// Returns the time of one of the clocks CLOCK_REALTIME.
  func wall(of wall: WallNumber) -> WallInstant { clock.wall(of: wall, real: real) }

  /// CLOCK_BOOTTIME.
  var boot: Nanoseconds { clock.boot(real: real) }

  /// Returns the time left until a deadline is due; negative once it is past.
  func rest(until deadline: Deadline) -> Nanoseconds {
    let instant = deadline.instant(on: clock)
    return instant == .forever ? .forever : instant - monotonic
  }

  /// Returns the time since a deadline, on the deadline's clock; negative before it.
  ///
  /// - Parameter kind: the clock, of those that show one wall time.
  func lateness(behind deadline: Deadline, on kind: ClockKind) -> Nanoseconds {
    guard case .wall(let instant, let wall) = deadline else { return -rest(until: deadline) }
    if kind == .internationalAtomic { return clock.atomic(of: wall, real: real) - instant }
    return self.wall(of: wall) - shown(at: instant)
  }

  /// The deadline that much later, on the same clock.
  func deadline(
    after length: Nanoseconds, behind deadline: Deadline, on kind: ClockKind
  ) -> Deadline {
    switch deadline {
    case .monotonic(let instant): return .monotonic(instant + length)
    case .boot(let instant): return .boot(instant + length)
    case .wall(let instant, let wall):
      guard let leapSecond = clock.leapSecond, kind != .internationalAtomic else {
        return .wall(instant + length, of: wall)
      }
      let later = shown(at: instant) + length
      return .wall(leapSecond.atomic(whenShown: later, now: instant), of: wall)
    }
  }

  /// What CLOCK_REALTIME shows when TAI, less its offset, shows an instant.
  private func shown(at atomic: WallInstant) -> WallInstant {
    clock.leapSecond?.shown(at: atomic) ?? atomic
  }

  /// Returns the deadline for a time that a target names on one of the clocks.
  ///
  /// - Parameter wall: which wall clock the target has.
  func deadline(at time: TimeValue, on kind: ClockKind, wall: WallNumber) -> Deadline {
    switch kind {
    case .monotonic: .monotonic(time.length)
    case .boottime: .boot(time.length)
    case .realtime:
      .wall(
        clock.atomic(
          whenWallShows: WallInstant(seconds: time.seconds, nanoseconds: time.fraction), of: wall,
          real: real), of: wall)
    case .internationalAtomic:
      .wall(
        WallInstant(
          seconds: time.seconds.subtractingReportingOverflow(ClockKind.atomicOffset).partialValue,
          nanoseconds: time.fraction), of: wall)
    }
  }

  /// Returns the deadline at which `length` has passed on one of the clocks.
  ///
  /// A relative time on CLOCK_REALTIME does not follow its steps (clock_nanosleep(2), timer_settime(2)).
  func deadline(after length: Nanoseconds, on kind: ClockKind) -> Deadline {
    switch kind {
    case .boottime: .boot(boot + length)
    case .monotonic, .realtime, .internationalAtomic: .monotonic(monotonic + length)
    }
  }
}
