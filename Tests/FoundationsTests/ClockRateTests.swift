@testable import Foundations
import Testing

@Suite struct ClockRateTests {
  @Test(
    "Rates are read and written as authors write them",
    arguments: [
      ("x1", 1_000_000_000, "x1"), ("x60", 60_000_000_000, "x60"), ("x0.5", 500_000_000, "x0.5"),
      ("x1000000", 1_000_000_000_000_000, "x1000000"), ("x0.000001", 1_000, "x0.000001"),
      ("x2.50", 2_500_000_000, "x2.5"), ("x1.000000001", 1_000_000_001, "x1.000000001"),
      ("x007", 7_000_000_000, "x7"),
    ])
  func reads(text: String, billionths: Int64, written: String) throws {
    let rate = try ClockRate(text: text)

    #expect(rate.billionths == billionths)
    #expect(rate.description == written)
  }

  @Test(
    "What is no rate is an error with the fix",
    arguments: [
      ("60", "\"60\" is not a rate", "write \"x60\""),
      ("2x", "\"2x\" is not a rate", "write \"x2\""),
      ("0.5", "\"0.5\" is not a rate", "write \"x0.5\""),
      (
        "fast", "\"fast\" is not a rate",
        "write x and a number, such as x60 for a minute in each second, or x0.5 for half as fast"
      ),
      (
        "x1e3", "\"x1e3\" is not a rate",
        "write x and a number, such as x60 for a minute in each second, or x0.5 for half as fast"
      ),
      (
        "x0", "the rate \"x0\" lets no time pass",
        "to hold the clocks write \"freeze:\" in place of \"rate:\""
      ),
      (
        "x-2", "the rate \"x-2\" would let time pass backwards",
        "to put the wall clock back write a step \"jump: -1h\" or \"travel:\""
      ),
      (
        "x1000001", "the rate \"x1000001\" is out of range",
        "rates go from x0.000001 to x1000000"
      ),
      (
        "x0.0000009", "the rate \"x0.0000009\" is out of range",
        "rates go from x0.000001 to x1000000"
      ),
      (
        "x99999999999999999999", "the rate \"x99999999999999999999\" is out of range",
        "rates go from x0.000001 to x1000000"
      ),
      (
        "x1.0000000001", "the rate \"x1.0000000001\" is finer than a billionth",
        "write at most 9 digits behind the point"
      ),
    ])
  func refuses(text: String, message: String, help: String) {
    let error = #expect(throws: ValueGrammarError.self) { try ClockRate(text: text) }
    #expect(error == ValueGrammarError(message, help: help))
  }

  @Test("Time flows by the rate, to the nanosecond where the rate is a whole number")
  func flows() throws {
    let fast = try ClockRate(text: "x1000")
    let slow = try ClockRate(text: "x0.5")

    #expect(fast.flowed(in: .milliseconds(60)).length == .seconds(60))
    #expect(slow.flowed(in: Nanoseconds(3)) == .init(length: Nanoseconds(1), fraction: 1 << 31))
    #expect(ClockRate.one.flowed(in: .seconds(7)).length == .seconds(7))
    #expect(fast.flowed(in: Nanoseconds(-1)).length == .zero)
  }

  @Test("Time that flows beyond what clocks can count ends there")
  func saturates() {
    #expect(ClockRate.fastest.flowed(in: .forever).length == .forever)
    #expect(ClockRate.fastest.flowed(in: .seconds(10_000)).length == .forever)
    #expect(ClockRate.one.flowed(in: .forever).length == .forever)
    #expect(ClockRate.slowest.realTime(for: .forever) == .forever)
  }

  @Test(
    "Any way to cut a stretch of real time gives the same virtual time",
    arguments: ["x0.000001", "x0.333333333", "x1", "x59.94", "x1000000"])
  func addsUp(text: String) throws {
    let rate = try ClockRate(text: text)
    var sum = Nanoseconds.zero
    var fraction: UInt32 = 0
    var real = Nanoseconds.zero
    for step in 1...1_000 {
      let piece = Nanoseconds(Int64(step * step % 7_919))
      let flowed = rate.flowed(in: piece, after: fraction)
      real += piece
      sum += flowed.length
      fraction = flowed.fraction
    }

    #expect(rate.flowed(in: real) == .init(length: sum, fraction: fraction))
  }

  @Test(
    "The real time for a length of virtual time is the shortest one that is long enough",
    arguments: ["x0.000001", "x0.333333333", "x1", "x60", "x1000000"])
  func inverts(text: String) throws {
    let rate = try ClockRate(text: text)
    for count: Int64 in [1, 2, 999, 1_000_000, 60_000_000_007] {
      let real = rate.realTime(for: Nanoseconds(count))
      #expect(rate.flowed(in: real).length >= Nanoseconds(count))
      #expect(rate.flowed(in: real - Nanoseconds(1)).length < Nanoseconds(count))
    }
    #expect(rate.realTime(for: Nanoseconds(-5)) == .zero)
  }
}

@Suite struct RelativeDayTests {
  /// A Wednesday.
  private let now = WallInstant(seconds: 1_772_622_000)

  @Test(
    "A day is seen from the current one, in UTC",
    arguments: [
      ("today", "2026-03-04T00:00:00Z"), ("today 17:30", "2026-03-04T17:30:00Z"),
      ("tomorrow 09:00", "2026-03-05T09:00:00Z"), ("yesterday", "2026-03-03T00:00:00Z"),
      ("Monday 09:00", "2026-03-09T09:00:00Z"), ("thursday", "2026-03-05T00:00:00Z"),
      ("sunday 23:59:59.5", "2026-03-08T23:59:59.5Z"),
      ("wednesday 11:00:01", "2026-03-04T11:00:01Z"), ("wednesday 11:00", "2026-03-11T11:00:00Z"),
      ("wednesday", "2026-03-11T00:00:00Z"),
    ])
  func reads(text: String, meant: String) throws {
    #expect(now.description == "2026-03-04T11:00:00Z")
    #expect(try InstantExpression(text: text).instant(at: now).description == meant)
  }

  @Test("Days are counted on both sides of the epoch")
  func countsBeforeTheEpoch() throws {
    let sunday = try WallInstant(text: "1955-11-13T23:00:00Z")
    let tomorrow = try InstantExpression(text: "tomorrow")
    let monday = try InstantExpression(text: "monday")

    #expect(tomorrow.instant(at: sunday).description == "1955-11-14T00:00:00Z")
    #expect(monday.instant(at: sunday) == tomorrow.instant(at: sunday))
  }

  @Test(
    "What is no day is an error with the fix",
    arguments: [
      (
        "tomorow 09:00", "unknown day \"tomorow\" in the instant \"tomorow 09:00\"",
        "did you mean \"tomorrow\"?"
      ),
      (
        "today 25:00", "the instant \"today 25:00\" has a time of day that does not exist",
        "times of day go from 00:00:00 to 23:59:59; POSIX clocks have no leap seconds"
      ),
    ])
  func refuses(text: String, message: String, help: String) {
    let error = #expect(throws: ValueGrammarError.self) { try InstantExpression(text: text) }
    #expect(error == ValueGrammarError(message, help: help))
  }

  @Test(
    "Days of other shapes are refused",
    arguments: ["tomorrow 9", "tomorrow  09:00", "monday 09:00Z", "next monday", "noon"])
  func refusesShapes(text: String) {
    #expect(throws: ValueGrammarError.self) { try InstantExpression(text: text) }
  }
}
