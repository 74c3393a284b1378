internal import Foundations
internal import ScenarioEvents

/// Makes what a JUnit report says of what is known about a run.
struct JUnitReportBuilder {
  let run: RunRecord
  let streams: [CaseAttempt: CapturedStreams]
  let renderer: FailureRenderer
  /// True if `scenario run` makes a case fail again.
  let reproduces: Bool
  /// The maximum number of bytes of one text that are kept.
  let limit: Int
  let attachments: JUnitAttachments

  /// The report.
  func report() -> JUnitReport {
    let cases = run.cases
    var files: [String] = []
    var places: [String: [Int]] = [:]
    for place in cases.indices {
      let file = cases[place].description.file
      if places[file] == nil { files.append(file) }
      places[file, default: []].append(place)
    }
    var report = JUnitReport()
    var names = JUnitNames()
    report.duration = run.result?.duration ?? run.latest
    for file in files {
      let own = (places[file] ?? []).lazy.map { cases[$0] }
      var suite = suite(
        file: file, startedAt: own.map(\.startedAt).min() ?? .zero,
        properties: properties(of: own))
      let className = JUnitNames.className(file: file)
      for record in own { suite.cases.append(testCase(record, of: className, names: &names)) }
      report.suites.append(suite)
    }
    if let failed = runFailure() { report.suites.append(failed) }
    return report
  }

  private func suite(
    file: String, startedAt: Nanoseconds, properties: [(name: String, value: String)]
  ) -> JUnitReport.Suite {
    let start = run.description?.startedAt ?? .epoch
    return JUnitReport.Suite(
      file: JUnitNames.visible(file, else: "scenario"),
      timestamp: Timestamp.text(start + startedAt),
      hostname: JUnitNames.visible(run.description?.hostname ?? "", else: "localhost"),
      properties: properties.map { (JUnitNames.visible($0.name, else: "unnamed"), $0.value) })
  }

  private func testCase(
    _ record: CaseRecord, of className: String, names: inout JUnitNames
  ) -> JUnitReport.Case {
    let attempts = record.earlierAttempts + [record]
    // As is the custom, the first attempt with the outcome that counts is the failure, and what follows it
    // the reruns.
    let shown = attempts.firstIndex { $0.outcome == record.outcome } ?? attempts.count - 1
    var result = JUnitReport.Case(
      name: names.unique(ReportText.cleaned(record.description.name), className: className),
      className: className, range: record.description.range,
      duration: attempts.reduce(.zero) { $0 + duration(of: $1) },
      verdict: verdict(attempts[shown]), standardOutput: standardOutput(attempts[shown], shown),
      standardError: standardError(attempts[shown], shown))
    result.otherAttempts = attempts.indices.filter { $0 != shown }.compactMap { index in
      let attempt = attempts[index]
      guard var news = badNews(attempt) else { return nil }
      news = JUnitReport.BadNews(
        message: "attempt \(index + 1): \(news.message)", type: news.type, body: news.body)
      return JUnitReport.Attempt(
        news: news, standardOutput: standardOutput(attempt, index),
        standardError: standardError(attempt, index))
    }
    return result
  }

  private func duration(of record: CaseRecord) -> Nanoseconds {
    max(.zero, record.result?.duration ?? run.latest - record.startedAt)
  }

  // MARK: - Streams

  private func standardOutput(_ record: CaseRecord, _ attempt: Int) -> JUnitStream {
    let key = CaseAttempt(identifier: record.identifier, attempt: attempt)
    return JUnitStream(
      printed: streams[key]?.standardOutput, place: record.result?.directory,
      lastLines: attachments.lines(record.result?.attachments ?? []))
  }

  /// Returns the standard error of an attempt, with warnings, for which JUnit has no element,
  /// before the target's own output.
  private func standardError(_ record: CaseRecord, _ attempt: Int) -> JUnitStream {
    let key = CaseAttempt(identifier: record.identifier, attempt: attempt)
    var stream = JUnitStream(
      printed: streams[key]?.standardError, place: record.result?.directory)
    if record.outcome != .skipped {
      stream.introduction = record.warnings.map { "warning: \(ReportText.cleaned($0))\n" }.joined()
    }
    return stream
  }

  // MARK: - Verdicts

  private func verdict(_ record: CaseRecord) -> JUnitReport.Verdict {
    if record.outcome == .skipped {
      let reason = record.result?.reason.map(ReportText.cleaned)
      return .skipped(message: reason ?? record.warnings.first ?? "not run")
    }
    guard let news = badNews(record) else { return .passed }
    return record.outcome == .failed ? .failure(news) : .error(news)
  }

  private func badNews(_ record: CaseRecord) -> JUnitReport.BadNews? {
    guard let primary = record.reportedFailures.first else { return nil }
    let body = JUnitFailureBody(record: record, renderer: renderer, reproduces: reproduces)
    return badNews(primary, body: body.text)
  }

  private func badNews(_ failure: Failure, body: String) -> JUnitReport.BadNews {
    JUnitReport.BadNews(
      message: JUnitFailureBody.message(of: failure), type: JUnitNames.type(failure.type),
      body: BoundedText(ReportText.cleaned(body), limit: limit).text(fullTextIn: nil))
  }

  /// Returns failures that belong to no case, as a case of its own: a report must not look better
  /// than the run.
  private func runFailure() -> JUnitReport.Suite? {
    guard let primary = run.failures.first else { return nil }
    let body = run.failures.flatMap { renderer.lines(of: $0) }.joined(separator: "\n")
    let news = badNews(primary, body: body)
    let hasExpectation = run.failures.contains { $0.category == .expectation }
    var suite = suite(
      file: "scenario", startedAt: .zero, properties: properties(of: EmptyCollection()))
    suite.cases = [
      JUnitReport.Case(
        name: "the run", className: "scenario.Run",
        range: primary.range ?? SourceRange(file: "scenario", line: 1, column: 1), duration: .zero,
        verdict: hasExpectation ? .failure(news) : .error(news), standardOutput: JUnitStream(),
        standardError: JUnitStream())
    ]
    return suite
  }
}

/// Names one attempt at a case.
struct CaseAttempt: Hashable {
  /// The identifier of the case in events.
  let identifier: String
  /// The number of the attempt, counted from 0.
  let attempt: Int
}
