import Foundations
import Testing

@Suite("Time zones")
struct TimeZoneTests {
  private func instant(_ text: String) throws -> WallInstant {
    try InstantExpression.fixed(text: text)
  }

  @Test(
    "A rule of POSIX says when summer time begins and ends",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", ["2027-03-28T01:00:00Z", "2027-10-31T01:00:00Z"]),
      ("EST5EDT,M3.2.0,M11.1.0", ["2027-03-14T07:00:00Z", "2027-11-07T06:00:00Z"]),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", ["2027-04-03T16:00:00Z", "2027-10-02T16:00:00Z"]),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", ["2027-04-03T15:00:00Z", "2027-10-02T15:30:00Z"]),
    ])
  func rules(_ text: String, _ expected: [String]) throws {
    let rule = try #require(TimeZoneRule(text))
    let changes = rule.changes(
      from: try instant("2027-01-01"), to: try instant("2027-12-31"))

    #expect(changes == (try expected.map(instant)))
  }

  @Test(
    "What changes nothing is no rule",
    arguments: ["UTC", "CET-1", "CET-1CEST", "Europe/Berlin", ""])
  func noRule(_ text: String) { #expect(TimeZoneRule(text) == nil) }

  /// A file of version 2 with one listed change, one of the name only, and a rule behind them.
  private func file() -> [UInt8] {
    func number(_ value: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func header(times: Int64, types: Int64, characters: Int64) -> [UInt8] {
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        + [0, 0, 0, times, types, characters].flatMap { number($0, 4) }
    }
    let types = number(0, 4) + [0, 0] + number(3_600, 4) + [1, 0]
    return header(times: 0, types: 1, characters: 4) + number(0, 4) + [0, 0] + Array("ABC\0".utf8)
      + header(times: 2, types: 2, characters: 4)
      + number(1_000_000, 8) + number(2_000_000, 8) + [1, 1] + types + Array("ABC\0".utf8)
      + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
  }

  @Test("A file lists changes, and has a rule for what follows")
  func files() throws {
    let zone = try #require(TimeZoneFile(file()))

    #expect(
      zone.changes(from: .epoch, to: WallInstant(seconds: 3_000_000))
        == [WallInstant(seconds: 1_000_000)])
    #expect(
      zone.changes(from: try instant("2030-01-01"), to: try instant("2030-06-01"))
        == [try instant("2030-03-31T01:00:00Z")])
  }

  @Test("A file that is cut off is none, wherever it is cut", arguments: 0..<44)
  func cut(_ count: Int) {
    #expect(TimeZoneFile(Array(file().prefix(count))) == nil)
    #expect(TimeZoneFile(Array(file().prefix(60 + count))) == nil)
  }
}
