internal import Foundations

/// The kernel's conditions on a time that the wall clock is to be set to.
///
/// `timespec64_valid_settod` and `do_settimeofday64` of the kernel: not before the epoch, 30 years of
/// uptime short of what 64 bits of nanoseconds can hold, and not less than the monotonic clock shows.
enum WallClockSetting {
  /// The first second that is too late: in April 2232.
  static let limit: Int64 = Int64.max / 1_000_000_000 - 30 * 365 * 86_400

  /// Returns whether the kernel would process a timespec any further.
  static func isValid(_ time: TimeValue) -> Bool {
    0..<limit ~= time.seconds && 0..<1_000_000_000 ~= time.fraction
  }

  /// The instant of a timespec; `nil` if the kernel would not set the clock to it.
  static func instant(_ time: TimeValue, monotonic: Nanoseconds) -> WallInstant? {
    guard isValid(time), time.length >= monotonic else { return nil }
    return WallInstant(time)
  }

  /// The wall clock displaced; `nil` if the kernel would not do it.
  ///
  /// - Parameter displacement: seconds of any sign, and nanoseconds, which are not negative.
  static func instant(
    displacing wall: WallInstant, by displacement: TimeValue, monotonic: Nanoseconds
  ) -> WallInstant? {
    guard 0..<1_000_000_000 ~= displacement.fraction else { return nil }
    let (seconds, overflow) = wall.seconds.addingReportingOverflow(displacement.seconds)
    guard !overflow, -limit..<limit ~= seconds else { return nil }
    let instant = WallInstant(
      seconds: seconds, nanoseconds: Int64(wall.nanoseconds) + displacement.fraction)
    return Self.instant(TimeValue(instant), monotonic: monotonic)
  }
}

extension WallInstant {
  /// Creates the instant of a timespec.
  init(_ time: TimeValue) {
    self.init(seconds: time.seconds, nanoseconds: time.fraction)
  }
}
