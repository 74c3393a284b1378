/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  /// 1 … 9999 for every date that text can name.
  package var year: Int
  /// 1 … 12.
  package var month: Int
  /// 1 … 31.
  package var day: Int

  /// The names of the months in English, from January.
  package static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A day by its numbers.
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days that a month has; `month` is 1 … 12.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns whether a year has a leap day.
  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  // MARK: - Days since the epoch

  /// Days from 0001-01-01 to 1970-01-01.
  private static let epochOffset = 719_162
  private static let daysPerEra = 146_097
  /// Days from -0400-03-01 to 1970-01-01.
  private static let daysFromEra = 719_468 + daysPerEra

  /// Days since 1970-01-01, negative before it.
  package var daysSinceEpoch: Int {
    let years = year - 1
    var days = years * 365 + years / 4 - years / 100 + years / 400
    for earlier in 1..<max(1, month) { days += Self.length(ofMonth: earlier, year: year) }
    return days + day - 1 - Self.epochOffset
  }

  /// The day that many days after 1970-01-01, from the year -399 on: counted in eras of 400 years that begin in March.
  package init(daysSinceEpoch: Int) {
    let days = daysSinceEpoch + Self.daysFromEra
    let dayOfEra = days % Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = days / Self.daysPerEra * 400 - 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }
}
