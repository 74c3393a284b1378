@testable import Foundations
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
  @Test("Each day of ten thousand years has one date, and the date that day")
  func days() {
    let first = CivilDate(year: 1, month: 1, day: 1).daysSinceEpoch
    let last = CivilDate(year: 9_999, month: 12, day: 31).daysSinceEpoch
    // A step that has no divisor in common with any period of the calendar.
    for day in stride(from: first, through: last, by: 37) {
      #expect(CivilDate(daysSinceEpoch: day).daysSinceEpoch == day)
    }
    #expect(CivilDate(daysSinceEpoch: first) == CivilDate(year: 1, month: 1, day: 1))
    #expect(CivilDate(daysSinceEpoch: last) == CivilDate(year: 9_999, month: 12, day: 31))
    #expect(CivilDate(daysSinceEpoch: 11_016) == CivilDate(year: 2_000, month: 2, day: 29))
    #expect(CivilDate(daysSinceEpoch: first - 1) == CivilDate(year: 0, month: 12, day: 31))
    #expect(CivilDate(daysSinceEpoch: first - 366) == CivilDate(year: 0, month: 1, day: 1))
  }
}
