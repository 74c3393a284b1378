package import Foundations
internal import Glibc

/// The report where nothing could be run.
package enum InvalidInputReport {
  /// Writes a JUnit report in which every file with errors is a suite with one error.
  ///
  /// - Throws: If it could not be written.
  package static func write(
    _ list: DiagnosticList, renderer: DiagnosticRenderer, to destination: JUnitDestination,
    dialect: JUnitDialect
  ) throws(ReportError) {
    try destination.write(report(list, renderer: renderer), dialect.form)
  }

  private static func report(
    _ list: DiagnosticList, renderer: DiagnosticRenderer
  ) -> JUnitReport {
    let errors = list.shown.filter { $0.severity == .error }
    let now = WallInstant(seconds: Int64(time(nil)))
    var files: [String] = []
    var byFile: [String: [Diagnostic]] = [:]
    for error in errors {
      let file = error.range?.file ?? "scenario"
      if byFile[file] == nil { files.append(file) }
      byFile[file, default: []].append(error)
    }
    var report = JUnitReport()
    for file in files {
      report.suites.append(
        suite(of: file, byFile[file] ?? [], timestamp: Timestamp.text(now), renderer))
    }
    return report
  }

  private static func suite(
    of file: String, _ errors: [Diagnostic], timestamp: String, _ renderer: DiagnosticRenderer
  ) -> JUnitReport.Suite {
    var suite = JUnitReport.Suite(
      file: file, timestamp: timestamp, hostname: "localhost", properties: [])
    let rest = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
    let message = (errors.first?.message ?? "") + rest
    suite.cases.append(
      JUnitReport.Case(
        name: file, className: JUnitNames.className(file: file),
        range: errors.first?.range ?? SourceRange(file: file, line: 1, column: 1),
        duration: .zero,
        verdict: .error(
          JUnitReport.BadNews(
            message: ReportText.cleaned(message),
            type: JUnitNames.type(errors.first?.code.rawValue ?? ""),
            body: ReportText.cleaned(renderer.render(errors)))),
        standardOutput: JUnitStream(), standardError: JUnitStream()))
    return suite
  }
}
