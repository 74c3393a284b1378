/// The rule for the beginning and end of summer time each year, from the variable TZ of POSIX:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
package struct TimeZoneRule: Sendable, Hashable {
  /// `M3.5.0/2`: the last Sunday of March at two.
  private struct Change: Hashable {
    var month: Int
    /// 1 … 4, or 5 for the last one.
    var week: Int
    /// The day of the week, from Sunday.
    var weekday: Int
    /// Seconds since midnight, by the time that held until then.
    var time: Int64

    /// The day and time in a year, as if the zone were UTC.
    func seconds(in year: Int) -> Int64 {
      let first = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
      // 1970-01-01 was a Thursday.
      let weekdayOfFirst = ((first + 4) % 7 + 7) % 7
      var day = (weekday - weekdayOfFirst + 7) % 7 + (week - 1) * 7
      if day >= CivilDate.length(ofMonth: month, year: year) { day -= 7 }
      return Int64(first + day) * 86_400 + time
    }
  }

  /// Seconds to add to the local time to come to UTC.
  private let standard: Int64
  private let summer: Int64
  private let begin: Change
  private let end: Change

  /// Reads a rule; `nil` if nothing changes, or by days of the year, which no zone of today does.
  package init?(_ text: String) {
    var scanner = TextScanner(text)
    guard scanner.takeZoneName(), let standard = scanner.takeOffset(), scanner.takeZoneName() else {
      return nil
    }
    self.standard = standard
    summer = scanner.takeOffset() ?? standard - 3_600
    guard scanner.take(","), let begin = Self.change(&scanner), scanner.take(","),
      let end = Self.change(&scanner), scanner.isAtEnd
    else { return nil }
    (self.begin, self.end) = (begin, end)
  }

  private static func change(_ scanner: inout TextScanner) -> Change? {
    guard scanner.take("M"), let month = Int(scanner.takeDigits()), 1...12 ~= month,
      scanner.take("."), let week = Int(scanner.takeDigits()), 1...5 ~= week,
      scanner.take("."), let weekday = Int(scanner.takeDigits()), 0...6 ~= weekday
    else { return nil }
    guard scanner.take("/") else {
      return Change(month: month, week: week, weekday: weekday, time: 7_200)
    }
    return scanner.takeOffset().map {
      Change(month: month, week: week, weekday: weekday, time: $0)
    }
  }

  /// The changes within a range, its ends included.
  package func changes(from first: WallInstant, to last: WallInstant) -> [WallInstant] {
    guard first <= last else { return [] }
    // A rule holds for as long as clocks count: no more years than that.
    let years = (first.year - 1)...(last.year + 1)
    return years.flatMap { year in
      [
        begin.seconds(in: year) + standard, end.seconds(in: year) + summer,
      ].map { WallInstant(seconds: $0) }
    }.filter { first <= $0 && $0 <= last }.sorted()
  }
}

extension WallInstant {
  /// The year, and at most the next or the last one.
  fileprivate var year: Int { Int(seconds / 31_556_952) + 1_970 }
}

extension TextScanner {
  /// Steps over the name of a zone: letters, or anything in angle brackets.
  fileprivate mutating func takeZoneName() -> Bool {
    if take("<") {
      _ = takeWhile { $0 != UInt8(ascii: ">") }
      return take(">")
    }
    return !takeLetters().isEmpty
  }

  /// Hours, with minutes and seconds if there are some, of either sign.
  fileprivate mutating func takeOffset() -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = Int64(takeDigits()) else { return nil }
    var seconds = hours * 3_600
    if take(":") { seconds += (Int64(takeDigits()) ?? 0) * 60 }
    if take(":") { seconds += Int64(takeDigits()) ?? 0 }
    return isNegative ? -seconds : seconds
  }
}
