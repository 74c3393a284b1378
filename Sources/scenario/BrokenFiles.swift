internal import ScenarioModel
internal import ScenarioPlan

extension ScenarioInput {
  /// Plans what is left of files with errors: not to run it, but for the mistakes that are ones whatever
  /// the missing part says.
  ///
  /// Where the errors stand in some scenarios alone, all that is wrong with the others is told.
  mutating func addMistakes(ofBroken options: PlannerOptions) {
    let places = Set(diagnostics.compactMap { $0.range.map { [$0.file, "\($0.line)"] } })
    for file in broken {
      var found = Planner.plan(files: [file], options: options).diagnostics
        .filter(\.code.standsAlone)
      if let rest = file.withoutBroken(by: diagnostics) {
        let known = Set(found.map { [$0.message, $0.range?.description ?? ""] })
        found += Planner.plan(files: [rest], options: options).diagnostics.filter {
          // Which scenarios are there to be selected is not known.
          $0.severity == .error && $0.code != .badArguments
            && !known.contains([$0.message, $0.range?.description ?? ""])
        }
      }
      diagnostics += found.filter { diagnostic in
        guard let range = diagnostic.range else { return false }
        return !places.contains([range.file, "\(range.line)"])
      }
    }
    guard !broken.isEmpty else { return }
    diagnostics = Self.sorted(diagnostics, files: selection.map(\.path))
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
