import Foundations
import Testing

@testable import ScenarioReport

@Suite("Times in reports")
struct DurationTextTests {
  @Test(
    "Seconds have three decimals and are never negative",
    arguments: [
      (0, "0.000"), (31_000_000, "0.031"), (1_499_999, "0.001"), (1_500_000, "0.002"),
      (-5, "0.000"), (3_661_000_000_000, "3661.000"), (Int64.max, "9223372036.854"),
    ])
  func seconds(count: Int64, expected: String) {
    #expect(DurationText.seconds(Nanoseconds(count)) == expected)
  }

  @Test(
    "Timestamps are UTC without zone and fraction",
    arguments: [
      (0, 0, "1970-01-01T00:00:00"), (1_767_323_045, 999_999_999, "2026-01-02T03:04:05"),
      (-1, 0, "1969-12-31T23:59:59"), (Int64.max, 0, "9999-12-31T23:59:59"),
      (Int64.min, 0, "0001-01-01T00:00:00"),
    ])
  func timestamps(seconds: Int64, nanoseconds: Int64, expected: String) {
    let instant = WallInstant(seconds: seconds, nanoseconds: nanoseconds)
    #expect(Timestamp.text(instant) == expected)
  }
}
