internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// A scenario of a file before it is planned, or one row of it.
struct ListedCase {
  /// What the rows of a matrix share: an entry is large, and a matrix may have thousands of rows.
  private final class Scenario {
    let entry: ScenarioEntry

    init(_ entry: ScenarioEntry) { self.entry = entry }
  }

  private let scenario: Scenario
  /// The name of the case.
  private(set) var name: String
  /// The row of its matrix.
  private(set) var row: MatrixRow?
  /// True if another scenario stands in the line in which it begins.
  private(set) var sharesLine = false
  /// True if it is the scenario of a file without `scenarios`.
  let isWholeFile: Bool

  /// A scenario that is one case.
  init(_ entry: ScenarioEntry, name: String, sharesLine: Bool, isWholeFile: Bool) {
    scenario = Scenario(entry)
    self.name = name
    self.sharesLine = sharesLine
    self.isWholeFile = isWholeFile
  }

  /// The case of another row of the same scenario, or of the first one.
  func of(_ row: MatrixRow, name: String) -> ListedCase {
    var copy = self
    copy.name = name
    copy.row = row
    return copy
  }

  /// What the scenario says, defaults filled in.
  var body: ScenarioBody { scenario.entry.body }

  /// The scenario, defaults filled in; its name is that of the case.
  var entry: ScenarioEntry {
    var entry = scenario.entry
    entry.name.value = name
    return entry
  }
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
        cases.append(
          ListedCase(
            entry, name: names.unique(entry.name.value), sharesLine: sharesLine,
            isWholeFile: isWholeFile))
        continue
      }
      let expansion = MatrixExpansion(matrix: matrix, scenario: entry.name.value)
      let scenario = ListedCase(
        entry, name: entry.name.value, sharesLine: false, isWholeFile: isWholeFile)
      for row in expansion.rows(&diagnostics) {
        let name = "\(entry.name.value) \(row.label)"
        cases.append(scenario.of(row, name: names.unique(name)))
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

extension ScenarioBody {
  /// The last line that steps or expectations are known to stand in.
  fileprivate var lastKnownLine: Int? {
    let steps = steps?.map(\.keyword.range.line) ?? []
    let expectations = expect?.entries.map(\.range.line) ?? []
    return (steps + expectations).max()
  }
}

extension ScenarioBody {
  /// True if no condition decides about leaving the scenario out.
  var isSkippedAlways: Bool { skip?.condition == nil }
}
