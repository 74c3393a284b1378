internal import Foundations

/// The deviation of a target's own wall clock from the scenario's, as a pure value: an advance that
/// grows with monotonic time.
///
/// The replacement vDSO computes with the same numbers and rounds alike, so that a read and a call
/// never differ.
struct WallDeviation: Hashable, Sendable {
  /// The time by which the clock is ahead when the monotonic clock shows `since`.
  private var ahead: Nanoseconds
  /// The fraction that `ahead` lacks, in units of 2⁻⁵⁶ ns.
  private var fraction: UInt64 = 0
  private var since: Nanoseconds
  private let rate: Int64

  /// The clock of a scenario that begins when the monotonic clock shows `start`.
  init(_ deviation: ClockDeviation, start: Nanoseconds) {
    ahead = deviation.skew
    rate = deviation.drift.fixed
    since = start
  }

  /// The time by which the clock is ahead of the scenario's, with the fraction of a nanosecond.
  struct Reading: Hashable {
    /// Whole nanoseconds, rounded down.
    var ahead: Nanoseconds
    /// The rest, in units of 2⁻⁵⁶ ns.
    var fraction: UInt64
    /// The advance that it gains per nanosecond from here on, in the same units.
    var rate: Int64
  }

  /// Returns the advance when the monotonic clock shows `monotonic`.
  func reading(at monotonic: Nanoseconds) -> Reading {
    let sum = Int128((monotonic - since).count) * Int128(rate) + Int128(fraction)
    let bits = FrequencyError.fractionBits
    return Reading(
      ahead: ahead + Nanoseconds(Int64(clamping: sum >> bits)),
      fraction: UInt64(truncatingIfNeeded: sum) & (1 << UInt64(bits) - 1), rate: rate)
  }

  /// The first instant, on the monotonic clock, at which it is as late as `length` later than monotonic zero by this
  /// clock, where the scenario's clock moves with the monotonic one.
  ///
  /// - Parameter length: what the scenario's clock would have moved since monotonic zero, were the two alike.
  func monotonic(whenPassed length: Nanoseconds) -> Nanoseconds {
    guard length != .forever else { return .forever }
    // `t + ⌊(t × rate + fraction) / 2⁵⁶⌋ ≥ goal` holds from `⌈(goal × 2⁵⁶ − fraction) / (2⁵⁶ + rate)⌉` on.
    let goal = length - since - ahead
    let one = Int128(1) << FrequencyError.fractionBits
    let (quotient, remainder) = (Int128(goal.count) * one - Int128(fraction))
      .quotientAndRemainder(dividingBy: one + Int128(rate))
    let passed = Int64(clamping: remainder > 0 ? quotient + 1 : quotient)
    return since + Nanoseconds(passed)
  }

  // MARK: - Changes

  /// Steps the clock.
  mutating func step(by length: Nanoseconds, at monotonic: Nanoseconds) {
    let reading = reading(at: monotonic)
    (ahead, fraction, since) = (reading.ahead + length, reading.fraction, monotonic)
  }
}
