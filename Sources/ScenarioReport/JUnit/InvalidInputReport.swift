internal import Glibc
public import ScenarioModel

/// What reports say where nothing could be run.
public enum InvalidInputReport {
  /// A JUnit report in which every file with errors is a suite with one error.
  public static func junit(_ list: DiagnosticList, renderer: DiagnosticRenderer) -> String {
    let errors = list.shown.filter { $0.severity == .error }
    let now = WallInstant(seconds: Int64(time(nil)))
    var files: [String] = []
    for error in errors {
      let file = error.range?.file ?? "scenario"
      if !files.contains(file) { files.append(file) }
    }
    var report = JUnitReport()
    for file in files {
      let own = errors.filter { ($0.range?.file ?? "scenario") == file }
      report.suites.append(suite(of: file, own, timestamp: Timestamp.text(now), renderer))
    }
    return String(decoding: JenkinsDialect().document(report), as: UTF8.self)
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
          message: ReportText.cleaned(message),
          type: JUnitNames.type(errors.first?.code.rawValue ?? ""),
          body: ReportText.cleaned(renderer.render(errors))),
        standardOutput: "", standardError: ""))
    return suite
  }
}
