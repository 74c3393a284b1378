internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan

/// The date at which cases that were run at several dates begin to fail.
struct DateSearch {
  private let cases: [PlannedCase]
  /// True for each case that has passed, by its identifier.
  private var outcomes: [String: Bool] = [:]

  /// - Parameter cases: those of the run; the ones without a date are left out.
  init(_ cases: [PlannedCase]) {
    self.cases = cases.filter { $0.date != nil && $0.repetition == nil }
  }

  /// Records how a case has ended.
  mutating func record(_ event: Event) {
    guard !cases.isEmpty, case .caseFinished(let result) = event.kind,
      let scenario = event.scenario,
      result.isRetried != true
    else { return }
    outcomes[scenario] = result.outcome == .skipped ? nil : result.outcome == .passed
  }

  /// The gap of each case that fails at some date: the first such date and the last one before at
  /// which it passes.
  var gaps: [DateGap] {
    var gaps: [DateGap] = []
    var seen: Set<String> = []
    var passed: [String: WallInstant] = [:]
    for planned in cases.sorted(by: { ($0.date ?? .epoch) < ($1.date ?? .epoch) }) {
      let name = planned.undatedIdentifier
      guard let date = planned.date, !seen.contains(name) else { continue }
      switch outcomes[planned.identifier] {
      case true?: passed[name] = date
      case false?:
        seen.insert(name)
        gaps.append(DateGap(failing: planned, failure: date, success: passed[name]))
      case nil: break
      }
    }
    return gaps
  }
}

/// A case, a date at which it fails, and an earlier one at which it passes.
struct DateGap {
  /// The case at the date at which it fails.
  let failing: PlannedCase
  /// The earliest date known at which it fails.
  private(set) var failure: WallInstant
  /// The latest date before at which it passes; `nil` if none is known.
  private(set) var success: WallInstant?
  /// True if a case between the two could not be run.
  private(set) var isUnfinished = false

  init(failing: PlannedCase, failure: WallInstant, success: WallInstant?) {
    self.failing = failing
    self.failure = failure
    self.success = success
  }

  /// The instant in the middle, in whole seconds; `nil` if the two are no more than a second apart.
  var middle: WallInstant? {
    guard let success else { return nil }
    let (seconds, overflow) = failure.seconds.subtractingReportingOverflow(success.seconds)
    guard !overflow, seconds > 1 else { return nil }
    return WallInstant(
      seconds: success.seconds + seconds / 2, nanoseconds: Int64(success.nanoseconds))
  }

  /// The same with a second between the two.
  ///
  /// - Parameter passes: whether the case passes at a date; `nil` if that cannot be found out.
  func bisected(passes: (WallInstant) -> Bool?) -> DateGap {
    var gap = self
    while let middle = gap.middle {
      switch passes(middle) {
      case true?: gap.success = middle
      case false?: gap.failure = middle
      case nil:
        gap.isUnfinished = true
        return gap
      }
    }
    return gap
  }

  /// The message about it.
  var text: String {
    let name = failing.undatedName
    guard let success else {
      return "\"\(name)\" fails at \(failure), the first date tried; \(command)"
    }
    let between = isUnfinished ? ", but the dates between were not tried" : ""
    return "\"\(name)\" passes at \(success) and first fails at \(failure)\(between); \(command)"
  }

  private var command: String {
    "to reproduce it: scenario run \(failing.file):\(failing.range.line) --dates \(failure)"
  }
}
