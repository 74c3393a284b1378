internal import ScenarioModel

/// Picks the cases that the command line asked for.
struct CaseSelection {
  private let selections: [Selection]
  private let filter: RegularExpression?

  init(_ options: PlannerOptions, _ diagnostics: inout DiagnosticBag) {
    selections = options.selections
    filter = options.nameFilter.map(RegularExpression.init)
    guard let filter else { return }
    do throws(PatternError) {
      try filter.validate()
    } catch {
      diagnostics.report(error.message, code: .badArguments, at: nil, help: error.help)
    }
  }

  func apply(
    to cases: [PlannedCase], of files: [ScenarioFile], _ diagnostics: inout DiagnosticBag
  ) -> [PlannedCase] {
    for selection in selections {
      guard let line = selection.line else { continue }
      guard let file = files.first(where: { $0.path == selection.path }) else { continue }
      let entries = file.scenarios
      guard !entries.isEmpty, !entries.contains(where: { $0.spans(line) }) else { continue }
      let list = entries.map { "\($0.name.value) (\($0.range.line) to \($0.lastLine))" }
      diagnostics.report(
        "no scenario stands in line \(line) of \"\(file.path)\"",
        code: .badArguments, at: SourceRange(file: file.path, line: max(1, line), column: 1),
        help: "scenarios and their lines: \(list.joined(separator: ", "))")
    }
    return cases.filter { planned in
      let file = files.first { $0.path == planned.file }
      return isSelected(planned, isAlone: file?.scenarios.isEmpty ?? true)
        && filter?.isFound(in: planned.identifier) ?? true
    }
  }

  /// A scenario that is alone in its file stands in all of its lines.
  private func isSelected(_ planned: PlannedCase, isAlone: Bool) -> Bool {
    guard !selections.isEmpty else { return true }
    return selections.contains { selection in
      guard selection.path == planned.file else { return false }
      guard let line = selection.line, !isAlone else { return true }
      return planned.range.line <= line && line <= planned.lastLine
    }
  }
}

extension ScenarioEntry {
  fileprivate func spans(_ line: Int) -> Bool {
    range.line <= line && line <= lastLine
  }
}
