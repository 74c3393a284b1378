internal import Foundations
package import ScenarioEvents

/// Shows a person how a run goes: a line per case, then every failure in full, then the counts.
package final class TerminalRecorder: EventRecorder {
  private let sink: any ReportSink
  private let palette: TerminalPalette
  private let renderer: FailureRenderer
  private let reproduces: Bool
  private let style: TerminalStyle
  /// The number of characters on the line of characters.
  private var dotCount = 0
  private var run = RunRecord()
  private var counter = RunCounts()
  private var outputs: [String: ShownOutput] = [:]
  private var failure: ReportError?

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - sink: Where the text goes.
  ///   - usesColour: Whether it is coloured; `ColourMode` decides it.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is reported.
  ///   - style: How much is reported, and when.
  ///   - sources: The text of a scenario file by its path, for the excerpts; `nil` if it is not known.
  package init(
    sink: any ReportSink, usesColour: Bool, reproduces: Bool = true,
    style: TerminalStyle = TerminalStyle(),
    sources: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.sink = sink
    self.reproduces = reproduces
    self.style = style
    self.palette = TerminalPalette(isColoured: usesColour)
    self.renderer = FailureRenderer(isColoured: usesColour, sources: sources)
  }

  /// Records one event.
  package func record(_ event: Event) {
    run.record(event)
    counter.record(event)
    switch event.kind {
    case .caseFinished:
      guard let record = run.caseRecord(of: event) else { return }
      reportEnd(of: record)
      keepShownOutput(of: event, record)
    case .explored(let account):
      write(ExplorationTable(account: account).lines.map(TerminalText.line).joined(separator: "\n"))
    case .warning(let text, let range):
      write(renderer.lines(ofWarning: text, at: range).joined(separator: "\n"))
    default:
      break
    }
  }

  /// Reports the failures and the counts.
  ///
  /// - Throws: The first error of the sink since the run began.
  package func finish() throws(ReportError) {
    let bad = run.cases.filter { $0.outcome == .failed || $0.outcome == .errored }
    for record in bad where record.result == nil { reportEnd(of: record) }
    for group in groups(of: bad.filter { !isReportedAtOnce($0) }) {
      write("\n" + fullText(of: group.first))
      if !group.others.isEmpty { write(text(ofOthers: group.others)) }
    }
    for record in run.cases where record.isFlaky {
      write("\n" + flakyText(of: record))
    }
    for failure in run.failures {
      write("\n" + renderer.lines(of: failure).joined(separator: "\n"))
    }
    if !bad.isEmpty || !run.failures.isEmpty { write("") }
    if let order = run.description?.order { write("order: \(order)") }
    if let limit = run.result?.timeout {
      write("stopped at the run's limit of \(limit)")
    } else if run.result?.interrupted ?? false {
      write("the run was interrupted")
    }
    if let account = run.networkAccount {
      write("network: \(TerminalText.line(account.text))")
    }
    for record in TerminalSummary.slowest(of: run, count: style.slowestCount) {
      write("slow: \(line(for: record))")
    }
    let time = style.showsTime ? " \(TerminalSummary.time(of: run))" : ""
    write(palette.summary(counter.summary + time, isGood: counter.exitCode == .passed))
    if let failure { throw failure }
    try sink.finish()
  }

  /// Keeps the output that will be shown at the end, and drops the rest.
  private func keepShownOutput(of event: Event, _ record: CaseRecord) {
    if isBad(record), style.shownOutput != .never, !isReportedAtOnce(record),
      let result = record.result
    {
      outputs[record.identifier] = ShownOutput(
        standardOutput: OutputTail(result.standardOutput),
        standardError: OutputTail(result.standardError))
    }
    run.updateCase(of: event) { record in
      record.result?.standardOutput = ""
      record.result?.standardError = ""
    }
  }

  private func write(_ text: String) {
    put(dotCount > 0 ? "\n\(text)\n" : "\(text)\n")
    dotCount = 0
  }

  private func put(_ text: String) {
    guard failure == nil else { return }
    do {
      try sink.write(text)
    } catch {
      failure = error
    }
  }

  // MARK: - Cases that end alike

  /// The maximum number of cases that are listed with the error of another.
  private static let otherLimit = 20

  /// Joins the cases that ended with the same error, such as one of the machine, to the first one, and keeps the order.
  private func groups(of records: [CaseRecord]) -> [(first: CaseRecord, others: [CaseRecord])] {
    var groups: [(first: CaseRecord, others: [CaseRecord])] = []
    var indices: [[Failure]: Int] = [:]
    for record in records {
      let failures = record.reportedFailures
      if saysNothingOfItsOwn(record, failures), let index = indices[failures] {
        groups[index].others.append(record)
        continue
      }
      if indices[failures] == nil { indices[failures] = groups.count }
      groups.append((record, []))
    }
    return groups
  }

  private func saysNothingOfItsOwn(_ record: CaseRecord, _ failures: [Failure]) -> Bool {
    let output = outputs[record.identifier]
    return record.outcome == .errored && failures.allSatisfy { $0.category == .error }
      && output?.standardOutput.lines.isEmpty ?? true
      && output?.standardError.lines.isEmpty ?? true
      && record.captures.isEmpty && record.chaos.lines.isEmpty
      && record.result?.directory == nil && record.result?.attachments?.isEmpty ?? true
  }

  private func text(ofOthers others: [CaseRecord]) -> String {
    let count = others.count
    var lines = ["the same error in \(count == 1 ? "another case" : "\(count) other cases"):"]
    lines += others.prefix(Self.otherLimit).map { "  \(plainTitle(of: $0))" }
    if count > Self.otherLimit { lines.append("  and \(count - Self.otherLimit) more") }
    return lines.joined(separator: "\n")
  }

  // MARK: - The end of a case

  /// The maximum number of characters on a line.
  private static let dotLimit = 72

  private func isBad(_ record: CaseRecord) -> Bool {
    record.outcome == .failed || record.outcome == .errored
  }

  /// Returns whether a case that did not pass was reported in full when it ended.
  private func isReportedAtOnce(_ record: CaseRecord) -> Bool {
    style.failureOutput == .immediate && record.result != nil
  }

  private func reportEnd(of record: CaseRecord) {
    // The last line counts what the run did not get to.
    guard record.result?.isUnreached == nil else { return }
    switch style.form {
    case .list: write(line(for: record))
    case .quiet: break
    case .dots:
      if dotCount == Self.dotLimit {
        put("\n")
        dotCount = 0
      }
      put(palette.dot(record))
      dotCount += 1
    }
    guard let result = record.result else { return }
    let shown = ShownOutput(
      standardOutput: OutputTail(result.standardOutput),
      standardError: OutputTail(result.standardError))
    let isRetried = result.isRetried
    if isBad(record), isReportedAtOnce(record), !isRetried {
      if style.shownOutput != .never { outputs[record.identifier] = shown }
      write("\n\(fullText(of: record))\n")
      outputs[record.identifier] = nil
    } else if style.shownOutput == .all, !isBad(record) || isRetried {
      let lines = section("stdout", shown.standardOutput) + section("stderr", shown.standardError)
      if !lines.isEmpty { write(lines.joined(separator: "\n")) }
    }
  }

  // MARK: - One case

  private func line(for record: CaseRecord) -> String {
    let duration = record.result?.duration ?? run.latest - record.startedAt
    let time = CaseTimes.text(
      real: duration, virtual: record.result?.virtualDuration, isAligned: style.isAligned)
    let reason = record.result?.reason.map { ": \(TerminalText.line($0))" } ?? ""
    let leaked = record.outcome == .passed ? record.leak?.processes ?? [] : []
    let leaks = leaked.prefix(Self.leakLimit).map { "\n      \(TerminalText.line($0.text))" }
    // What ended badly for good is reported in full, with its folder.
    let isReportedLater = isBad(record) && !(record.result?.isRetried ?? false)
    let folder = isReportedLater ? nil : record.result?.directory
    let place = folder.map { "\n      directory: \(TerminalText.line($0))" } ?? ""
    return
      "\(palette.word(record)) [\(time)] \(title(of: record))\(reason)\(leaks.joined())\(place)"
  }

  /// The maximum number of processes that are listed that a case has left.
  private static let leakLimit = 10

  private func title(of record: CaseRecord) -> String {
    let file = TerminalText.line(record.description.file)
    return "\(palette.dim("\(file) ›")) \(TerminalText.line(record.description.name))"
  }

  private func fullText(of record: CaseRecord) -> String {
    var lines = ["\(palette.word(record.outcome)) \(palette.bold(plainTitle(of: record)))"]
    for failure in record.reportedFailures {
      lines += renderer.lines(of: failure)
    }
    lines += record.failureCircumstances.map(TerminalText.line)
    if let output = outputs[record.identifier] {
      lines += section("stdout", output.standardOutput)
      lines += section("stderr", output.standardError)
    }
    lines += record.captures.map {
      TerminalText.line("captured: \($0.name) = \($0.value)")
    }
    lines += record.chaos.lines.map(TerminalText.line)
    if let account = record.timeAccount, account != TimeAccount() {
      lines.append("time: \(account.text)")
    }
    if let account = record.networkAccount, account != NetworkAccount() {
      lines.append("network: \(TerminalText.line(account.text))")
      lines += (account.refusals ?? []).map { "refused: \(TerminalText.line($0.text))" }
      lines += (account.unknownNames ?? []).map { "unknown name: \(TerminalText.line($0.text))" }
    }
    if let directory = record.result?.directory {
      lines.append("directory: \(TerminalText.line(directory))")
    }
    for attachment in record.result?.attachments ?? [] where attachment.kind == .recording {
      lines.append("recording: \(TerminalText.line(attachment.path))")
    }
    if reproduces {
      let command = ReproduceCommand.text(for: record.description)
      lines.append("reproduce: \(TerminalText.line(command))")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the reasons why the attempts before the one that passed did not.
  private func flakyText(of record: CaseRecord) -> String {
    var lines = ["\(palette.word(record)) \(palette.bold(plainTitle(of: record)))"]
    for attempt in record.earlierAttempts {
      lines.append("attempt \(attempt.description.attempt):")
      for failure in attempt.reportedFailures { lines += renderer.lines(of: failure) }
    }
    return lines.joined(separator: "\n")
  }

  private func plainTitle(of record: CaseRecord) -> String {
    "\(TerminalText.line(record.description.file)) › \(TerminalText.line(record.description.name))"
  }

  private func section(_ name: String, _ tail: OutputTail) -> [String] {
    guard !tail.lines.isEmpty else { return [] }
    let count = tail.lines.count
    let title =
      tail.isShortened
      ? "\(name), the last \(count == 1 ? "line" : "\(count) lines"):" : "\(name):"
    return [palette.dim(title)] + tail.lines.map { "  \($0)" }
  }
}

/// The shown part of a case's outputs.
private struct ShownOutput {
  let standardOutput: OutputTail
  let standardError: OutputTail
}
