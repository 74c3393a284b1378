internal import Foundations

/// The `date` header's form (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let secondsPerDay: Int64 = 86_400
  /// The instant 0000-01-01T00:00:00Z.
  private static let earliest: Int64 = -62_167_219_200
  /// The instant 9999-12-31T23:59:59Z.
  private static let latest: Int64 = 253_402_300_799

  /// The text; `nil` outside the years 0 to 9999, which the form cannot hold.
  static func text(_ instant: WallInstant) -> String? {
    guard (earliest...latest).contains(instant.seconds) else { return nil }
    // Both are positive from here on, whose division rounds down.
    let seconds = instant.seconds - earliest
    let second = Int(seconds % secondsPerDay)
    let days = Int(seconds / secondsPerDay + earliest / secondsPerDay)
    let date = CivilDate(daysSinceEpoch: days)
    // 1970-01-01 was a Thursday.
    let weekday = ((days + 4) % 7 + 7) % 7
    let month = CivilDate.monthNames[date.month - 1].prefix(3)
    return "\(weekdays[weekday]), \(padded(date.day)) \(month) \(padded(date.year, to: 4)) "
      + "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60)) GMT"
  }

  /// The text of the latest second: many replies leave in the same one.
  struct Cache {
    private var second: Int64?
    private var text: String?

    /// The text; `nil` outside the years 0 to 9999.
    mutating func text(_ instant: WallInstant) -> String? {
      if instant.seconds != second {
        second = instant.seconds
        text = HTTPDate.text(instant)
      }
      return text
    }
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
