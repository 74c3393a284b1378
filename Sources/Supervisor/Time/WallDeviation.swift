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
  /// The additional gain per nanosecond during a correction, in the same units.
  private var slewRate: Int64 = 0
  /// The duration of the correction, from `since` on.
  private var slewLength = Nanoseconds.zero

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
    /// The additional gain per nanosecond of ``slewLength``.
    var slewRate: Int64
    /// The remaining duration of the correction.
    var slewLength: Nanoseconds

    /// The remaining correction.
    var correction: Nanoseconds {
      Nanoseconds(
        Int64(
          clamping: (Int128(slewLength.count) * Int128(slewRate)) >> FrequencyError.fractionBits))
    }
  }

  /// Returns the advance when the monotonic clock shows `monotonic`.
  func reading(at monotonic: Nanoseconds) -> Reading {
    let passed = monotonic - since
    let corrected = min(max(passed, .zero), slewLength)
    let sum =
      Int128(passed.count) * Int128(rate) + Int128(corrected.count) * Int128(slewRate)
      + Int128(fraction)
    let left = slewLength - corrected
    let bits = FrequencyError.fractionBits
    return Reading(
      ahead: ahead + Nanoseconds(Int64(clamping: sum >> bits)),
      fraction: UInt64(truncatingIfNeeded: sum) & (1 << UInt64(bits) - 1), rate: rate,
      slewRate: left > .zero ? slewRate : 0, slewLength: left)
  }

  /// The first instant, on the monotonic clock, at which it is as late as `length` later than monotonic zero by this
  /// clock, where the scenario's clock moves with the monotonic one.
  ///
  /// - Parameter length: what the scenario's clock would have moved since monotonic zero, were the two alike.
  func monotonic(whenPassed length: Nanoseconds) -> Nanoseconds {
    guard length != .forever else { return .forever }
    let goal = length - since - ahead
    let whole = Int128(slewLength.count) * Int128(slewRate)
    if slewLength > .zero, goal > .zero {
      let passed = Self.time(to: goal, fraction: Int128(fraction), rate: rate + slewRate)
      if passed <= slewLength { return since + passed }
      return since + Self.time(to: goal, fraction: Int128(fraction) + whole, rate: rate)
    }
    return since + Self.time(to: goal, fraction: Int128(fraction), rate: rate)
  }

  /// `t + ⌊(t × rate + fraction) / 2⁵⁶⌋ ≥ goal` holds from `⌈(goal × 2⁵⁶ − fraction) / (2⁵⁶ + rate)⌉` on.
  private static func time(to goal: Nanoseconds, fraction: Int128, rate: Int64) -> Nanoseconds {
    let one = Int128(1) << FrequencyError.fractionBits
    let (quotient, remainder) = (Int128(goal.count) * one - fraction)
      .quotientAndRemainder(dividingBy: one + Int128(rate))
    return Nanoseconds(Int64(clamping: remainder > 0 ? quotient + 1 : quotient))
  }

  // MARK: - Text

  /// All that the clock is made of, without spaces and commas.
  var traceText: String {
    [ahead.count, Int64(bitPattern: fraction), since.count, rate, slewRate, slewLength.count]
      .map { "\($0)" }.joined(separator: "/")
  }

  /// Reads what `traceText` has written.
  init?(traceText: String) {
    let numbers = traceText.split(separator: "/").compactMap { Int64($0) }
    guard numbers.count == 6 else { return nil }
    (ahead, fraction) = (Nanoseconds(numbers[0]), UInt64(bitPattern: numbers[1]))
    (since, rate) = (Nanoseconds(numbers[2]), numbers[3])
    (slewRate, slewLength) = (numbers[4], Nanoseconds(numbers[5]))
  }

  // MARK: - Changes

  /// Steps the clock.
  mutating func step(by length: Nanoseconds, at monotonic: Nanoseconds) {
    let reading = reading(at: monotonic)
    (ahead, fraction, since) = (reading.ahead + length, reading.fraction, monotonic)
    (slewRate, slewLength) = (reading.slewRate, reading.slewLength)
  }

  /// Corrects the clock by so much in a length of time, in place of any other correction.
  mutating func slew(by length: Nanoseconds, over time: Nanoseconds, at monotonic: Nanoseconds) {
    step(by: .zero, at: monotonic)
    // Rounded up, so that what is gained by the end is exact when it is rounded down.
    let (quotient, remainder) = (Int128(length.count) << FrequencyError.fractionBits)
      .quotientAndRemainder(dividingBy: Int128(time.count))
    slewRate = Int64(clamping: remainder > 0 ? quotient + 1 : quotient)
    slewLength = time
  }
}
