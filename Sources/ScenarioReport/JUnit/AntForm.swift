/// JUnit XML as Apache Ant's schema has it, which Azure and Bazel name; Jenkins' takes it as well.
///
/// The root has no attributes, a case has no output of its own and no word about other attempts, and
/// every suite has properties and both outputs, be they empty.
struct AntForm: JUnitForm {
  func write(
    _ report: JUnitReport, to take: ([UInt8]) throws(ReportError) -> Void
  ) throws(ReportError) {
    try write(
      report, root: [],
      suiteAttributes: { suite, index in [("package", suite.className), ("id", "\(index)")] },
      to: take
    ) { suite, xml throws(ReportError) in
      for testCase in suite.cases {
        xml.open(testCase, level: 2)
        xml.write(verdictOf: testCase, level: 3, withAttempts: false)
        xml.closeCase(level: 2)
        try take(xml.takeBytes())
      }
      try write(\.standardOutput, of: suite, as: "system-out", &xml, take)
      try write(\.standardError, of: suite, as: "system-err", &xml, take)
    }
  }

  /// Writes the output of the cases, each under its name.
  private func write(
    _ stream: KeyPath<JUnitReport.Case, JUnitStream>, of suite: JUnitReport.Suite,
    as name: String, _ xml: inout XMLText, _ take: ([UInt8]) throws(ReportError) -> Void
  ) throws(ReportError) {
    xml.newLine(2)
    xml.open(name)
    for testCase in suite.cases {
      let text = testCase[keyPath: stream].text
      guard !text.isEmpty else { continue }
      xml.text("=== \(testCase.name) ===\n\(text)\(text.hasSuffix("\n") ? "" : "\n")")
      try take(xml.takeBytes())
    }
    xml.close(name)
  }
}
