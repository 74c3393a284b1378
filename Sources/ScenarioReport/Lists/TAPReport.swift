internal import Foundations
internal import ScenarioEvents

/// A report in the Test Anything Protocol, version 14.
///
/// <https://testanything.org/tap-version-14-specification.html>
struct TAPReport {
  let collector: OutcomeCollector
  let sink: any ReportSink

  /// Writes the report.
  ///
  /// Cases that were planned and never began are missing behind the plan, as the protocol wants it.
  func write() throws(ReportError) {
    let run = collector.run
    let cases = run.cases
    let planned = max(run.description?.caseCount ?? 0, cases.count)
    let count = planned + (run.failures.isEmpty ? 0 : 1)
    try sink.write("TAP version 14\n1..\(count)\n")
    for (index, record) in cases.enumerated() {
      try sink.write(text(of: record, number: index + 1))
    }
    if let failure = run.failures.first {
      let lines = [diagnostic("message", failure.message), diagnostic("type", failure.type)]
      try sink.write("not ok \(cases.count + 1) - the run\n" + block(lines))
    }
    if run.result?.interrupted ?? true { try sink.write("Bail out! the run was interrupted\n") }
  }

  private func text(of record: CaseRecord, number: Int) -> String {
    let name = Self.escaped("\(record.description.file) › \(record.description.name)")
    switch record.outcome {
    case .skipped:
      let reason = record.result?.reason ?? record.warnings.first ?? "not run"
      return "ok \(number) - \(name) # SKIP \(Self.line(reason))\n"
    case .passed:
      let lines = attemptLines(of: record) + warningLines(of: record) + findingLines(of: record)
      return "ok \(number) - \(name)\n" + (lines.isEmpty ? "" : block(lines))
    case .failed, .errored:
      return "not ok \(number) - \(name)\n" + block(lines(of: record))
    }
  }

  // MARK: - Diagnostics

  private func lines(of record: CaseRecord) -> [String] {
    guard let primary = record.reportedFailures.first else { return [] }
    let place = primary.range ?? record.description.range
    var lines = [
      diagnostic("message", primary.message), diagnostic("type", primary.type),
      diagnostic("severity", record.outcome == .failed ? "fail" : "error"), "at:",
      "  " + diagnostic("file", place.file), "  line: \(place.line)",
      "duration_ms: \(collector.duration(of: record).count / 1_000_000)",
      diagnostic("data", collector.failureText(of: record)),
    ]
    lines += attemptLines(of: record) + warningLines(of: record) + findingLines(of: record)
    guard let streams = collector.streams(of: record) else { return lines }
    for (name, stream) in [
      ("stdout", streams.standardOutput), ("stderr", streams.standardError),
    ] where !stream.isEmpty {
      lines.append(diagnostic(name, stream.text(fullTextIn: record.result?.directory)))
    }
    return lines
  }

  private func attemptLines(of record: CaseRecord) -> [String] {
    guard !record.earlierAttempts.isEmpty else { return [] }
    let earlier = record.earlierAttempts.flatMap { attempt in
      let duration = max(.zero, attempt.result?.duration ?? .zero)
      return [
        "  - outcome: \"\(attempt.outcome.rawValue)\"",
        "    duration_ms: \(duration.count / 1_000_000)",
      ] + attempt.reportedFailures.prefix(1).map { "    " + diagnostic("message", $0.message) }
    }
    return [
      "attempts: \(record.earlierAttempts.count + 1)", "flaky: \(record.isFlaky)",
      "earlier_attempts:",
    ] + earlier
  }

  /// Returns the captures of the case, and the files that it has left.
  private func findingLines(of record: CaseRecord) -> [String] {
    let captures = record.captures.map { capture in
      "  " + diagnostic(Value.string(ReportText.cleaned(capture.name)).jsonText(), capture.value)
    }
    let files = (record.result?.attachments ?? []).map { file in
      "  - {kind: \"\(file.kind.rawValue)\", " + diagnostic("path", file.path) + "}"
    }
    return (captures.isEmpty ? [] : ["captures:"] + captures)
      + (files.isEmpty ? [] : ["attachments:"] + files)
  }

  private func warningLines(of record: CaseRecord) -> [String] {
    guard !record.warnings.isEmpty else { return [] }
    return ["warnings:"]
      + record.warnings.map { "  - \(Self.quoted($0))" }
  }

  private func block(_ lines: [String]) -> String {
    let indented = (["---"] + lines + ["..."]).map { "  \($0)\n" }
    return indented.joined()
  }

  /// Returns one member of the block.
  private func diagnostic(_ key: String, _ text: String) -> String {
    "\(key): \(Self.quoted(text))"
  }

  private static func quoted(_ text: String) -> String {
    YAMLQuoting.quoted(ReportText.cleaned(text))
  }

  /// A description: one line, in which `#` begins no directive.
  private static func escaped(_ text: String) -> String {
    line(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  private static func line(_ text: String) -> String {
    String(ReportText.cleaned(text).map { $0.isNewline ? " " : $0 })
  }
}
