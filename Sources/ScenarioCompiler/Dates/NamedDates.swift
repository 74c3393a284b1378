internal import Foundations

/// Dates at which programs are known to fail.
enum NamedDates: String, CaseIterable {
  /// The last day of each month, and the first of the next.
  case monthEnds = "month-ends"
  /// The last second before each change of the time zone's offset, and the change.
  case daylightSaving = "dst"
  /// 28 and 29 February of leap years, and 1 March.
  case leapDay = "leap-day"
  /// The last second that 32 bits count, and the next.
  case year2038 = "2038"
  /// The last second of each certificate of the case, and the next.
  case certificateEnds = "certificate-ends"

  /// The words, with commas between.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// The next of these dates: those of a year from where the case's clock begins, and the next leap day.
  func next(for place: DatePlace) throws(ValueGrammarError) -> [WallInstant] {
    switch self {
    case .year2038, .certificateEnds:
      return try dates(
        from: WallInstant(seconds: .min / 2), to: WallInstant(seconds: .max / 2), for: place)
    case .monthEnds, .daylightSaving, .leapDay: break
    }
    guard let from = place.from else {
      throw ValueGrammarError(
        "\"\(rawValue)\" needs a range of dates: the scenario's clock starts at the present",
        help: "write a range, such as 2027-01-01..2028-12-31/\(rawValue)")
    }
    switch self {
    case .leapDay:
      let first = from.date.year
      // At most eight years lie between two leap years.
      let leapYear = (first...first + 9).first { year in
        CivilDate.isLeap(year)
          && from <= WallInstant(day: CivilDate(year: year, month: 3, day: 1)) + place.timeOfDay
      }
      return leapYear.map { leapDates(of: $0, for: place) } ?? []
    default:
      return try dates(from: from, to: from + .seconds(366 * 86_400), for: place)
    }
  }

  /// Returns those of these dates that are in a range.
  func dates(
    from first: WallInstant, to last: WallInstant, for place: DatePlace
  ) throws(ValueGrammarError) -> [WallInstant] {
    let dates: [WallInstant]
    switch self {
    case .monthEnds:
      dates = years(first, last).flatMap { year in
        (1...12).flatMap { month in
          [1, CivilDate.length(ofMonth: month, year: year)].map { day in
            WallInstant(day: CivilDate(year: year, month: month, day: day)) + place.timeOfDay
          }
        }
      }
    case .leapDay:
      dates = years(first, last).filter(CivilDate.isLeap).flatMap { leapDates(of: $0, for: place) }
    case .daylightSaving:
      dates = place.zoneChanges(first, last).flatMap { [$0 + .seconds(-1), $0] }
    case .year2038:
      dates = [WallInstant(seconds: .init(Int32.max)), WallInstant(seconds: 1 << 31)]
    case .certificateEnds:
      dates = place.certificateEnds.flatMap { [$0, $0 + .seconds(1)] }
    }
    let found = dates.filter { first <= $0 && $0 <= last }
    guard found.isEmpty else { return found }
    throw ValueGrammarError("\"\(rawValue)\" selects no date here", help: helpIfEmpty(place))
  }

  private func leapDates(of year: Int, for place: DatePlace) -> [WallInstant] {
    [(2, 28), (2, 29), (3, 1)].map { month, day in
      WallInstant(day: CivilDate(year: year, month: month, day: day)) + place.timeOfDay
    }
  }

  private func years(_ first: WallInstant, _ last: WallInstant) -> [Int] {
    Array(first.date.year...max(first.date.year, last.date.year))
  }

  private func helpIfEmpty(_ place: DatePlace) -> String {
    switch self {
    case .daylightSaving:
      "the target's time zone is \(place.zoneName), whose offset does not change in the range; set another one:"
        + " target: { env: { TZ: Europe/Berlin } }"
    case .certificateEnds:
      "no file of the target is a certificate in PEM; add one: target: { files: { cert.pem: { file: cert.pem } } }"
    case .monthEnds, .leapDay, .year2038: "write a range that contains such dates"
    }
  }
}

extension WallInstant {
  /// Midnight of a day, in UTC.
  fileprivate init(day: CivilDate) {
    self.init(seconds: Int64(day.daysSinceEpoch) * 86_400)
  }

  /// The day, in UTC.
  fileprivate var date: CivilDate {
    CivilDate(daysSinceEpoch: Int((seconds - (seconds < 0 ? 86_399 : 0)) / 86_400))
  }
}
