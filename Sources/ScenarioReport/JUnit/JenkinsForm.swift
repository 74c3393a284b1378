internal import Foundations

/// JUnit XML that is valid against Jenkins' `junit-10.xsd`, the one schema that a consumer enforces.
///
/// The schema knows no location on a test case, at most three decimals in a suite's time, and four
/// attributes on the root; a report with anything else is dropped as a whole.
struct JenkinsForm: JUnitForm {
  /// True if cases have their `file` and `line`, which the schema does not allow.
  let showsPlaces: Bool

  func write(
    _ report: JUnitReport, to take: ([UInt8]) throws(ReportError) -> Void
  ) throws(ReportError) {
    let counts = JUnitCounts(report.suites.lazy.flatMap(\.cases))
    let attributes = [
      ("name", "scenario"), ("tests", "\(counts.tests)"), ("failures", "\(counts.failures)"),
      ("errors", "\(counts.errors)"), ("time", DurationText.seconds(report.duration)),
    ]
    try write(
      report, root: attributes,
      suiteAttributes: { suite, index in [("id", "\(index)"), ("file", suite.file)] }, to: take
    ) { suite, xml throws(ReportError) in
      for testCase in suite.cases {
        xml.write(testCase, level: 2, showsPlaces ? place(of: testCase) : [])
        try take(xml.takeBytes())
      }
    }
  }

  private func place(of testCase: JUnitReport.Case) -> [(String, String)] {
    [("file", testCase.range.file), ("line", "\(testCase.range.line)")]
  }
}
