internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// A scenario of a file before it is planned, or one row of it.
struct ListedCase {
  /// The part that the rows of a matrix share: an entry is large, and a matrix may have thousands
  /// of rows.
  private final class Scenario {
    let entry: ScenarioEntry

    init(_ entry: ScenarioEntry) { self.entry = entry }
  }

  private let scenario: Scenario
  /// The name of the case.
  private(set) var name: String
  /// The row of its matrix.
  private(set) var row: MatrixRow?
  /// True if another scenario is in the line in which it begins.
  private(set) var sharesLine = false
  /// True if it is the scenario of a file without `scenarios`.
  let isWholeFile: Bool
  /// The values of `vars:`.
  let variables: VariableValues
  /// The names of `secrets: { env: … }`.
  let secrets: [String]

  /// A scenario that is one case.
  init(
    _ entry: ScenarioEntry, name: String, sharesLine: Bool, isWholeFile: Bool,
    variables: VariableValues, secrets: [String]
  ) {
    scenario = Scenario(entry)
    self.name = name
    self.sharesLine = sharesLine
    self.isWholeFile = isWholeFile
    self.variables = variables
    self.secrets = secrets
  }

  /// The case of another row of the same scenario, or of the first one.
  func of(_ row: MatrixRow, name: String) -> ListedCase {
    var copy = self
    copy.name = name
    copy.row = row
    return copy
  }

  /// The body of the scenario, defaults filled in.
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
    let secrets = file.allSecrets.flatMap { $0.variables.map(\.value) }
    var cases: [ListedCase] = []
    cases.reserveCapacity(file.scenarios.count)
    let isWholeFile = file.scenarios.isEmpty
    for place in 0..<max(1, file.scenarios.count) {
      let listing = ScenarioListing(file, place)
      for mistake in listing.variables.mistakes { diagnostics.report(mistake) }
      let sharesLine = sharesLine(place, of: file)
      guard let matrix = listing.matrix else {
        let entry = listing.entry(row: nil, &diagnostics)
        cases.append(
          ListedCase(
            entry, name: names.unique(entry.name.value), sharesLine: sharesLine,
            isWholeFile: isWholeFile, variables: listing.variables, secrets: secrets))
        continue
      }
      var shared: ListedCase?
      let expansion = MatrixExpansion(matrix: matrix, scenario: listing.name)
      for row in expansion.rows(&diagnostics) {
        let scenario: ListedCase
        if let shared, !listing.namesRow {
          scenario = shared
        } else {
          let entry = listing.entry(row: row.values, &diagnostics)
          scenario = ListedCase(
            entry, name: entry.name.value, sharesLine: false, isWholeFile: isWholeFile,
            variables: listing.variables, secrets: secrets)
          shared = scenario
        }
        let name = listing.namesRowInName ? scenario.name : "\(scenario.name) \(row.label)"
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
}

extension ScenarioBody {
  /// True if no condition decides about leaving the scenario out.
  var isSkippedAlways: Bool { skip?.condition == nil }
}
