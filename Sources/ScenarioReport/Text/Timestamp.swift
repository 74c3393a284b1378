internal import Foundations

/// Points in time as JUnit's consumers want them.
enum Timestamp {
  /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: what has four digits for its year.
  private static let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// `YYYY-MM-DDTHH:MM:SS` in UTC, without a zone and without a fraction, which every schema takes.
  ///
  /// An instant that has no such form is moved to the nearest one that has.
  static func text(_ instant: WallInstant) -> String {
    let seconds = min(max(instant.seconds, writable.lowerBound), writable.upperBound)
    return String(WallInstant(seconds: seconds).description.prefix { $0 != "Z" })
  }
}
