/// A day of the proleptic Gregorian calendar.
struct CivilDate: Hashable, Sendable {
  /// 1 … 9999 for every date that text can name.
  var year: Int
  /// 1 … 12.
  var month: Int
  /// 1 … 31.
  var day: Int

  static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// How many days a month has; `month` is 1 … 12.
  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  // MARK: - Days since the epoch

  /// Days from 0001-01-01 to 1970-01-01.
  private static let epochOffset = 719_162
  private static let daysPerEra = 146_097
  private static let daysPerCentury = 36_524
  private static let daysPerLeapCycle = 1_461

  /// Days since 1970-01-01, negative before it.
  var daysSinceEpoch: Int {
    let years = year - 1
    var days = years * 365 + years / 4 - years / 100 + years / 400
    for earlier in 1..<max(1, month) { days += Self.length(ofMonth: earlier, year: year) }
    return days + day - 1 - Self.epochOffset
  }

  /// The day that many days after 1970-01-01; `nil` outside the years 1 … 9999.
  init?(daysSinceEpoch: Int) {
    var rest = daysSinceEpoch + Self.epochOffset
    let last = CivilDate(year: 9999, month: 12, day: 31).daysSinceEpoch
    guard rest >= 0, daysSinceEpoch <= last else { return nil }
    let eras = rest / Self.daysPerEra
    rest %= Self.daysPerEra
    // The last century of an era and the last year of a leap cycle have one day more.
    let centuries = min(3, rest / Self.daysPerCentury)
    rest -= centuries * Self.daysPerCentury
    let cycles = rest / Self.daysPerLeapCycle
    rest %= Self.daysPerLeapCycle
    let years = min(3, rest / 365)
    rest -= years * 365
    year = eras * 400 + centuries * 100 + cycles * 4 + years + 1
    month = 1
    while rest >= Self.length(ofMonth: month, year: year) {
      rest -= Self.length(ofMonth: month, year: year)
      month += 1
    }
    day = rest + 1
  }
}
