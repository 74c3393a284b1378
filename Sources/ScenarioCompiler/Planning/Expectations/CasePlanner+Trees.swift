internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Conditions on whole folders.
extension CasePlanner {
  /// A condition on a path that ends with `/`.
  mutating func planFolder(
    _ text: Located<String>, _ condition: FileCondition
  ) -> PlannedExpectation.Subject? {
    checkFolder(text)
    switch condition {
    case .absent: return .tree(PlannedTree(path: text.value, .absent, at: text.range))
    case .exists: return .tree(PlannedTree(path: text.value, .exists, at: text.range))
    case .properties(let properties):
      return .fileProperties(
        GlobPattern(String(text.value.dropLast())),
        PlannedFileProperties(
          kind: .folder, link: nil, mode: properties.mode?.value, digest: nil))
    case .tree(let tree): return plan(tree, at: text).map { .tree($0) }
    case .content: return nil
    }
  }

  private mutating func checkFolder(_ text: Located<String>) {
    guard !["./", "$HOME/", "$TMPDIR/"].contains(text.value) else { return }
    if let problem = PathText.problem(inDirectory: String(text.value.dropLast())) {
      report(
        problem, code: .badPlace, at: text.range,
        help: "write a folder in the case's directory, such as out/, or ./ for the whole directory")
    } else if text.value.contains(where: { "*?[\\".contains($0) }) {
      report(
        "a glob can match several folders", code: .badPattern, at: text.range,
        help: "name one folder; \"ignore\" excludes files in it")
    }
  }

  private mutating func plan(_ tree: TreeCondition, at text: Located<String>) -> PlannedTree? {
    let content: PlannedTree.Condition?
    switch tree.content {
    case .folder(let path): content = .equals(folder: existingFolder(path) + "/")
    case .only(let patterns): content = plan(patterns).map { .only($0) }
    case .snapshot(let name):
      snapshots.subject = text.value == "./" ? "files" : String(text.value.dropLast())
      content = .snapshot(snapshot(name))
    }
    guard let content, let ignored = plan(tree.ignored) else { return nil }
    return PlannedTree(
      path: text.value, content, ignored: ignored, comparesModes: tree.comparesModes,
      at: tree.range)
  }

  /// Patterns relative to a folder.
  private mutating func plan(_ patterns: [Located<String>]) -> [GlobPattern]? {
    let planned = patterns.compactMap { text -> GlobPattern? in
      let path = text.value.hasSuffix("/") ? String(text.value.dropLast()) : text.value
      if let problem = PathText.problem(inDirectory: path) {
        report(
          problem, code: .badPlace, at: text.range,
          help: "write a path or glob relative to the folder, such as *.json or logs/")
        return nil
      }
      return data.diagnostics.catching(as: .badPattern, at: text.range) {
        () throws(PatternError) in
        let pattern = GlobPattern(text.value)
        try pattern.validate()
        return pattern
      }
    }
    return planned.count == patterns.count ? planned : nil
  }

  /// The path of a folder that the scenario names, seen from the folder of the file that says it.
  private mutating func existingFolder(_ path: Located<String>) -> String {
    let resolved = PathText.join(folder(at: path.range), path.value)
    if options.filesBelow(resolved) == nil {
      report(
        "the folder \"\(resolved)\" does not exist", code: .missingFile, at: path.range,
        help:
          "write the path relative to the scenario file's folder; to start with an empty folder, create it with mkdir"
      )
    }
    return resolved
  }
}
