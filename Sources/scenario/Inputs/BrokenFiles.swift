internal import ScenarioModel
internal import ScenarioPlan

extension ScenarioInput {
  /// Plans what is left of files with errors: not to run it, but for the mistakes that are ones whatever
  /// the missing part says.
  ///
  /// Scenarios in which no error stands are told with all that is wrong with them, except for what may follow from
  /// errors in what stands at the file's top.
  mutating func addMistakes(ofBroken options: PlannerOptions) {
    let places = Set(diagnostics.compactMap { $0.range.map { [$0.file, "\($0.line)"] } })
    for file in broken {
      var found = Planner.plan(files: [file], options: options).diagnostics
        .filter(\.code.standsAlone)
      if let rest = BrokenFile(file, diagnostics) {
        let known = Set(found.map { [$0.message, $0.range?.description ?? ""] })
        found += Planner.plan(files: [rest.file], options: options).diagnostics.filter {
          rest.holds($0) && !known.contains([$0.message, $0.range?.description ?? ""])
        }
      }
      diagnostics += found.filter { diagnostic in
        guard let range = diagnostic.range else { return false }
        return !places.contains([range.file, "\(range.line)"])
      }
    }
    guard !broken.isEmpty else { return }
    diagnostics = diagnostics.sorted(byFiles: selection.map(\.path))
  }
}

/// What is left of a file with errors: the scenarios in which none stands.
private struct BrokenFile {
  let file: ScenarioFile
  /// The keys of the file's top in which errors stand.
  private let sections: Set<String>

  /// `nil` if no scenario is left, or if anything may be missing.
  init?(_ file: ScenarioFile, _ diagnostics: [Diagnostic]) {
    guard !file.shared.isPartial else { return nil }
    let errors = diagnostics.filter { $0.severity == .error && $0.range?.file == file.path }
    var rest = file
    var sections: Set<String> = []
    for line in errors.compactMap({ $0.range?.line }) {
      rest.scenarios.removeAll { $0.spans(line) }
      guard !file.scenarios.contains(where: { $0.spans(line) }) else { continue }
      // What says nothing of its place may be missing anywhere, and so may what an unknown key was meant to be.
      guard let section = file.sections.first(where: { $0.lines.contains(line) }) else {
        return nil
      }
      sections.insert(section.key)
    }
    guard rest.scenarios.isEmpty == file.scenarios.isEmpty else { return nil }
    self.file = rest
    self.sections = sections
  }

  /// Whether a mistake that was found in the rest is one, whatever the broken parts say.
  func holds(_ diagnostic: Diagnostic) -> Bool {
    // Which scenarios are there to be selected is not known.
    diagnostic.severity == .error && diagnostic.code != .badArguments
      && !sections.contains { diagnostic.code.mayFollow(fromBroken: $0) }
  }
}

extension ScenarioEntry {
  fileprivate func spans(_ line: Int) -> Bool { range.line <= line && line <= lastLine }
}
