/// A point on the wall clock (CLOCK_REALTIME), counted from 1970-01-01T00:00:00Z.
package struct WallInstant: Hashable, Comparable, Sendable, Codable {
  /// Whole seconds since the epoch; negative before it.
  package var seconds: Int64
  /// Nanoseconds on top of `seconds`, 0 … 999,999,999.
  package var nanoseconds: Int32

  /// Creates an instant, carrying `nanoseconds` of any size or sign into the seconds.
  package init(seconds: Int64, nanoseconds: Int64 = 0) {
    var carry = nanoseconds / 1_000_000_000
    var rest = nanoseconds % 1_000_000_000
    if rest < 0 {
      rest += 1_000_000_000
      carry -= 1
    }
    self.seconds = seconds.addingReportingOverflow(carry).partialValue
    self.nanoseconds = Int32(rest)
  }

  /// The epoch.
  package static let epoch = WallInstant(seconds: 0)

  /// The instant `length` later.
  package static func + (instant: WallInstant, length: Nanoseconds) -> WallInstant {
    let (quotient, remainder) = length.count.quotientAndRemainder(dividingBy: 1_000_000_000)
    return WallInstant(
      seconds: instant.seconds.addingReportingOverflow(quotient).partialValue,
      nanoseconds: Int64(instant.nanoseconds) + remainder)
  }

  /// The time from `right` to `left`, saturating.
  package static func - (left: WallInstant, right: WallInstant) -> Nanoseconds {
    let (seconds, overflow) = left.seconds.subtractingReportingOverflow(right.seconds)
    guard !overflow else { return Nanoseconds(left < right ? .min : .max) }
    return .seconds(seconds) + Nanoseconds(Int64(left.nanoseconds) - Int64(right.nanoseconds))
  }

  /// Orders by time.
  package static func < (left: WallInstant, right: WallInstant) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
