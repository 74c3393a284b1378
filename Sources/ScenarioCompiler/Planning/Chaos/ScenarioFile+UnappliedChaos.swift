internal import Foundations
internal import ScenarioModel

extension ScenarioFile {
  /// Warnings of the file's own chaos entries that wait for a step, where no step of the file applies them.
  var unappliedChaos: [Diagnostic] {
    var entries = defaults.chaos
    var steps = StepReview(defaults)
    // A body is large, and a file may have many: none is copied.
    for index in scenarios.indices {
      entries += scenarios[index].body.chaos
      steps.add(scenarios[index].body)
    }
    // A file that runs nothing may be there for others to use.
    let runs =
      steps.areThere || defaults.target != nil || !defaults.targets.isEmpty || !scenarios.isEmpty
    guard !entries.isEmpty, runs, !steps.applyAll else { return [] }
    let applied = steps.applied
    // An unknown name was reported, and may be meant as any of them.
    guard applied.isSubset(of: entries.map(\.name.value)) else { return [] }
    return entries.compactMap { entry in
      guard !entry.isApplied, !applied.contains(entry.name.value), entry.range.file == path else {
        return nil
      }
      return Diagnostic(
        "no step applies the chaos entry \"\(entry.name.value)\"", code: .neverMet, at: entry.range,
        help: "add a step \"- apply: \(entry.name.value)\", or remove \"apply: false\"")
    }
  }
}

/// Collects the fault rules that the steps of a file apply.
private struct StepReview {
  /// True if there are any steps.
  var areThere = false
  /// True if one applies all entries.
  var applyAll = false
  /// The entries that steps apply by their names.
  var applied: Set<String> = []

  init(_ body: ScenarioBody) {
    add(body)
  }

  mutating func add(_ body: ScenarioBody) {
    for step in body.allSteps {
      areThere = true
      guard case .apply(let selection, _) = step.action else { continue }
      switch selection.value {
      case .all: applyAll = true
      case .entry(let name): applied.insert(name)
      }
    }
  }
}
