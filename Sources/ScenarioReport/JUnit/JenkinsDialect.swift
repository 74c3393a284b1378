/// JUnit XML that is valid against Jenkins' `junit-10.xsd`, the one schema that a consumer enforces.
///
/// The schema knows no location on a test case, at most three decimals in a suite's time, and four
/// attributes on the root; a report with anything else is dropped as a whole.
struct JenkinsDialect: JUnitDialect {
  func document(_ report: JUnitReport) -> [UInt8] {
    let counts = JUnitCounts(report.suites.flatMap(\.cases))
    var xml = XMLText()
    xml.open(
      "testsuites",
      [
        ("name", "scenario"),
        ("tests", "\(counts.tests)"),
        ("failures", "\(counts.failures)"),
        ("errors", "\(counts.errors)"),
        ("time", DurationText.seconds(report.duration)),
      ])
    for (index, suite) in report.suites.enumerated() {
      write(suite, index: index, to: &xml)
    }
    xml.newLine(0)
    xml.close("testsuites")
    xml.newLine(0)
    return xml.bytes
  }

  private func write(_ suite: JUnitReport.Suite, index: Int, to xml: inout XMLText) {
    let counts = suite.counts
    xml.newLine(1)
    xml.open(
      "testsuite",
      [
        ("name", suite.file),
        ("id", "\(index)"),
        ("file", suite.file),
        ("timestamp", suite.timestamp),
        ("hostname", suite.hostname),
        ("tests", "\(counts.tests)"),
        ("failures", "\(counts.failures)"),
        ("errors", "\(counts.errors)"),
        ("skipped", "\(counts.skipped)"),
        ("time", DurationText.seconds(suite.duration)),
      ])
    xml.newLine(2)
    xml.open("properties")
    for property in suite.properties {
      xml.newLine(3)
      xml.empty("property", [("name", property.name), ("value", property.value)])
    }
    xml.newLine(2)
    xml.close("properties")
    for testCase in suite.cases {
      write(testCase, to: &xml)
    }
    xml.newLine(1)
    xml.close("testsuite")
  }

  private func write(_ testCase: JUnitReport.Case, to xml: inout XMLText) {
    xml.newLine(2)
    xml.open(
      "testcase",
      [
        ("name", testCase.name),
        ("classname", testCase.className),
        ("time", DurationText.seconds(testCase.duration)),
      ])
    switch testCase.verdict {
    case .passed:
      break
    case .skipped(let message):
      xml.newLine(3)
      xml.empty("skipped", [("message", message)])
    case .failure(let message, let type, let body):
      xml.newLine(3)
      xml.element("failure", [("message", message), ("type", type)], text: body)
    case .error(let message, let type, let body):
      xml.newLine(3)
      xml.element("error", [("message", message), ("type", type)], text: body)
    }
    write(testCase.standardOutput, as: "system-out", to: &xml)
    write(testCase.standardError, as: "system-err", to: &xml)
    xml.newLine(2)
    xml.close("testcase")
  }

  private func write(_ stream: String, as name: String, to xml: inout XMLText) {
    guard !stream.isEmpty else { return }
    xml.newLine(3)
    xml.element(name, text: stream)
  }
}
