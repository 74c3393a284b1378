internal import ScenarioModel

extension ScenarioFile {
  /// Warnings of the file's own chaos entries that wait for a step, where no step of the file applies them.
  var unappliedChaos: [Diagnostic] {
    let bodies = [defaults] + scenarios.map(\.body)
    let steps = bodies.flatMap(\.allSteps)
    // A file without steps may be there for others to use.
    guard !steps.isEmpty else { return [] }
    var applied: Set<String> = []
    for step in steps {
      guard case .apply(let selection, _) = step.action else { continue }
      switch selection.value {
      case .all: return []
      case .entry(let name): applied.insert(name)
      }
    }
    let entries = bodies.flatMap(\.chaos)
    // A name that is nobody's was told, and may be meant as any of them.
    guard applied.isSubset(of: entries.map(\.name.value)) else { return [] }
    return entries.compactMap { entry in
      guard !entry.isApplied, !applied.contains(entry.name.value), entry.range.file == path else {
        return nil
      }
      return Diagnostic(
        "no step applies the chaos entry \"\(entry.name.value)\"", code: .neverMet, at: entry.range,
        help: "add a step \"- apply: \(entry.name.value)\", or take out \"apply: false\"")
    }
  }
}
