internal import Foundations
package import ScenarioEvents

/// Reports failures to GitHub Actions: annotations at the lines of scenario files, and a summary of
/// the step.
///
/// GitHub shows about ten annotations of a step, so that each file has one before any has two.
package final class GitHubRecorder: EventRecorder {
  /// The maximum number of rows that the summary has; GitHub refuses more than 1 MiB of it.
  private static let maximumRows = 200
  private static let maximumAnnotations = 50
  private static let maximumMessage = 2_000

  private let commands: any ReportSink
  private let summary: (any ReportSink)?
  private let reproduces: Bool
  private var run = RunRecord()
  private var counter = RunCounts()

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - commands: Where workflow commands go: a standard stream of the step.
  ///   - summary: Where the Markdown goes, appended; `nil` for none.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is reported.
  package init(commands: any ReportSink, summary: (any ReportSink)?, reproduces: Bool = true) {
    self.commands = commands
    self.summary = summary
    self.reproduces = reproduces
  }

  /// Records one event.
  package func record(_ event: Event) {
    run.record(event)
    counter.record(event)
    guard case .caseFinished = event.kind else { return }
    run.updateCase(of: event) { record in
      record.result?.standardOutput = ""
      record.result?.standardError = ""
    }
  }

  /// Writes the annotations and the summary.
  ///
  /// - Throws: The first thing that went wrong; the other part is written all the same.
  package func finish() throws(ReportError) {
    let cases = run.cases
    var failure: ReportError?
    do {
      try commands.write(annotations(cases))
      try commands.finish()
    } catch {
      failure = error
    }
    if let summary {
      try summary.write(markdown(cases))
      try summary.finish()
    }
    if let failure { throw failure }
  }

  // MARK: - Annotations

  private func annotations(_ cases: OrderedCases) -> String {
    let bad = cases.filter { !$0.reportedFailures.isEmpty }
    var files: Set<String> = []
    var first: [CaseRecord] = []
    var rest: [CaseRecord] = []
    for record in bad {
      if files.insert(record.description.file).inserted {
        first.append(record)
      } else {
        rest.append(record)
      }
    }
    var lines = run.failures.map { command("error", $0, range: $0.range, title: "scenario") }
    lines += (first + rest).compactMap { record in
      guard let failure = record.reportedFailures.first else { return nil }
      return command(
        "error", failure, range: failure.range ?? record.description.range,
        title: record.description.name)
    }
    for record in cases where record.isFlaky {
      guard let failure = record.earlierAttempts.last?.reportedFailures.first else { continue }
      lines.append(
        command(
          "warning", failure, range: failure.range ?? record.description.range,
          title: "\(record.description.name) is flaky"))
    }
    for record in cases {
      for warning in record.warnings {
        let news = Failure(category: .error, type: "warning", message: warning)
        lines.append(
          command(
            "warning", news, range: record.description.range, title: record.description.name))
      }
    }
    let omitted = lines.count - Self.maximumAnnotations
    if omitted > 0 {
      lines =
        lines.prefix(Self.maximumAnnotations)
        + ["::notice title=scenario::\(omitted) more are not shown"]
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private func command(
    _ name: String, _ failure: Failure, range: SourceRange?, title: String
  ) -> String {
    var properties: [String] = []
    if let range {
      properties = [
        "file=\(GitHubCommands.property(ReportText.cleaned(range.file)))",
        "line=\(max(1, range.line))", "col=\(max(1, range.column))",
      ]
    }
    properties.append("title=\(GitHubCommands.property(ReportText.cleaned(title)))")
    var message = failure.message
    if let actual = failure.actual { message += "\n\(actual)" }
    if let help = failure.help { message += "\nhelp: \(help)" }
    let text = BoundedText(ReportText.cleaned(message), limit: Self.maximumMessage)
      .text(fullTextIn: nil)
    return "::\(name) \(properties.joined(separator: ","))::\(GitHubCommands.data(text))"
  }

  // MARK: - Summary

  private func markdown(_ cases: OrderedCases) -> String {
    var lines = ["### scenario: \(counter.summary)", ""]
    if run.result?.interrupted ?? true { lines += ["The run was interrupted.", ""] }
    for failure in run.failures { lines += ["**\(GitHubMarkdown.text(failure.message))**", ""] }
    let rows = cases.filter { !$0.reportedFailures.isEmpty || $0.isFlaky }
    guard !rows.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["| | Scenario | Place | Message |", "| --- | --- | --- | --- |"]
    lines += rows.prefix(Self.maximumRows).map(row)
    if rows.count > Self.maximumRows {
      lines += ["", "and \(rows.count - Self.maximumRows) more"]
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private func row(_ record: CaseRecord) -> String {
    let attempt = record.isFlaky ? record.earlierAttempts.last : record
    let failure = attempt?.reportedFailures.first
    let place = failure?.range ?? record.description.range
    var what = GitHubMarkdown.text(failure?.message ?? "")
    if reproduces, !record.isFlaky {
      what += "<br>" + GitHubMarkdown.code(ReproduceCommand.text(for: record.description))
    }
    let mark = record.isFlaky ? "flaky" : record.outcome.rawValue
    return "| \(mark) | \(GitHubMarkdown.text(record.description.name)) "
      + "| \(GitHubMarkdown.code("\(place.file):\(place.line)")) | \(what) |"
  }
}

/// Texts within a table of GitHub's Markdown.
enum GitHubMarkdown {
  private static let maximumLength = 500

  /// A text in which nothing is markup.
  static func text(_ text: String) -> String {
    var result = ""
    for character in line(text) {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\\", "|", "`", "*", "_", "[", "]", "#", "~", "!", "@":
        result += "\\\(character)"
      default: result.append(character)
      }
    }
    return result
  }

  /// A text as code.
  static func code(_ text: String) -> String {
    var result = ""
    for character in line(text) {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "|": result += "&#124;"
      case "`": result += "&#96;"
      default: result.append(character)
      }
    }
    return "<code>\(result)</code>"
  }

  private static func line(_ text: String) -> String {
    let bounded = BoundedText(ReportText.cleaned(text), limit: maximumLength)
    let shown = bounded.omitted > 0 ? "\(bounded.head)…" : bounded.head
    return String(shown.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
