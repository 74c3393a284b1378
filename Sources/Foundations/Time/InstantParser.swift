/// Reads one instant.
package struct InstantParser {
  private let text: String
  private let helpForPart: String?
  private var scanner: TextScanner

  init(text: String) {
    self.text = text
    helpForPart = nil
    scanner = TextScanner(text)
  }

  /// A parser of a part of an instant; messages show the whole, and `help` says what the part can be.
  init(text: String, from part: String, help: String) {
    self.text = text
    helpForPart = help
    scanner = TextScanner(part)
  }

  mutating func parse() throws(ValueGrammarError) -> WallInstant {
    if scanner.take("@") { return try inRange(parseUnixTime()) }
    let word = scanner.takeLetters()
    let date = word.isEmpty ? try parseNumericDate() : try parseSpelledDate(month: word)
    guard !scanner.isAtEnd else { return try instant(date, second: 0) }
    guard word.isEmpty ? scanner.take(anyOf: "T", "t", " ") : scanner.take(" ") else {
      throw malformed
    }
    let (second, nanoseconds) = try parseTimeOfDay()
    let offset = try parseZone()
    return try instant(date, second: second - offset, nanoseconds: nanoseconds)
  }

  /// `09:00`, and nothing behind it, as the time since midnight.
  mutating func parseTimeOfDayAlone() throws(ValueGrammarError) -> Nanoseconds {
    let (second, nanoseconds) = try parseTimeOfDay()
    guard scanner.isAtEnd else { throw malformed }
    return .seconds(Int64(second)) + Nanoseconds(nanoseconds)
  }

  // MARK: - Parts

  private mutating func parseUnixTime() throws(ValueGrammarError) -> WallInstant {
    let isNegative = scanner.take("-")
    let digits = scanner.takeDigits()
    guard !digits.isEmpty else { throw malformed }
    let nanoseconds = try parseFraction()
    guard scanner.isAtEnd else { throw malformed }
    guard let seconds = Int64(digits) else { throw outOfRange }
    return isNegative
      ? WallInstant(seconds: -seconds, nanoseconds: -nanoseconds)
      : WallInstant(seconds: seconds, nanoseconds: nanoseconds)
  }

  private mutating func parseNumericDate() throws(ValueGrammarError) -> CivilDate {
    let digits = scanner.takeDigits()
    guard scanner.take("-") else { throw malformed }
    guard digits.utf8.count <= 4 else { throw outOfRange }
    guard digits.utf8.count == 4, let year = Int(digits),
      let month = scanner.takeNumber(digits: 2), scanner.take("-"),
      let day = scanner.takeNumber(digits: 2)
    else {
      throw malformed
    }
    return try validated(year: year, month: month, day: day)
  }

  /// `12, 1955` behind the month's name.
  private mutating func parseSpelledDate(month word: String) throws(ValueGrammarError) -> CivilDate
  {
    let lowered = word.lowercased()
    let index = CivilDate.monthNames.firstIndex { name in
      name.lowercased() == lowered || name.lowercased().prefix(3) == lowered
    }
    guard let index else {
      if let question = Suggestion.question(for: word, in: CivilDate.monthNames) {
        throw ValueGrammarError(
          "unknown month \"\(word)\" in the instant \"\(text)\"",
          help: question)
      }
      throw malformed
    }
    guard scanner.take(" ") else { throw malformed }
    let digits = scanner.takeDigits()
    guard (1...2).contains(digits.utf8.count), let day = Int(digits), scanner.take(","),
      scanner.take(" "), let year = scanner.takeNumber(digits: 4)
    else {
      throw malformed
    }
    return try validated(year: year, month: index + 1, day: day)
  }

  private func validated(
    year: Int, month: Int, day: Int
  ) throws(ValueGrammarError) -> CivilDate {
    guard year >= 1 else { throw outOfRange }
    guard (1...12).contains(month) else {
      throw ValueGrammarError(
        "the instant \"\(text)\" has no month \(month)", help: "months go from 01 to 12")
    }
    let length = CivilDate.length(ofMonth: month, year: year)
    guard (1...length).contains(day) else {
      throw ValueGrammarError(
        "the instant \"\(text)\" has no day \(day)",
        help: "\(CivilDate.monthNames[month - 1]) \(year) has \(length) days")
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// `06:38`, `06:38:12`, `06:38:12.5`.
  private mutating func parseTimeOfDay() throws(ValueGrammarError) -> (Int, Int64) {
    guard let hour = scanner.takeNumber(digits: 2), scanner.take(":"),
      let minute = scanner.takeNumber(digits: 2)
    else {
      throw malformed
    }
    var second = 0
    var nanoseconds: Int64 = 0
    if scanner.take(":") {
      guard let number = scanner.takeNumber(digits: 2) else { throw malformed }
      second = number
      nanoseconds = try parseFraction()
    }
    guard hour < 24, minute < 60, second < 60 else {
      throw ValueGrammarError(
        "the instant \"\(text)\" has a time of day that does not exist",
        help: "times of day go from 00:00:00 to 23:59:59; POSIX clocks have no leap seconds")
    }
    return (hour * 3_600 + minute * 60 + second, nanoseconds)
  }

  /// `.5` as nanoseconds; 0 if there is no point.
  private mutating func parseFraction() throws(ValueGrammarError) -> Int64 {
    guard scanner.take(".") else { return 0 }
    let digits = scanner.takeDigits()
    guard !digits.isEmpty else { throw malformed }
    guard digits.utf8.count <= 9,
      let nanoseconds = Int64(digits + String(repeating: "0", count: 9 - digits.utf8.count))
    else {
      throw ValueGrammarError(
        "the instant \"\(text)\" is finer than a nanosecond",
        help: "write at most 9 digits behind the point")
    }
    return nanoseconds
  }

  /// The zone's offset from UTC in seconds; UTC if there is none.
  private mutating func parseZone() throws(ValueGrammarError) -> Int {
    if scanner.isAtEnd { return 0 }
    if scanner.take(anyOf: "Z", "z") {
      guard scanner.isAtEnd else { throw malformed }
      return 0
    }
    let isWest = scanner.current == UInt8(ascii: "-")
    guard scanner.take(anyOf: "+", "-"), let hours = scanner.takeNumber(digits: 2),
      scanner.take(":"), let minutes = scanner.takeNumber(digits: 2), scanner.isAtEnd
    else {
      throw malformed
    }
    guard hours < 24, minutes < 60 else {
      throw ValueGrammarError(
        "the instant \"\(text)\" has an offset that does not exist",
        help: "offsets go from -23:59 to +23:59")
    }
    return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
  }

  // MARK: - Results

  private func instant(
    _ date: CivilDate, second: Int, nanoseconds: Int64 = 0
  ) throws(ValueGrammarError) -> WallInstant {
    try inRange(
      WallInstant(
        seconds: Int64(date.daysSinceEpoch) * 86_400 + Int64(second), nanoseconds: nanoseconds))
  }

  private func inRange(_ instant: WallInstant) throws(ValueGrammarError) -> WallInstant {
    guard instant >= .earliest, instant <= .latest else { throw outOfRange }
    return instant
  }

  private var outOfRange: ValueGrammarError {
    ValueGrammarError(
      "the instant \"\(text)\" is outside the years 0001 to 9999",
      help: WallInstant.clockBounds)
  }

  private var malformed: ValueGrammarError {
    ValueGrammarError(
      "\"\(text)\" is not an instant", help: helpForPart ?? likelyMeant ?? Self.forms)
  }

  /// The forms that can be written, for the help of an error.
  package static let forms = """
    write RFC 3339 (1985-10-26T01:21:00Z), a date (1985-10-26), seconds since 1970 \
    (@499137660) or November 12, 1955 06:38
    """

  /// The fix where the text shows what is meant: a number alone, or a date without its zeros.
  private var likelyMeant: String? {
    guard let number = Int64(text) else { return unpadded.map { "write \($0)" } }
    let seconds = "write @\(number) for seconds since 1970"
    return text.utf8.count == 4 && number > 0 ? "\(seconds), or \(text)-01-01 for a day" : seconds
  }

  /// `2026-1-1` with the zeros that are missing.
  private var unpadded: String? {
    var scanner = TextScanner(text)
    let year = scanner.takeDigits()
    guard scanner.take("-") else { return nil }
    let month = scanner.takeDigits()
    guard scanner.take("-") else { return nil }
    let day = scanner.takeDigits()
    guard scanner.isAtEnd, (month + day).utf8.count < 4 else { return nil }
    let date = "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))"
    return (try? WallInstant(text: date)) == nil ? nil : date
  }
}
