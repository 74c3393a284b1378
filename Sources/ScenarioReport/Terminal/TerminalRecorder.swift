public import ScenarioEvents
internal import ScenarioModel

/// Tells a person how a run goes: a line per case, then every failure in full, then the counts.
public final class TerminalRecorder: EventRecorder {
  private let sink: any ReportSink
  private let palette: TerminalPalette
  private let renderer: FailureRenderer
  private let reproduces: Bool
  private var run = RunRecord()
  private var tally = RunTally()
  private var outputs: [String: ShownOutput] = [:]
  private var failure: ReportError?

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - sink: Where the text goes.
  ///   - usesColour: Whether it is coloured; `ColourMode` decides it.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is told.
  ///   - sources: The text of a scenario file by its path, for the excerpts; `nil` if it is not known.
  public init(
    sink: any ReportSink, usesColour: Bool, reproduces: Bool = true,
    sources: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.sink = sink
    self.reproduces = reproduces
    self.palette = TerminalPalette(isColoured: usesColour)
    self.renderer = FailureRenderer(isColoured: usesColour, sources: sources)
  }

  /// Takes in one event.
  public func record(_ event: Event) {
    run.record(event)
    tally.record(event)
    switch event.kind {
    case .caseFinished:
      guard let record = run.caseRecord(of: event) else { return }
      write(line(for: record))
      keepShownOutput(of: event, record)
    case .explored(let account):
      write(ExplorationTable(account: account).lines.map(TerminalText.line).joined(separator: "\n"))
    case .warning(let text, let range):
      write(renderer.lines(ofWarning: text, at: range).joined(separator: "\n"))
    default:
      break
    }
  }

  /// Tells the failures and the counts.
  ///
  /// - Throws: The first error of the sink since the run began.
  public func finish() throws(ReportError) {
    let bad = run.cases.filter { $0.outcome == .failed || $0.outcome == .errored }
    for record in bad where record.result == nil {
      write(line(for: record))
    }
    for record in bad {
      write("\n" + fullText(of: record))
    }
    for failure in run.failures {
      write("\n" + renderer.lines(of: failure).joined(separator: "\n"))
    }
    if !bad.isEmpty || !run.failures.isEmpty { write("") }
    if run.result?.interrupted ?? false { write("interrupted before the end") }
    if let account = run.networkAccount {
      write("network: \(TerminalText.line(account.text))")
    }
    write(palette.summary(tally.summary, isGood: tally.exitCode == .passed))
    if let failure { throw failure }
    try sink.finish()
  }

  /// Keeps what will be shown at the end, and drops the rest of what the target printed.
  private func keepShownOutput(of event: Event, _ record: CaseRecord) {
    if record.outcome == .failed || record.outcome == .errored, let result = record.result {
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
    guard failure == nil else { return }
    do {
      try sink.write(text + "\n")
    } catch {
      failure = error
    }
  }

  // MARK: - One case

  private func line(for record: CaseRecord) -> String {
    let duration = record.result?.duration ?? run.latest - record.startedAt
    let seconds = DurationText.seconds(duration)
    var time = String(repeating: " ", count: max(0, 8 - seconds.utf8.count)) + seconds + "s"
    if let virtual = record.result?.virtualDuration {
      time += " real, \(virtual) virtual"
    }
    let reason = record.result?.reason.map { ": \(TerminalText.line($0))" } ?? ""
    return "\(palette.word(record.outcome)) [\(time)] \(title(of: record))\(reason)"
  }

  private func title(of record: CaseRecord) -> String {
    let file = TerminalText.line(record.description.file)
    return "\(palette.dim("\(file) ›")) \(TerminalText.line(record.description.name))"
  }

  private func fullText(of record: CaseRecord) -> String {
    var lines = ["\(palette.word(record.outcome)) \(palette.bold(plainTitle(of: record)))"]
    for failure in record.tellableFailures {
      lines += renderer.lines(of: failure)
    }
    lines += record.clockMoves.lines.map(TerminalText.line)
    if let output = outputs[record.identifier] {
      lines += section("stdout", output.standardOutput)
      lines += section("stderr", output.standardError)
    }
    lines += record.chaos.lines.map(TerminalText.line)
    if let account = record.timeAccount, account != TimeAccount() {
      lines.append("time: \(account.text)")
    }
    if let account = record.networkAccount, account != NetworkAccount() {
      lines.append("network: \(TerminalText.line(account.text))")
    }
    if let directory = record.result?.directory {
      lines.append("directory: \(TerminalText.line(directory))")
    }
    if reproduces {
      let command = ReproduceCommand.text(for: record.description)
      lines.append("reproduce: \(TerminalText.line(command))")
    }
    return lines.joined(separator: "\n")
  }

  private func plainTitle(of record: CaseRecord) -> String {
    "\(TerminalText.line(record.description.file)) › \(TerminalText.line(record.description.name))"
  }

  private func section(_ name: String, _ tail: OutputTail) -> [String] {
    guard !tail.lines.isEmpty else { return [] }
    let title = tail.isShortened ? "\(name), the last \(tail.lines.count) lines:" : "\(name):"
    return [palette.dim(title)] + tail.lines.map { "  \($0)" }
  }
}

/// What is shown of a case's outputs.
private struct ShownOutput {
  let standardOutput: OutputTail
  let standardError: OutputTail
}
