internal import ScenarioModel

/// A scenario of a file before it is planned, or one row of it.
struct ListedCase {
  /// The scenario, defaults filled in; its name is that of the case.
  var entry: ScenarioEntry
  /// The row of its matrix.
  var row: MatrixRow?
  /// Whether another scenario stands in the line in which it begins.
  var sharesLine = false
  /// Whether it is the scenario of a file without `scenarios`.
  var isWholeFile = false
}

extension Planner {
  /// The scenarios of a file, one for each row of their matrices, each with a name of its own.
  static func cases(of file: ScenarioFile, _ diagnostics: inout DiagnosticBag) -> [ListedCase] {
    var names = NumberedNames()
    var cases: [ListedCase] = []
    cases.reserveCapacity(file.scenarios.count)
    let isWholeFile = file.scenarios.isEmpty
    for place in 0..<max(1, file.scenarios.count) {
      let entry = entry(place, of: file)
      let sharesLine = sharesLine(place, of: file)
      guard let matrix = entry.body.matrix else {
        let named = entry.named(entry.name.value, among: &names)
        cases.append(
          ListedCase(entry: named, sharesLine: sharesLine, isWholeFile: isWholeFile))
        continue
      }
      let expansion = MatrixExpansion(matrix: matrix, scenario: entry.name.value)
      for row in expansion.rows(&diagnostics) {
        let name = "\(entry.name.value) \(row.label)"
        cases.append(
          ListedCase(
            entry: entry.named(name, among: &names), row: row, isWholeFile: isWholeFile))
      }
    }
    return cases
  }

  /// Scenarios stand in the order of their lines, so that only neighbours can share one.
  private static func sharesLine(_ place: Int, of file: ScenarioFile) -> Bool {
    let entries = file.scenarios
    guard entries.indices.contains(place) else { return false }
    let line = entries[place].range.line
    return place > 0 && entries[place - 1].lastLine >= line
      || place + 1 < entries.count && entries[place + 1].range.line <= line
  }

  /// A scenario of a file, defaults filled in; the one of a file without `scenarios`.
  ///
  /// They are made one by one, since files may hold tens of thousands.
  private static func entry(_ place: Int, of file: ScenarioFile) -> ScenarioEntry {
    if file.scenarios.indices.contains(place) {
      var entry = file.scenarios[place]
      entry.body = entry.body.over(file.defaults).over(file.shared)
      return entry
    }
    let top = SourceRange(file: file.path, line: 1, column: 1)
    let name = file.name ?? Located(PathText.baseName(of: file.path), at: top)
    let lastLine = file.defaults.lastKnownLine ?? name.range.line
    let body = file.defaults.over(file.shared)
    return ScenarioEntry(name: name, body: body, range: name.range, lastLine: lastLine)
  }
}

extension ScenarioEntry {
  /// The entry with a name that no other has.
  fileprivate func named(_ name: String, among names: inout NumberedNames) -> ScenarioEntry {
    var entry = self
    entry.name.value = names.unique(name)
    return entry
  }
}

extension ScenarioBody {
  /// The last line that steps or expectations are known to stand in.
  fileprivate var lastKnownLine: Int? {
    let steps = steps?.map(\.keyword.range.line) ?? []
    let expectations = expect?.entries.map(\.range.line) ?? []
    return (steps + expectations).max()
  }
}

extension ScenarioEntry {
  /// Whether no condition decides about leaving the scenario out.
  var isSkippedAlways: Bool { body.skip?.condition == nil }
}
