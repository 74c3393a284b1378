internal import Foundations
internal import ScenarioEvents

/// The text of the one `failure` or `error` element of a case: every failure of the case is in it.
struct JUnitFailureBody {
  let record: CaseRecord
  let renderer: FailureRenderer
  /// True if `scenario run` makes the case fail again.
  let reproduces: Bool

  /// The `message` attribute: one line with its place, short enough for a table.
  static func message(of failure: Failure) -> String {
    let message = firstLine(failure.message, limit: 1024)
    guard let range = failure.range else { return message }
    return "\(message) (\(range.file):\(range.line))"
  }

  /// The element's text.
  ///
  /// Consumers look for places in it, and each has its own way: a line that begins with `at`, or the
  /// last `PATH:LINE` behind a space. So the place of the first failure stands at the very end.
  var text: String {
    let failures = record.reportedFailures
    guard let primary = failures.first else { return "" }
    var lines = section(primary, prefix: "")
    for (index, other) in failures.dropFirst().enumerated() {
      let label = index == 0 ? "also failed (\(failures.count - 1) more): " : "also failed: "
      lines += section(other, prefix: label)
    }
    lines += record.failureCircumstances.map(ReportText.cleaned)
    lines += record.chaos.lines
    let place = primary.range ?? record.description.range
    lines.append(JUnitFailureBody.traceLine(place))
    if reproduces {
      lines.append("reproduce: \(ReproduceCommand.text(for: record.description))")
    }
    if place.file != record.description.file || place.line != record.description.range.line {
      lines.append("failed at: \(place.file):\(place.line)")
    }
    return lines.joined(separator: "\n")
  }

  private func section(_ failure: Failure, prefix: String) -> [String] {
    var lines = [prefix + failure.message]
    if let range = failure.range { lines.append("  --> \(range.description)") }
    return lines + excerpt(of: failure)
  }

  /// Returns the renderer's lines below the first one, which consumers have as the message already.
  private func excerpt(of failure: Failure) -> [String] {
    var bare = failure
    bare.message = ""
    // The renderer writes for terminals, where every control character is shown; here colours go.
    bare.actual = failure.actual.map(ReportText.cleaned)
    bare.details = failure.details.map(ReportText.cleaned)
    return Array(renderer.lines(of: bare).dropFirst())
  }

  /// A line in the form of a Java stack trace: folder, class, method, file and line.
  private static func traceLine(_ range: SourceRange) -> String {
    let parts = range.file.split(separator: "/").map(String.init)
    let file = parts.last ?? range.file
    let folder = parts.dropLast().last { $0 != "." && $0 != ".." }
    let package = folder.map { "\($0)." } ?? ""
    return "    at \(package)Scenario.\(JUnitNames.stem(of: file))(\(file):\(range.line))"
  }

  private static func firstLine(_ text: String, limit: Int) -> String {
    let line = text.split { ["\n", "\r", "\r\n"].contains($0) }.first.map(String.init) ?? text
    let bounded = BoundedText(line, limit: limit)
    return bounded.omitted > 0 ? "\(bounded.head)…" : line
  }
}
