internal import ScenarioPlan

extension SavedPlan {
  /// Returns the differences from another plan, a line for each case: `+` new, `-` gone, `~`
  /// changed, in its order.
  ///
  /// - Returns: Nothing where the same cases are run in the same order from the same files.
  package func difference(from old: SavedPlan) -> [String] {
    var lines: [String] = []
    let before = Dictionary(old.cases.map { ($0.identifier, $0) }) { first, _ in first }
    let now = Set(cases.map(\.identifier))
    for planned in cases {
      guard let earlier = before[planned.identifier] else {
        lines.append("+ \(planned.identifier)")
        continue
      }
      if earlier != planned { lines.append("~ \(planned.identifier)") }
    }
    lines += old.cases.filter { !now.contains($0.identifier) }.map { "- \($0.identifier)" }
    if lines.isEmpty, cases.map(\.identifier) != old.cases.map(\.identifier) {
      lines.append("~ the order of the cases")
    }
    let files = Dictionary(old.inputs.map { ($0.path, $0.sha256) }) { first, _ in first }
    let paths = Set(inputs.map(\.path))
    for input in inputs {
      switch files[input.path] {
      case .none: lines.append("+ file \(input.path)")
      case .some(let sha256) where sha256 != input.sha256: lines.append("~ file \(input.path)")
      case .some: break
      }
    }
    lines += old.inputs.filter { !paths.contains($0.path) }.map { "- file \($0.path)" }
    return lines
  }
}
