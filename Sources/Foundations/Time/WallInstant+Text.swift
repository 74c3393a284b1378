extension WallInstant {
  /// 0001-01-01T00:00:00Z.
  static let earliest = WallInstant(seconds: -62_135_596_800)
  /// 9999-12-31T23:59:59.999999999Z.
  static let latest = WallInstant(seconds: 253_402_300_799, nanoseconds: 999_999_999)
  /// The first instant that a clock can show: 64 bits of nanoseconds before the epoch.
  static let firstOnClocks = WallInstant.epoch + Nanoseconds(.min)
  /// The last instant that a clock can show: 64 bits of nanoseconds behind the epoch.
  static let lastOnClocks = WallInstant.epoch + Nanoseconds(.max)

  /// True if clocks can show the instant: the kernel counts nanoseconds from the epoch in 64 bits.
  package var isOnClocks: Bool { self >= Self.firstOnClocks && self <= Self.lastOnClocks }

  /// The range of clocks, for the help of an error.
  static let clockBounds = """
    clocks count nanoseconds from 1970 in 64 bits, which lasts from \(firstOnClocks) to \
    \(lastOnClocks)
    """

  /// Reads an instant in one of the forms of the scenario language.
  ///
  /// RFC 3339 (`1985-10-26T01:21:00-07:00`), a date, a date and time (both UTC), seconds since the
  /// epoch (`@1700000000.5`), or `November 12, 1955 06:38`; years 0001 to 9999.
  package init(text: String) throws(ValueGrammarError) {
    var parser = InstantParser(text: text)
    self = try parser.parse()
  }
}

// MARK: - Writing

extension WallInstant: CustomStringConvertible {
  /// RFC 3339 in UTC, such as `1955-11-12T06:38:00Z`; `@SECONDS` outside the years 0001 to 9999.
  package var description: String {
    var fraction = Substring(String(nanoseconds).padded(to: 9))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let tail = fraction.isEmpty ? "" : ".\(fraction)"
    guard self >= .earliest, self <= .latest else { return "@\(seconds)\(tail)" }
    let date = CivilDate(daysSinceEpoch: Int((seconds - secondOfDay) / 86_400))
    let day = [(date.year, 4), (date.month, 2), (date.day, 2)]
    let time = [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60]
    return day.map { String($0.0).padded(to: $0.1) }.joined(separator: "-") + "T"
      + time.map { String($0).padded(to: 2) }.joined(separator: ":") + tail + "Z"
  }

  private var secondOfDay: Int64 {
    let remainder = seconds % 86_400
    return remainder < 0 ? remainder + 86_400 : remainder
  }
}
