/// JUnit XML as Maven Surefire's schema has it, of one suite; Jenkins' takes it as well.
///
/// The schema knows no root around suites, no host and no place, and has an order for all that stands
/// in a case.
struct SurefireForm: JUnitForm {
  func write(
    _ report: JUnitReport, to take: ([UInt8]) throws(ReportError) -> Void
  ) throws(ReportError) {
    guard let suite = report.suites.first else { return }
    let counts = suite.counts
    var xml = XMLText()
    xml.open(
      "testsuite",
      [
        ("name", suite.file), ("time", DurationText.seconds(suite.duration)),
        ("timestamp", suite.timestamp), ("tests", "\(counts.tests)"),
        ("errors", "\(counts.errors)"), ("skipped", "\(counts.skipped)"),
        ("failures", "\(counts.failures)"),
      ])
    xml.write(suite.properties, level: 1)
    for testCase in suite.cases {
      xml.write(testCase, level: 1)
      try take(xml.takeBytes())
    }
    xml.newLine(0)
    xml.close("testsuite")
    xml.newLine(0)
    try take(xml.takeBytes())
  }
}
