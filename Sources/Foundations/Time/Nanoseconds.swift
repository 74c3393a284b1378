/// A signed length of time in nanoseconds; arithmetic saturates at "for ever" (±292 years).
package struct Nanoseconds: Hashable, Comparable, Sendable, Codable {
  /// The length in nanoseconds.
  package var count: Int64

  /// Creates a length of `count` nanoseconds.
  package init(_ count: Int64) {
    self.count = count
  }

  /// The length of no time.
  package static let zero = Nanoseconds(0)

  /// Longer than any run: what a wait without end has left.
  package static let forever = Nanoseconds(.max)

  /// A length of whole seconds, saturating.
  package static func seconds(_ count: Int64) -> Nanoseconds {
    saturating(count, times: 1_000_000_000)
  }

  /// A length of whole milliseconds, saturating.
  package static func milliseconds(_ count: Int64) -> Nanoseconds {
    saturating(count, times: 1_000_000)
  }

  /// A length of whole microseconds, saturating.
  package static func microseconds(_ count: Int64) -> Nanoseconds {
    saturating(count, times: 1_000)
  }

  private static func saturating(_ count: Int64, times unit: Int64) -> Nanoseconds {
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    guard overflow else { return Nanoseconds(product) }
    return Nanoseconds(count < 0 ? .min : .max)
  }

  /// The sum, saturating.
  package static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    let (sum, overflow) = left.count.addingReportingOverflow(right.count)
    guard overflow else { return Nanoseconds(sum) }
    return Nanoseconds(right.count < 0 ? .min : .max)
  }

  /// The difference, saturating.
  package static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    let (difference, overflow) = left.count.subtractingReportingOverflow(right.count)
    guard overflow else { return Nanoseconds(difference) }
    return Nanoseconds(right.count < 0 ? .max : .min)
  }

  /// The same length in the other direction, saturating.
  package static prefix func - (value: Nanoseconds) -> Nanoseconds {
    .zero - value
  }

  /// Adds in place, saturating.
  package static func += (left: inout Nanoseconds, right: Nanoseconds) {
    left = left + right
  }

  /// Orders by length.
  package static func < (left: Nanoseconds, right: Nanoseconds) -> Bool {
    left.count < right.count
  }

  /// Reads a bare count.
  package init(from decoder: any Decoder) throws {
    count = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes a bare count.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }
}
