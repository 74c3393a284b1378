package import Foundations

/// The precision with which measured lengths of virtual time are compared with a condition.
///
/// A program's request is not exactly what its author wrote: `sleep 1` of coreutils 9.7 sleeps 1 s
/// and 1 ns, and runtimes add microseconds. So measured lengths count in milliseconds, to the
/// nearest, unless the condition itself is written more finely: then in microseconds, or in
/// nanoseconds.
package enum DurationPrecision: Int64, Comparable, Sendable {
  /// Nanoseconds: nothing is rounded.
  case nanoseconds = 1
  /// Microseconds.
  case microseconds = 1_000
  /// Milliseconds.
  case milliseconds = 1_000_000

  /// Returns whether the left one is finer.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The precision in which a condition is written.
  package init(of matcher: PlannedMatcher) {
    switch matcher.condition {
    case .equals(let data), .lessThan(let data), .greaterThan(let data), .contains(let data),
      .atLeast(let data), .atMost(let data):
      self = Self(of: [data])
    case .near(let data, let tolerance): self = Self(of: [data, tolerance])
    case .between(let first, let last): self = Self(of: [first, last])
    case .oneOf(let choices): self = Self(of: choices)
    case .not(let other): self = Self(of: other)
    case .allOf(let others), .anyOf(let others):
      self = others.map(Self.init).min() ?? .milliseconds
    // A pattern sees the text as it is.
    default: self = .nanoseconds
    }
  }

  /// The precision in which an instant is written.
  package init(of instant: WallInstant) {
    self = Self(ofNanoseconds: Int64(instant.nanoseconds))
  }

  private init(of data: [PlannedData]) {
    let units: [Self] = data.map { data in
      guard case .value(.string(let text)) = data, let length = try? Nanoseconds(text: text) else {
        return .milliseconds
      }
      return Self(ofNanoseconds: length.count)
    }
    self = units.min() ?? .milliseconds
  }

  private init(ofNanoseconds count: Int64) {
    let units: [Self] = [.milliseconds, .microseconds]
    self = units.first { count % $0.rawValue == 0 } ?? .nanoseconds
  }

  /// Returns whether two instants are the same, to the nearest unit.
  package func isSame(_ left: WallInstant, _ right: WallInstant) -> Bool {
    let length = left < right ? right - left : left - right
    return length.count < (rawValue + 1) / 2 || length == .zero
  }

  /// A length to the nearest unit.
  package func rounded(_ length: Nanoseconds) -> Nanoseconds {
    let rest = length.count % rawValue
    let floor = length.count - rest
    guard rest >= (rawValue + 1) / 2, rawValue > 1 else { return Nanoseconds(floor) }
    let (sum, overflow) = floor.addingReportingOverflow(rawValue)
    return Nanoseconds(overflow ? floor : sum)
  }
}
