internal import Foundations

/// Lengths of time as reports write them.
enum DurationText {
  /// Seconds with three decimals and a dot, never negative: `0.031`.
  static func seconds(_ duration: Nanoseconds) -> String {
    let (rounded, overflow) = max(0, duration.count).addingReportingOverflow(500_000)
    let milliseconds = (overflow ? Int64.max : rounded) / 1_000_000
    let fraction = String(milliseconds % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(milliseconds / 1000).\(zeros)\(fraction)"
  }
}
