internal import Foundations

/// The content of a JUnit report, before a dialect decides its form.
struct JUnitReport {
  /// One suite per scenario file, in the order in which the files began.
  var suites: [Suite] = []
  /// Real time of the whole run.
  var duration: Nanoseconds = .zero

  /// The cases of one scenario file.
  struct Suite {
    /// The file's path.
    let file: String
    /// The beginning of its first case, as `YYYY-MM-DDTHH:MM:SS` in UTC.
    let timestamp: String
    /// The machine's name.
    let hostname: String
    /// Names and values that hold for the whole suite.
    let properties: [(name: String, value: String)]
    /// The cases in the plan's order.
    var cases: [Case] = []

    /// The class name of its cases.
    var className: String { JUnitNames.className(file: file) }
  }

  /// One case.
  struct Case {
    /// Unique among the cases of one class name.
    let name: String
    /// The path of the file as consumers group by it: without extension, `/` as `.`.
    let className: String
    /// The place of the case's beginning, for the dialects that have a place for it.
    let range: SourceRange
    /// Real time that it took, all attempts together.
    let duration: Nanoseconds
    /// The verdict.
    let verdict: Verdict
    /// Standard output, with what the case has left behind it.
    let standardOutput: JUnitStream
    /// Standard error, with the case's warnings before it.
    let standardError: JUnitStream
    /// The attempts that are not covered by `verdict` and the streams, in order.
    var otherAttempts: [Attempt] = []

    /// True if it held in the end.
    var hasPassed: Bool { if case .passed = verdict { true } else { false } }
  }

  /// An attempt at a case that did not decide.
  struct Attempt {
    /// The reason why it did not hold.
    let news: BadNews
    /// Standard output.
    let standardOutput: JUnitStream
    /// Standard error.
    let standardError: JUnitStream
  }

  /// The reason why something did not hold.
  struct BadNews {
    /// The message in one line.
    let message: String
    /// A dotted or capitalised word for machines.
    let type: String
    /// The complete text.
    let body: String
  }

  /// The verdict on a case; each failure is reported in exactly one element.
  enum Verdict {
    case passed
    case skipped(message: String)
    case failure(BadNews)
    case error(BadNews)
  }
}

/// One stream of a case in a report; the text is made when it is written.
struct JUnitStream {
  /// The text before it.
  var introduction = ""
  /// The output, as far as it is kept.
  var printed: BoundedText?
  /// The place where the whole of it may be read.
  var place: String?
  /// Lines behind it, each alone.
  var lastLines: [String] = []

  /// The complete text of the stream.
  var text: String {
    let text = introduction + (printed?.text(fullTextIn: place) ?? "")
    guard !lastLines.isEmpty else { return text }
    let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    return text + separator + lastLines.map { "\($0)\n" }.joined()
  }
}

extension JUnitReport.Suite {
  /// The number of cases of each kind.
  var counts: JUnitCounts { JUnitCounts(cases) }

  /// Real time of all cases together.
  var duration: Nanoseconds { cases.reduce(.zero) { $0 + max(.zero, $1.duration) } }
}

/// The number of cases of each kind.
struct JUnitCounts {
  private(set) var tests = 0
  private(set) var failures = 0
  private(set) var errors = 0
  private(set) var skipped = 0

  init(_ cases: some Sequence<JUnitReport.Case>) {
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
