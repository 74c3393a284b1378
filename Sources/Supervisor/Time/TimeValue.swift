internal import Foundations

/// A timespec or a timeval in its layout in memory.
struct TimeValue: BitwiseCopyable {
  /// Whole seconds.
  var seconds: Int64
  /// Nanoseconds of a timespec, microseconds of a timeval.
  var fraction: Int64

  /// The length of a timespec, saturating.
  var length: Nanoseconds { .seconds(seconds) + Nanoseconds(fraction) }

  /// A timespec of a length that is not negative.
  init(_ length: Nanoseconds) {
    seconds = length.count / 1_000_000_000
    fraction = length.count % 1_000_000_000
  }

  /// A timespec of an instant.
  init(_ instant: WallInstant) {
    seconds = instant.seconds
    fraction = Int64(instant.nanoseconds)
  }
}
