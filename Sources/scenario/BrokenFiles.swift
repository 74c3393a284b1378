internal import ScenarioModel
internal import ScenarioPlan

extension ScenarioInput {
  /// Tells all that is wrong with the other scenarios of a file where errors stand in some alone.
  mutating func addMistakes(besideBroken options: PlannerOptions) {
    let rests = broken.compactMap { $0.withoutBroken(by: diagnostics) }
    for rest in rests {
      let found = Planner.plan(files: [rest], options: options).diagnostics
      // Which scenarios are there to be selected is not known, and neither is what the others use.
      diagnostics += found.filter { $0.severity == .error && $0.code != .badArguments }
    }
  }
}

extension ScenarioFile {
  /// The file without the scenarios that errors stand in; `nil` if one stands elsewhere, if no scenario is
  /// left, or if names may come from files that were not read.
  fileprivate func withoutBroken(by diagnostics: [Diagnostic]) -> ScenarioFile? {
    let errors = diagnostics.filter { $0.severity == .error && $0.range?.file == path }
    let lines = errors.compactMap { $0.range?.line }
    guard uses.isEmpty, lines.allSatisfy({ line in scenarios.contains { $0.spans(line) } })
    else { return nil }
    var rest = self
    rest.scenarios.removeAll { scenario in lines.contains { scenario.spans($0) } }
    return rest.scenarios.isEmpty ? nil : rest
  }
}

extension ScenarioEntry {
  fileprivate func spans(_ line: Int) -> Bool { range.line <= line && line <= lastLine }
}
