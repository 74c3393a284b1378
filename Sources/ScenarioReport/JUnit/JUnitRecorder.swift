package import ScenarioEvents

/// Writes a JUnit XML report when the run is over.
///
/// A case that began and did not end is an error of the type `Interrupted`, so that a run which was
/// stopped still shows what it was doing.
package final class JUnitRecorder: EventRecorder {
  private let destination: JUnitDestination
  private let warn: (String) -> Void
  private let renderer: FailureRenderer
  private let reproduces: Bool
  private let form: any JUnitForm
  private let attachments: JUnitAttachments
  private var run = RunRecord()
  private var streams: [CaseAttempt: CapturedStreams] = [:]
  private var keptBytes = 0
  private var budget = JUnitBudget()

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - destination: Where the report goes.
  ///   - dialect: Who is to read it.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is reported.
  ///   - sources: The text of a scenario file by its path, for the excerpts; `nil` if it is not known.
  ///   - attachments: How the files are named that cases have left.
  ///   - warn: Called with one line if outputs had to be shortened further to keep the report small.
  package init(
    destination: JUnitDestination, dialect: JUnitDialect = .jenkins, reproduces: Bool = true,
    sources: @escaping @Sendable (String) -> String? = { _ in nil },
    attachments: JUnitAttachments = JUnitAttachments(),
    warn: @escaping (String) -> Void = { _ in }
  ) {
    self.destination = destination
    self.reproduces = reproduces
    self.warn = warn
    self.renderer = FailureRenderer(isColoured: false, sources: sources)
    self.form = dialect.form
    self.attachments = attachments
  }

  /// Creates a recorder whose report is one document.
  package convenience init(
    sink: any ReportSink, dialect: JUnitDialect = .jenkins, reproduces: Bool = true,
    sources: @escaping @Sendable (String) -> String? = { _ in nil },
    warn: @escaping (String) -> Void = { _ in }
  ) {
    self.init(
      destination: .sink(sink), dialect: dialect, reproduces: reproduces, sources: sources,
      warn: warn)
  }

  /// Records one event.
  package func record(_ event: Event) {
    run.record(event)
    guard case .caseFinished(let result) = event.kind else { return }
    guard let record = run.caseRecord(of: event) else { return }
    run.updateCase(of: event) { record in
      record.result?.standardOutput = ""
      record.result?.standardError = ""
    }
    guard !result.standardOutput.isEmpty || !result.standardError.isEmpty else { return }
    let captured = CapturedStreams(result, limit: budget.limit)
    let key = CaseAttempt(
      identifier: record.identifier, attempt: record.earlierAttempts.count)
    streams[key] = captured
    keptBytes += captured.count
    while keptBytes > JUnitBudget.maximumFileSize, lowerLimit() {}
  }

  /// Writes the report.
  ///
  /// - Throws: If it could not be written.
  package func finish() throws(ReportError) {
    var report = builder.report()
    while form.size(of: report) > JUnitBudget.maximumFileSize, lowerLimit() {
      report = builder.report()
    }
    if budget.wasLowered {
      warn(
        "the JUnit report keeps only \(budget.limit) bytes of each output: more would make"
          + " it larger than \(JUnitBudget.maximumFileSize) bytes, which consumers reject")
    }
    try destination.write(report, form)
  }

  private var builder: JUnitReportBuilder {
    JUnitReportBuilder(
      run: run, streams: streams, renderer: renderer, reproduces: reproduces, limit: budget.limit,
      attachments: attachments)
  }

  private func lowerLimit() -> Bool {
    guard budget.lower() else { return false }
    for key in streams.keys {
      streams[key]?.shrink(to: budget.limit)
    }
    keptBytes = streams.values.reduce(0) { $0 + $1.count }
    return true
  }
}
