internal import Foundations
internal import ScenarioEvents

/// A report in the Common Test Report Format: <https://ctrf.io>.
struct CTRFReport {
  let collector: OutcomeCollector
  let sink: any ReportSink

  /// Writes the report, a case at a time.
  func write() throws(ReportError) {
    let run = collector.run
    let cases = run.cases
    let tool = object([
      ("name", text("scenario")), ("version", text(run.description?.version ?? "")),
    ])
    try sink.write(
      "{\"reportFormat\":\"CTRF\",\"specVersion\":\"0.0.0\",\"generatedBy\":\"scenario\","
        + "\"results\":{\"tool\":\(tool),\"summary\":\(summary(of: cases)),\"tests\":[")
    var separator = "\n"
    for record in cases {
      try sink.write(separator + test(record))
      separator = ",\n"
    }
    if let failure = run.failures.first {
      try sink.write(
        separator
          + object([
            ("name", text("the run")), ("status", text("failed")), ("duration", "0"),
            ("message", text(failure.message)), ("rawStatus", text("errored")),
          ]))
    }
    let digest = text(run.description?.planDigest ?? "")
    let commit = run.description?.labels?["commit"].map { object([("commit", text($0))]) }
    let environment = commit.map { ",\"environment\":\($0)" } ?? ""
    try sink.write("\n]\(environment),\"extra\":{\"planDigest\":\(digest)}}}\n")
  }

  // MARK: - Parts

  private func summary(of cases: OrderedCases) -> String {
    func count(_ outcomes: CaseResult.Outcome...) -> Int {
      cases.count { outcomes.contains($0.outcome) }
    }
    let run = collector.run
    let extra = run.failures.isEmpty ? 0 : 1
    return object([
      ("tests", "\(cases.count + extra)"), ("passed", "\(count(.passed))"),
      ("failed", "\(count(.failed, .errored) + extra)"), ("skipped", "\(count(.skipped))"),
      ("pending", "0"), ("other", "0"), ("flaky", "\(cases.count(where: \.isFlaky))"),
      ("suites", "\(Set(cases.map(\.description.file)).count)"), ("start", instant(.zero)),
      ("stop", instant(run.result?.duration ?? run.latest)),
    ])
  }

  private func test(_ record: CaseRecord) -> String {
    let description = record.description
    let duration = collector.duration(of: record)
    let began = record.earlierAttempts.first?.startedAt ?? record.startedAt
    var members = [
      ("name", text(JUnitNames.visible(description.name, else: "unnamed"))),
      ("status", text(status(of: record))),
      ("rawStatus", text(record.outcome.rawValue)), ("duration", milliseconds(duration)),
      ("start", instant(began)), ("stop", instant(began + duration)),
      ("suite", "[\(text(description.file))]"), ("filePath", text(description.file)),
      ("line", "\(description.range.line)"), ("type", text("scenario")),
      ("tags", "[\(description.tags.map(text).joined(separator: ","))]"),
      ("retries", "\(record.earlierAttempts.count)"), ("flaky", "\(record.isFlaky)"),
    ]
    if record.outcome == .skipped, let reason = record.result?.reason {
      members.append(("message", text(reason)))
    }
    members += badNews(of: record)
    if let files = attachments(of: record) { members.append(("attachments", files)) }
    if let extra = extra(of: record) { members.append(("extra", extra)) }
    if !record.earlierAttempts.isEmpty {
      let attempts = (record.earlierAttempts + [record]).enumerated().map(attempt)
      members.append(("retryAttempts", "[\(attempts.joined(separator: ","))]"))
    }
    if let streams = collector.streams(of: record) {
      let place = record.result?.directory
      members.append(("stdout", lines(streams.standardOutput.text(fullTextIn: place))))
      members.append(("stderr", lines(streams.standardError.text(fullTextIn: place))))
    }
    return object(members)
  }

  private func attempt(_ index: Int, _ record: CaseRecord) -> String {
    let duration = max(.zero, record.result?.duration ?? .zero)
    return object(
      [
        ("attempt", "\(index + 1)"), ("status", text(status(of: record))),
        ("duration", milliseconds(duration)),
      ] + badNews(of: record) + (attachments(of: record).map { [("attachments", $0)] } ?? []))
  }

  /// The files that a case has left; `nil` for none.
  private func attachments(of record: CaseRecord) -> String? {
    let files = (record.result?.attachments ?? []).filter(\.leadsSomewhere)
    guard !files.isEmpty else { return nil }
    let list = files.map { file in
      let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
      return object([
        ("name", text(name)), ("contentType", text(file.mediaType)),
        ("path", Value.string(file.address ?? file.path).jsonText()),
      ])
    }
    return "[\(list.joined(separator: ","))]"
  }

  /// Returns the members for which the format has no names; `nil` for none.
  private func extra(of record: CaseRecord) -> String? {
    var members: [(String, String)] = []
    if !record.warnings.isEmpty {
      members.append(("warnings", "[\(record.warnings.map(text).joined(separator: ","))]"))
    }
    if !record.captures.isEmpty {
      let captures = record.captures.map { "\(text($0.name)):\(text($0.value))" }
      members.append(("captures", "{\(captures.joined(separator: ","))}"))
    }
    return members.isEmpty ? nil : object(members)
  }

  private func badNews(of record: CaseRecord) -> [(String, String)] {
    guard let primary = record.reportedFailures.first else { return [] }
    return [("message", text(primary.message)), ("trace", text(collector.failureText(of: record)))]
  }

  private func status(of record: CaseRecord) -> String {
    switch record.outcome {
    case .passed: "passed"
    case .failed, .errored: "failed"
    case .skipped: "skipped"
    }
  }

  // MARK: - JSON

  /// Milliseconds since 1970.
  private func instant(_ elapsed: Nanoseconds) -> String {
    let instant = (collector.run.description?.startedAt ?? .epoch) + elapsed
    let (scaled, overflow) = instant.seconds.multipliedReportingOverflow(by: 1000)
    return "\(overflow ? 0 : scaled &+ Int64(instant.nanoseconds) / 1_000_000)"
  }

  private func milliseconds(_ duration: Nanoseconds) -> String { "\(duration.count / 1_000_000)" }

  private func text(_ text: String) -> String {
    Value.string(ReportText.cleaned(text)).jsonText()
  }

  private func lines(_ text: String) -> String {
    var lines = TextLines.split(text)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return "[\(lines.map { self.text(String(TextLines.content($0))) }.joined(separator: ","))]"
  }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }
}
