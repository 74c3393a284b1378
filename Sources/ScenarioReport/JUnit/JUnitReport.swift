internal import ScenarioModel

/// What a JUnit report says, before a dialect decides how.
struct JUnitReport {
  /// One suite per scenario file, in the order in which the files began.
  var suites: [Suite] = []
  /// Real time of the whole run.
  var duration: Nanoseconds = .zero

  /// The cases of one scenario file.
  struct Suite {
    /// The file's path.
    let file: String
    /// When its first case began, as `YYYY-MM-DDTHH:MM:SS` in UTC.
    let timestamp: String
    /// The machine's name.
    let hostname: String
    /// Names and values that hold for the whole suite.
    let properties: [(name: String, value: String)]
    /// The cases in the order in which they began.
    var cases: [Case] = []
  }

  /// One case.
  struct Case {
    /// Unique among the cases of one class name.
    let name: String
    /// The path of the file as consumers group by it: without extension, `/` as `.`.
    let className: String
    /// Where the case begins, for the dialects that have a place for it.
    let range: SourceRange
    /// Real time that it took.
    let duration: Nanoseconds
    /// How it ended.
    let verdict: Verdict
    /// Standard output.
    let standardOutput: String
    /// Standard error.
    let standardError: String
  }

  /// How a case ended; bad news is told in exactly one element.
  enum Verdict {
    case passed
    case skipped(message: String)
    case failure(message: String, type: String, body: String)
    case error(message: String, type: String, body: String)
  }
}

extension JUnitReport.Suite {
  /// How many cases there are of each kind.
  var counts: JUnitCounts { JUnitCounts(cases) }

  /// Real time of all cases together.
  var duration: Nanoseconds { cases.reduce(.zero) { $0 + max(.zero, $1.duration) } }
}

/// How many cases there are of each kind.
struct JUnitCounts {
  private(set) var tests = 0
  private(set) var failures = 0
  private(set) var errors = 0
  private(set) var skipped = 0

  init(_ cases: [JUnitReport.Case]) {
    for testCase in cases {
      tests += 1
      switch testCase.verdict {
      case .passed: break
      case .skipped: skipped += 1
      case .failure: failures += 1
      case .error: errors += 1
      }
    }
  }
}
