internal import ScenarioEvents

/// The largest amount of captured text in a JUnit report.
struct JUnitBudget {
  /// GitLab refuses larger files, and it is the strictest of the known consumers.
  static let maximumFileSize = 30_000_000

  /// The number of bytes of one stream that are kept.
  private(set) var limit = 1_048_576
  /// True if the limit is lower than it was at first.
  private(set) var wasLowered = false

  /// Halves the limit; false if there is nothing left to halve.
  mutating func lower() -> Bool {
    guard limit > 0 else { return false }
    limit /= 2
    wasLowered = true
    return true
  }
}

/// The output of one case, cleaned and as far as it is kept.
struct CapturedStreams {
  private(set) var standardOutput: BoundedText
  private(set) var standardError: BoundedText

  init(_ result: CaseResult, limit: Int) {
    standardOutput = BoundedText(ReportText.cleaned(result.standardOutput), limit: limit)
    standardError = BoundedText(ReportText.cleaned(result.standardError), limit: limit)
  }

  /// The number of bytes that are kept.
  var count: Int { standardOutput.count + standardError.count }

  mutating func shrink(to limit: Int) {
    standardOutput.shrink(to: limit)
    standardError.shrink(to: limit)
  }
}
