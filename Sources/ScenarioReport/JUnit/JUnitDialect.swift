/// The forms that JUnit XML has among its consumers.
package enum JUnitDialect: String, Sendable, Hashable, CaseIterable {
  /// Valid against Jenkins' `junit-10.xsd`, which most others read as well.
  case jenkins
  /// Valid against Apache Ant's schema and `junit-10.xsd`: outputs stand at the suite, retries nowhere.
  case ant
  /// Valid against Maven Surefire's schema and `junit-10.xsd`: one file per suite.
  case surefire
  /// Not valid against any schema: each case has its place, for viewers that show it.
  case extended

  /// The dialect for the system that an environment belongs to.
  ///
  /// GitLab, CircleCI and Buildkite read the place of a case; Bazel names Ant's schema, and says by
  /// `XML_OUTPUT_FILE` that it wants a report.
  package static func automatic(environment: [String: String]) -> JUnitDialect {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    if isSet("XML_OUTPUT_FILE"), isSet("BAZEL_TEST") || isSet("TEST_TARGET") { return .ant }
    return ["GITLAB_CI", "CIRCLECI", "BUILDKITE"].contains(where: isSet) ? .extended : .jenkins
  }

  /// True if a suite needs a file of its own.
  package var needsFolder: Bool { self == .surefire }

  var form: any JUnitForm {
    switch self {
    case .jenkins: JenkinsForm(showsPlaces: false)
    case .extended: JenkinsForm(showsPlaces: true)
    case .ant: AntForm()
    case .surefire: SurefireForm()
    }
  }
}

/// The form in which a dialect writes a report.
///
/// The document comes in pieces, a case each, so that it is never in memory as a whole.
protocol JUnitForm {
  /// Writes the whole document, in UTF-8.
  func write(
    _ report: JUnitReport, to take: ([UInt8]) throws(ReportError) -> Void
  ) throws(ReportError)
}

extension JUnitForm {
  /// Writes a root with all suites in it.
  ///
  /// - Parameters:
  ///   - attributes: those of the root.
  ///   - suiteAttributes: those of a suite that stand behind its name.
  ///   - take: is given the document piece by piece.
  ///   - write: writes what a suite holds behind its properties, at level 2.
  func write(
    _ report: JUnitReport, root attributes: [(String, String)],
    suiteAttributes: (JUnitReport.Suite, _ index: Int) -> [(String, String)],
    to take: ([UInt8]) throws(ReportError) -> Void,
    with write: (JUnitReport.Suite, inout XMLText) throws(ReportError) -> Void
  ) throws(ReportError) {
    var xml = XMLText()
    xml.open("testsuites", attributes)
    for (index, suite) in report.suites.enumerated() {
      let counts = suite.counts
      xml.newLine(1)
      xml.open(
        "testsuite",
        [("name", suite.file)]
          + suiteAttributes(suite, index) + [
            ("timestamp", suite.timestamp), ("hostname", suite.hostname),
            ("tests", "\(counts.tests)"), ("failures", "\(counts.failures)"),
            ("errors", "\(counts.errors)"), ("skipped", "\(counts.skipped)"),
            ("time", DurationText.seconds(suite.duration)),
          ])
      xml.write(suite.properties, level: 2)
      try write(suite, &xml)
      xml.newLine(1)
      xml.close("testsuite")
    }
    xml.newLine(0)
    xml.close("testsuites")
    xml.newLine(0)
    try take(xml.takeBytes())
  }

  /// Returns the number of bytes of the document.
  func size(of report: JUnitReport) -> Int {
    var size = 0
    // What only counts does not fail.
    try? write(report) { size += $0.count }
    return size
  }
}
