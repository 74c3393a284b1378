package import Foundations

/// How long something took, time after time.
package struct HistoryTimes: Sendable, Hashable {
  /// The number of the latest times that are compared with those before.
  package static let recentCount = 5

  /// The time in the middle; of two in the middle the lower one.
  package let median: Nanoseconds
  /// The longest time.
  package let worst: Nanoseconds
  /// The median of the latest times; `nil` where there are not as many before.
  package let recent: Nanoseconds?
  /// The median of those before.
  package let before: Nanoseconds?

  /// - Parameter times: in the order of the runs; `zero` for none.
  init(_ times: [Nanoseconds]) {
    median = Self.median(times[...])
    worst = times.max() ?? .zero
    let isLong = times.count >= 2 * Self.recentCount
    recent = isLong ? Self.median(times.suffix(Self.recentCount)) : nil
    before = isLong ? Self.median(times.dropLast(Self.recentCount)) : nil
  }

  private static func median(_ times: ArraySlice<Nanoseconds>) -> Nanoseconds {
    let sorted = times.sorted()
    return sorted.isEmpty ? .zero : sorted[(sorted.count - 1) / 2]
  }
}
