import Foundations
@testable import ScenarioPlan
import Testing

@Suite("How exactly measured lengths of time are compared")
struct DurationPrecisionTests {
  private func matcher(_ condition: PlannedMatcher.Condition) -> PlannedMatcher {
    PlannedMatcher(condition, at: SourceRange(file: "", line: 1, column: 1))
  }

  private func equals(_ text: String) -> PlannedMatcher {
    matcher(.equals(.value(.string(text))))
  }

  @Test(
    "A condition is compared in the unit in which it is written, and in milliseconds at least",
    arguments: [
      ("1d", DurationPrecision.milliseconds), ("1500ms", .milliseconds), ("0s", .milliseconds),
      ("1500us", .microseconds), ("1.0000001s", .nanoseconds), ("5ns", .nanoseconds),
    ])
  func unit(text: String, expected: DurationPrecision) {
    #expect(DurationPrecision(of: equals(text)) == expected)
    #expect(DurationPrecision(of: matcher(.not(equals(text)))) == expected)
    let range = matcher(.between(.value(.string("1s")), .value(.string(text))))
    #expect(DurationPrecision(of: matcher(.allOf([equals("1s"), range]))) == expected)
  }

  @Test(
    "A length is rounded to the nearest unit",
    arguments: [
      (DurationPrecision.milliseconds, 1_000_000_001, 1_000_000_000),
      (.milliseconds, 999_500_000, 1_000_000_000), (.milliseconds, 999_499_999, 999_000_000),
      (.microseconds, 1_499, 1_000), (.microseconds, 1_500, 2_000), (.nanoseconds, 1_499, 1_499),
      (.milliseconds, .max, .max / 1_000_000 * 1_000_000),
    ] as [(DurationPrecision, Int64, Int64)])
  func rounding(precision: DurationPrecision, length: Int64, expected: Int64) {
    #expect(precision.rounded(Nanoseconds(length)) == Nanoseconds(expected))
  }

  @Test("Instants are the same within half of the unit in which one is written")
  func instants() {
    let noon = WallInstant(seconds: 1_000)
    let later = WallInstant(seconds: 1_000, nanoseconds: 499_999)
    let fine = WallInstant(seconds: 1_000, nanoseconds: 1)

    #expect(DurationPrecision(of: noon).isSame(later, noon))
    #expect(DurationPrecision(of: noon).isSame(noon, later))
    #expect(!DurationPrecision(of: noon).isSame(noon + .milliseconds(1), noon))
    #expect(DurationPrecision(of: fine).isSame(fine, fine))
    #expect(!DurationPrecision(of: fine).isSame(noon, fine))
  }
}
