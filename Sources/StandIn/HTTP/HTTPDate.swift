internal import ScenarioModel

/// The `date` header's form (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let secondsPerDay: Int64 = 86_400
  /// The instant 0000-01-01T00:00:00Z.
  private static let earliest: Int64 = -62_167_219_200
  /// The instant 9999-12-31T23:59:59Z.
  private static let latest: Int64 = 253_402_300_799

  /// The text; `nil` outside the years 0 to 9999, which the form cannot hold.
  static func text(_ instant: WallInstant) -> String? {
    guard (earliest...latest).contains(instant.seconds) else { return nil }
    let days = floorDivide(instant.seconds, by: secondsPerDay)
    let second = Int(instant.seconds - days * secondsPerDay)
    let (year, month, day) = civil(daysSinceEpoch: days)
    // 1970-01-01 was a Thursday.
    let weekday = Int(((days + 4) % 7 + 7) % 7)
    return "\(weekdays[weekday]), \(padded(day)) \(months[month - 1]) \(padded(year, to: 4)) "
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

  /// Year, month and day in the Gregorian calendar, counted in eras of 400 years that begin in March.
  private static func civil(daysSinceEpoch days: Int64) -> (year: Int, month: Int, day: Int) {
    let daysPerEra: Int64 = 146_097
    let shifted = days + 719_468
    let era = floorDivide(shifted, by: daysPerEra)
    let dayOfEra = Int(shifted - era * daysPerEra)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
