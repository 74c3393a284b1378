/// The clocks of clock_gettime(2) that the scenario controls, by the time that they show.
enum ClockKind {
  /// REALTIME and its coarse and alarm forms.
  case realtime
  /// MONOTONIC and its raw and coarse forms.
  case monotonic
  /// BOOTTIME and its alarm form.
  case boottime
  /// TAI.
  case internationalAtomic

  /// TAI minus UTC since 2017, in seconds.
  static let atomicOffset: Int64 = 37

  /// The clock of a number; `nil` for CPU-time and dynamic clocks, which stay the kernel's.
  init?(number: UInt64) {
    switch Int32(truncatingIfNeeded: number) {
    case 0, 5, 8: self = .realtime
    case 1, 4, 6: self = .monotonic
    case 7, 9: self = .boottime
    case 11: self = .internationalAtomic
    default: return nil
    }
  }
}
