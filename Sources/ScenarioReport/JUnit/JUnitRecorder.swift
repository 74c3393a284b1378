public import ScenarioEvents
internal import ScenarioModel

/// Writes a JUnit XML report when the run is over.
///
/// The report is valid against the schema that Jenkins' xunit plugin enforces. A case that began and did
/// not end is an error of the type `Interrupted`, so that a run which was stopped still tells what it
/// was doing.
public final class JUnitRecorder: EventRecorder {
  private let sink: any ReportSink
  private let warn: (String) -> Void
  private let renderer: FailureRenderer
  private let reproduces: Bool
  private let dialect: any JUnitDialect
  private var run = RunRecord()
  private var streams: [String: CapturedStreams] = [:]
  private var keptBytes = 0
  private var budget = JUnitBudget()

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - sink: Where the report goes.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is told.
  ///   - sources: The text of a scenario file by its path, for the excerpts; `nil` if it is not known.
  ///   - warn: Called with one line if outputs had to be shortened further to keep the report small.
  public init(
    sink: any ReportSink, reproduces: Bool = true,
    sources: @escaping @Sendable (String) -> String? = { _ in nil },
    warn: @escaping (String) -> Void = { _ in }
  ) {
    self.sink = sink
    self.reproduces = reproduces
    self.warn = warn
    self.renderer = FailureRenderer(isColoured: false, sources: sources)
    self.dialect = JenkinsDialect()
  }

  /// Takes in one event.
  public func record(_ event: Event) {
    run.record(event)
    guard case .caseFinished(let result) = event.kind else { return }
    guard let identifier = run.caseRecord(of: event)?.identifier else { return }
    run.updateCase(of: event) { record in
      record.result?.standardOutput = ""
      record.result?.standardError = ""
    }
    let captured = CapturedStreams(result, limit: budget.limit)
    streams[identifier] = captured
    keptBytes += captured.count
    while keptBytes > JUnitBudget.maximumFileSize, lowerLimit() {}
  }

  /// Writes the report.
  ///
  /// - Throws: If the sink does not take it.
  public func finish() throws(ReportError) {
    var document = dialect.document(report())
    while document.count > JUnitBudget.maximumFileSize, lowerLimit() {
      document = dialect.document(report())
    }
    if budget.wasLowered {
      warn(
        "the JUnit report keeps only \(budget.limit) bytes of each output: more than that would make"
          + " it larger than \(JUnitBudget.maximumFileSize) bytes, which consumers refuse")
    }
    try sink.write(String(decoding: document, as: UTF8.self))
    try sink.finish()
  }

  // MARK: - Size

  private func lowerLimit() -> Bool {
    guard budget.lower() else { return false }
    for identifier in streams.keys {
      streams[identifier]?.shrink(to: budget.limit)
    }
    keptBytes = streams.values.reduce(0) { $0 + $1.count }
    return true
  }

  // MARK: - The report

  private func report() -> JUnitReport {
    var report = JUnitReport()
    var indices: [String: Int] = [:]
    var names = JUnitNames()
    report.duration = run.result?.duration ?? run.latest
    for record in run.cases {
      let file = record.description.file
      let index = indices[file] ?? report.suites.count
      if index == report.suites.count {
        indices[file] = index
        report.suites.append(suite(file: file, startedAt: record.startedAt))
      }
      report.suites[index].cases.append(testCase(record, names: &names))
    }
    if let failed = runFailure() { report.suites.append(failed) }
    return report
  }

  private func suite(file: String, startedAt: Nanoseconds) -> JUnitReport.Suite {
    let start = run.description?.startedAt ?? .epoch
    let hostname = run.description?.hostname ?? ""
    return JUnitReport.Suite(
      file: file, timestamp: Timestamp.text(start + startedAt),
      hostname: hostname.isEmpty ? "localhost" : hostname, properties: properties(file: file))
  }

  private func properties(file: String) -> [(name: String, value: String)] {
    var properties: [(name: String, value: String)] = []
    let seeds = Set(run.cases.filter { $0.description.file == file }.map(\.description.seed))
    if !seeds.isEmpty {
      let text = seeds.sorted().map { "\($0)" }.joined(separator: ", ")
      properties.append((name: "scenario.seed", value: text))
    }
    properties += reachedProperties(file: file)
    properties += chaosProperties(file: file)
    for record in run.cases where record.description.file == file {
      guard let account = record.exploration else { continue }
      properties += ExplorationTable(account: account).properties
    }
    guard let description = run.description else { return properties }
    properties.append((name: "scenario.version", value: description.version))
    properties.append((name: "scenario.plan.sha256", value: description.planDigest))
    return properties
  }

  /// How many addresses the cases of a file have reached for real: the schema knows no properties of cases,
  /// so those that have reached any are told by their names.
  private func reachedProperties(file: String) -> [(name: String, value: String)] {
    let records = run.cases.filter { $0.description.file == file }
    let accounts = records.compactMap { record in record.networkAccount.map { (record, $0) } }
    guard !accounts.isEmpty else { return [] }
    let count = accounts.reduce(0) { $0 + $1.1.reachedCount }
    let each = accounts.filter { $0.1.reachedCount > 0 }.map { record, account in
      (
        name: "scenario.network.reached: \(ReportText.cleaned(record.description.name))",
        value: ReportText.cleaned(account.reachedText)
      )
    }
    return [(name: "scenario.network.reached", value: "\(count)")] + each
  }

  /// Which chaos entries have fired in the cases of a file, and which limits were met: by the names of the cases.
  private func chaosProperties(file: String) -> [(name: String, value: String)] {
    run.cases.filter { $0.description.file == file }.flatMap { record in
      let name = ReportText.cleaned(record.description.name)
      return [("scenario.chaos", record.chaos.fired), ("scenario.limits", record.chaos.limits)]
        .filter { !$0.1.isEmpty }
        .map { key, lines in
          (name: "\(key): \(name)", value: ReportText.cleaned(lines.joined(separator: "; ")))
        }
    }
  }

  private func testCase(_ record: CaseRecord, names: inout JUnitNames) -> JUnitReport.Case {
    let className = JUnitNames.className(file: record.description.file)
    let streams = streams[record.identifier]
    let directory = record.result?.directory
    return JUnitReport.Case(
      name: names.unique(record.description.name, className: className), className: className,
      range: record.description.range,
      duration: record.result?.duration ?? run.latest - record.startedAt,
      verdict: verdict(record),
      standardOutput: streams?.standardOutput.text(fullTextIn: directory) ?? "",
      standardError: Self.withWarnings(
        of: record, streams?.standardError.text(fullTextIn: directory) ?? ""))
  }

  /// JUnit knows no warnings: they stand before what the target itself said to its user.
  private static func withWarnings(of record: CaseRecord, _ standardError: String) -> String {
    guard record.outcome != .skipped else { return standardError }
    return record.warnings.map { "warning: \(ReportText.cleaned($0))\n" }.joined() + standardError
  }

  private func verdict(_ record: CaseRecord) -> JUnitReport.Verdict {
    if record.outcome == .skipped {
      let reason = record.result?.reason.map(ReportText.cleaned)
      return .skipped(message: reason ?? record.warnings.first ?? "not run")
    }
    guard let primary = record.tellableFailures.first else { return .passed }
    let body = JUnitFailureBody(record: record, renderer: renderer, reproduces: reproduces)
    let text = BoundedText(ReportText.cleaned(body.text), limit: budget.limit)
      .text(fullTextIn: nil)
    let message = JUnitFailureBody.message(of: primary)
    let type = JUnitNames.type(primary.type)
    return record.outcome == .failed
      ? .failure(message: message, type: type, body: text)
      : .error(message: message, type: type, body: text)
  }

  /// Bad news that belongs to no case, as a case of its own: a report must not look better than the run.
  private func runFailure() -> JUnitReport.Suite? {
    guard let primary = run.failures.first else { return nil }
    let body = run.failures.flatMap { renderer.lines(of: $0) }.joined(separator: "\n")
    let message = JUnitFailureBody.message(of: primary)
    let type = JUnitNames.type(primary.type)
    let text = BoundedText(ReportText.cleaned(body), limit: budget.limit).text(fullTextIn: nil)
    let hasExpectation = run.failures.contains { $0.category == .expectation }
    var suite = suite(file: "scenario", startedAt: .zero)
    suite.cases = [
      JUnitReport.Case(
        name: "the run", className: "scenario.Run",
        range: primary.range ?? SourceRange(file: "scenario", line: 1, column: 1), duration: .zero,
        verdict: hasExpectation
          ? .failure(message: message, type: type, body: text)
          : .error(message: message, type: type, body: text),
        standardOutput: "", standardError: "")
    ]
    return suite
  }
}
