internal import FoundationEssentials
internal import Foundations

/// All findings about this machine, with advice.
package struct DoctorReport: Sendable, Hashable, Codable {
  /// The findings in order; those that others depend on come first.
  package var findings: [DoctorFinding]

  /// Creates a report.
  package init(findings: [DoctorFinding]) {
    self.findings = findings
  }

  /// True if scenarios with an environment of their own can run here.
  package var isGood: Bool { !findings.contains { $0.status == .fail } }

  /// A line for each finding, its help below, and a last line that says it all.
  package func text(isColoured: Bool) -> String {
    let width = findings.map { TerminalText.line($0.subject).count }.max() ?? 0
    let palette = DoctorPalette(isColoured: isColoured)
    var lines: [String] = []
    for finding in findings {
      let subject = TerminalText.line(finding.subject)
      let padding = String(repeating: " ", count: width - subject.count)
      let line = "\(palette.word(finding.status)) \(subject)\(padding)"
      lines.append("\(line)  \(TerminalText.line(finding.value))")
      lines += finding.help.map { "      \(palette.bold("help:")) \(TerminalText.line($0))" }
    }
    lines.append(palette.conclusion(conclusion, isGood: isGood))
    return lines.map { $0 + "\n" }.joined()
  }

  /// The report as JSON with a final newline: the same text for the same report every time.
  package func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  private var conclusion: String {
    let failed = findings.count { $0.status == .fail }
    let warned = findings.count { $0.status == .warn }
    let warnings = warned == 0 ? "" : ", \(warned) warning\(warned == 1 ? "" : "s")"
    guard failed > 0 else { return "scenarios can run here\(warnings)" }
    return "scenarios cannot run here: \(failed) of \(findings.count) checks failed\(warnings)"
  }
}

/// The colours of a doctor's report, or none: the same as those of a run's.
private struct DoctorPalette {
  let isColoured: Bool

  /// The word for a status, four columns wide and one of space.
  func word(_ status: DoctorFinding.Status) -> String {
    switch status {
    case .ok: paint("ok   ", "32")
    case .warn: paint("warn ", "33")
    case .fail: paint("fail ", "1;31")
    case .skip: paint("skip ", "2")
    }
  }

  func bold(_ text: String) -> String { paint(text, "1") }

  func conclusion(_ text: String, isGood: Bool) -> String {
    paint(text, isGood ? "1;32" : "1;31")
  }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
