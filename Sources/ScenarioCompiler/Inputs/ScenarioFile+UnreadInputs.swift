internal import Foundations
internal import ScenarioModel

extension ScenarioFile {
  /// Warnings of variables, and of columns of a matrix, that no expression reads.
  ///
  /// What a file of rows has beside may be for others, and what steps capture is shown in reports.
  ///
  /// - Parameter others: the names that expressions in other files read, which replies send.
  func unreadInputs(beside others: NamesRead) -> [Diagnostic] {
    var names = namesRead
    names.formUnion(shared.namesRead)
    names.formUnion(others)
    let bodies = [defaults] + scenarios.map(\.body)
    let variables = bodies.flatMap(\.variables).map(\.name)
    let columns = bodies.compactMap(\.matrix).flatMap(\.columns)
    // Without an axis there were fewer cases.
    let axes = Set(
      bodies.compactMap(\.matrix).filter { $0.source == nil }.flatMap(\.axes).map(\.name.range))
    return unread(variables, behind: "vars", names)
      + unread(columns, behind: "matrix", names).map { found in
        guard let range = found.range, axes.contains(range) else { return found }
        var found = found
        found.help =
          found.help.map { $0 + ", or use it in \"name\" if it only multiplies cases" }
        return found
      }
  }

  private func unread(
    _ defined: [Located<String>], behind root: String, _ names: NamesRead
  ) -> [Diagnostic] {
    var seen: Set<String> = []
    return defined.filter { name in
      seen.insert(name.value).inserted && name.range.file == path
        && !names.reads(name.value, behind: root)
    }.map { name in
      Diagnostic(
        "no expression reads \"\(root).\(name.value)\"", code: .unused, at: name.range,
        help: "write ${{ \(root).\(name.value) }} to use its value, or remove it")
    }
  }
}

extension Matrix {
  /// The columns that the scenario's file names.
  fileprivate var columns: [Located<String>] {
    guard source == nil else { return [] }
    return axes.map(\.name) + (rows + include).flatMap { $0.cells.map(\.name) }
  }
}
