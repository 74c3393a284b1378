import Foundations
import Testing

@Suite struct DurationTextTests {
  @Test(
    "Durations are read and written",
    arguments: [
      ("250ms", 250_000_000, "250ms"), ("3s", 3_000_000_000, "3s"),
      ("1h30m", 5_400_000_000_000, "1h30m"), ("14d", 1_209_600_000_000_000, "14d"),
      ("2w", 1_209_600_000_000_000, "14d"), ("1.5s", 1_500_000_000, "1.5s"),
      ("90s", 90_000_000_000, "1m30s"), ("-1d", -86_400_000_000_000, "-1d"), ("0s", 0, "0s"),
      ("7us", 7_000, "7us"), ("7µs", 7_000, "7us"), ("1ns", 1, "1ns"),
      ("1.5h", 5_400_000_000_000, "1h30m"),
      ("1500us", 1_500_000, "1.5ms"), ("1m0.000000001s", 60_000_000_001, "1m0.000000001s"),
      ("0.1d", 8_640_000_000_000, "2h24m"),
    ] as [(String, Int64, String)])
  func reads(text: String, count: Int64, written: String) throws {
    let duration = try Nanoseconds(text: text)

    #expect(duration.count == count)
    #expect(duration.description == written)
  }

  @Test("Lengths without a text of their own are written all the same")
  func writesExtremes() {
    #expect(Nanoseconds.forever.description == "forever")
    #expect(Nanoseconds(.min).description == "-106751d23h47m16.854775808s")
  }

  @Test(
    "What is no duration is an error with the fix",
    arguments: [
      (
        "30", "the duration \"30\" has no unit",
        "write \"30s\" for seconds or \"30ms\" for milliseconds"
      ),
      ("", "\"\" is not a duration", "write numbers with units, such as 250ms, 3s, 1h30m or 14d"),
      (
        "soon", "\"soon\" is not a duration",
        "write numbers with units, such as 250ms, 3s, 1h30m or 14d"
      ),
      ("1:30", "\"1:30\" is not a duration", "write \"1m30s\" or \"1h30m\""),
      (
        "3 s", "\"3 s\" is not a duration", "write 3s"
      ),
      (
        "3sec", "unknown unit \"sec\" in the duration \"3sec\"",
        "write s for seconds; the units are w, d, h, m, s, ms, us, ns"
      ),
      (
        "30m1h", "the units of the duration \"30m1h\" are out of order",
        "write each unit once, from long to short, as in \"1h30m\""
      ),
      (
        "1s1s", "the units of the duration \"1s1s\" are out of order",
        "write each unit once, from long to short, as in \"1h30m\""
      ),
      (
        "1.5h3m", "\"1.5h3m\" is not a duration",
        "write numbers with units, such as 250ms, 3s, 1h30m or 14d"
      ),
      (
        "1.s", "\"1.s\" is not a duration",
        "write numbers with units, such as 250ms, 3s, 1h30m or 14d"
      ),
      (
        "1.5ns", "the duration \"1.5ns\" is finer than a nanosecond",
        "write fewer digits behind the point"
      ),
      ("1h 30m", "\"1h 30m\" is not a duration", "write 1h30m"),
      ("+1h", "\"+1h\" is not a duration", "write 1h"),
      (
        "2min", "unknown unit \"min\" in the duration \"2min\"",
        "write m for minutes; the units are w, d, h, m, s, ms, us, ns"
      ),
      (
        "1y", "unknown unit \"y\" in the duration \"1y\"",
        "write 365d for a year; the units are w, d, h, m, s, ms, us, ns"
      ),
      (
        "2026-01-01", "\"2026-01-01\" is an instant, not a duration",
        "write numbers with units, such as 250ms, 3s, 1h30m or 14d; the step \"travel:\" goes to an instant"
      ),
      ("300000d", "the duration \"300000d\" is too long", "the longest duration is 292 years"),
      (
        "99999999999999999999s", "the duration \"99999999999999999999s\" is too long",
        "the longest duration is 292 years"
      ),
    ])
  func refuses(text: String, message: String, help: String) {
    let error = #expect(throws: ValueGrammarError.self) { try Nanoseconds(text: text) }
    #expect(error == ValueGrammarError(message, help: help))
  }
}

/// What clocks can show, as a help says it.
private let clockBounds = """
  clocks count nanoseconds from 1970 in 64 bits, which lasts from \
  1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z
  """

@Suite struct InstantTextTests {
  @Test(
    "Instants are read in every form, and written as RFC 3339",
    arguments: [
      ("1955-11-12T06:38:00Z", "1955-11-12T06:38:00Z"),
      ("1955-11-12T06:38:00-07:00", "1955-11-12T13:38:00Z"),
      ("1955-11-12 06:38:00.250+01:30", "1955-11-12T05:08:00.25Z"),
      ("1955-11-12t06:38:00z", "1955-11-12T06:38:00Z"),
      ("1955-11-12T06:38", "1955-11-12T06:38:00Z"),
      ("1955-11-12", "1955-11-12T00:00:00Z"),
      ("November 12, 1955 06:38", "1955-11-12T06:38:00Z"),
      ("Nov 2, 1955", "1955-11-02T00:00:00Z"),
      ("@0", "1970-01-01T00:00:00Z"),
      ("@-1.5", "1969-12-31T23:59:58.5Z"),
      ("@1700000000.000000001", "2023-11-14T22:13:20.000000001Z"),
      ("2024-02-29", "2024-02-29T00:00:00Z"), ("2000-02-29", "2000-02-29T00:00:00Z"),
      ("0001-01-01", "0001-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ])
  func reads(text: String, written: String) throws {
    #expect(try WallInstant(text: text).description == written)
  }

  @Test("Every day of 400 years is the day after the one before")
  func countsDays() throws {
    var instant = try WallInstant(text: "1799-12-31")
    var previous = ""
    for _ in 0..<146_097 {
      instant = instant + .seconds(86_400)
      let text = instant.description
      #expect(text > previous)
      #expect(try WallInstant(text: text) == instant)
      previous = text
    }
    #expect(previous == "2199-12-31T00:00:00Z")
  }

  @Test("An instant beyond the calendar is written in seconds")
  func writesBeyondTheCalendar() {
    #expect(WallInstant(seconds: 253_402_300_800).description == "@253402300800")
    #expect(WallInstant(seconds: .min).description == "@-9223372036854775808")
  }

  @Test(
    "What is no instant is an error with the fix",
    arguments: [
      ("2026-02-29", "the instant \"2026-02-29\" has no day 29", "February 2026 has 28 days"),
      ("1900-02-29", "the instant \"1900-02-29\" has no day 29", "February 1900 has 28 days"),
      ("2026-13-01", "the instant \"2026-13-01\" has no month 13", "months go from 01 to 12"),
      (
        "2026-01-01T24:00",
        "the instant \"2026-01-01T24:00\" has a time of day that does not exist",
        "times of day go from 00:00:00 to 23:59:59; POSIX clocks have no leap seconds"
      ),
      (
        "2016-12-31T23:59:60Z",
        "the instant \"2016-12-31T23:59:60Z\" has a time of day that does not exist",
        "times of day go from 00:00:00 to 23:59:59; POSIX clocks have no leap seconds"
      ),
      (
        "2026-01-01T00:00:00+25:00",
        "the instant \"2026-01-01T00:00:00+25:00\" has an offset that does not exist",
        "offsets go from -23:59 to +23:59"
      ),
      (
        "0000-01-01", "the instant \"0000-01-01\" is outside the years 0001 to 9999",
        clockBounds
      ),
      (
        "0001-01-01T00:00:00+01:00",
        "the instant \"0001-01-01T00:00:00+01:00\" is outside the years 0001 to 9999",
        clockBounds
      ),
      (
        "12026-01-01", "the instant \"12026-01-01\" is outside the years 0001 to 9999", clockBounds
      ),
      ("2026-1-1", "\"2026-1-1\" is not an instant", "write 2026-01-01"),
      (
        "1955", "\"1955\" is not an instant",
        "write @1955 for seconds since 1970, or 1955-01-01 for a day"
      ),
      (
        "499137660", "\"499137660\" is not an instant",
        "write @499137660 for seconds since 1970"
      ),
      (
        "@99999999999999", "the instant \"@99999999999999\" is outside the years 0001 to 9999",
        clockBounds
      ),
      (
        "2026-01-01T00:00:00.1234567890Z",
        "the instant \"2026-01-01T00:00:00.1234567890Z\" is finer than a nanosecond",
        "write at most 9 digits behind the point"
      ),
      (
        "Novembre 12, 1955", "unknown month \"Novembre\" in the instant \"Novembre 12, 1955\"",
        "did you mean \"November\"?"
      ),
    ])
  func refuses(text: String, message: String, help: String) {
    let error = #expect(throws: ValueGrammarError.self) { try WallInstant(text: text) }
    #expect(error == ValueGrammarError(message, help: help))
  }

  @Test(
    "Texts of other shapes are refused",
    arguments: [
      "", "now", "1955", "1955-11", "55-11-12", "1955-11-12T", "1955-11-12T06",
      "1955-11-12T06:38Zjunk",
      "12.11.1955", "November 12 1955", "@", "@1.", "@1x", "+1955-11-12",
      "1955-11-12T06:38:00+0100",
    ])
  func refusesShapes(text: String) {
    #expect(throws: ValueGrammarError.self) { try WallInstant(text: text) }
  }

  @Test("A signed duration is a shift, a bare one an error")
  func readsShifts() throws {
    #expect(try InstantExpression(text: "+14d") == .shift(.seconds(14 * 86_400)))
    #expect(try InstantExpression(text: "-1d") == .shift(.seconds(-86_400)))
    #expect(try InstantExpression(text: "@5") == .absolute(WallInstant(seconds: 5)))

    let error = #expect(throws: ValueGrammarError.self) { try InstantExpression(text: "14d") }
    #expect(error?.help == "write \"+14d\" for a shift from the current virtual time")
    #expect(throws: ValueGrammarError.self) { try InstantExpression(text: "+-1d") }
  }
}
