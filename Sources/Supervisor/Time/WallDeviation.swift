internal import Foundations

/// How a target's own wall clock goes beside the scenario's, as a pure value: ahead by something that grows with
/// monotonic time.
///
/// The replacement vDSO reckons with the same numbers and rounds alike, so that a read and a call never differ.
struct WallDeviation: Hashable, Sendable {
  /// What the clock gains or loses on top of its drift until it has been corrected (adjtime(3)).
  private struct Slew: Hashable {
    var rate: Int64
    var end: Nanoseconds
  }

  /// By how much the clock is ahead when the monotonic clock shows `since`.
  private var ahead: Nanoseconds
  /// What `ahead` lacks of the truth, in units of 2⁻⁵⁶ ns.
  private var fraction: UInt64 = 0
  private var since: Nanoseconds
  private let drift: Int64
  private var slew: Slew?

  /// The clock of a scenario that begins when the monotonic clock shows `start`.
  init(_ deviation: ClockDeviation, start: Nanoseconds) {
    ahead = deviation.skew
    drift = deviation.drift.fixed
    since = start
  }

  /// By how much the clock is ahead of the scenario's, and what is left of a nanosecond.
  struct Reading: Hashable {
    /// Whole nanoseconds, rounded down.
    var ahead: Nanoseconds
    /// The rest, in units of 2⁻⁵⁶ ns.
    var fraction: UInt64
    /// What it gains for each nanosecond from here on, in the same units.
    var rate: Int64
  }

  /// How the clock stands when the monotonic clock shows `monotonic`.
  func reading(at monotonic: Nanoseconds) -> Reading {
    guard let slew else { return reading(at: monotonic, rate: drift) }
    guard monotonic >= slew.end else { return reading(at: monotonic, rate: drift + slew.rate) }
    return settled(at: slew.end).reading(at: monotonic, rate: drift)
  }

  private func reading(at monotonic: Nanoseconds, rate: Int64) -> Reading {
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
    guard let slew else { return monotonic(whenPassed: length, rate: drift) }
    let instant = monotonic(whenPassed: length, rate: drift + slew.rate)
    guard instant > slew.end else { return instant }
    return settled(at: slew.end).monotonic(whenPassed: length, rate: drift)
  }

  /// `t + ⌊(t × rate + fraction) / 2⁵⁶⌋ ≥ goal` holds from `⌈(goal × 2⁵⁶ − fraction) / (2⁵⁶ + rate)⌉` on.
  private func monotonic(whenPassed length: Nanoseconds, rate: Int64) -> Nanoseconds {
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
    self = settled(at: monotonic)
    ahead += length
  }

  /// Begins to correct the clock by a length, 500 parts per million faster or slower than it goes (adjtime(3)); what
  /// was left of an earlier correction is dropped.
  mutating func slew(by length: Nanoseconds, at monotonic: Nanoseconds) {
    self = settled(at: monotonic)
    let rate = FrequencyError.slew
    let (time, overflow) = abs(length.count).multipliedReportingOverflow(
      by: 1_000_000_000 / rate.partsPerBillion)
    slew =
      length == .zero
      ? nil
      : Slew(
        rate: (length < .zero ? -rate : rate).fixed,
        end: monotonic + (overflow ? .forever : Nanoseconds(time)))
  }

  /// When the correction that is under way will have been made, on the monotonic clock; `nil` if there is none.
  func slewEnd(after monotonic: Nanoseconds) -> Nanoseconds? {
    slew.flatMap { $0.end > monotonic ? $0.end : nil }
  }

  /// The same clock, reckoned from another instant.
  private func settled(at monotonic: Nanoseconds) -> WallDeviation {
    let reading = reading(at: monotonic)
    var settled = self
    (settled.ahead, settled.fraction, settled.since) = (reading.ahead, reading.fraction, monotonic)
    if let slew, slew.end <= monotonic { settled.slew = nil }
    return settled
  }
}
