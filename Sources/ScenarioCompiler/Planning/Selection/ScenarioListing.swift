internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// A scenario of a file with all that it is put together from, before its rows are known.
///
/// They are made one by one, since files may hold tens of thousands.
struct ScenarioListing {
  /// The values of `vars:`.
  let variables: VariableValues
  /// The scenario's name as it is written.
  let name: String
  /// `matrix:`.
  let matrix: Matrix?
  private let file: ScenarioFile
  private let own: ScenarioEntry

  /// Finds a scenario by its place; the one of a file without `scenarios` where there are none.
  init(_ file: ScenarioFile, _ place: Int) {
    self.file = file
    if file.scenarios.indices.contains(place) {
      own = file.scenarios[place]
      matrix = own.body.matrix ?? file.defaults.matrix
      variables = VariableValues(
        own.body.variables.over(file.defaults.variables).over(file.shared.variables), file.inputs)
    } else {
      let top = SourceRange(file: file.path, line: 1, column: 1)
      let name = file.name ?? Located(PathText.baseName(of: file.path), at: top)
      let lastLine = file.defaults.lastKnownLine ?? name.range.line
      own = ScenarioEntry(
        name: name, body: ScenarioBody(), range: name.range, lastLine: lastLine)
      matrix = file.defaults.matrix
      variables = VariableValues(
        file.defaults.variables.over(file.shared.variables), file.inputs)
    }
    name = own.name.value
  }

  private var isWholeFile: Bool { file.scenarios.isEmpty }

  /// True if the row decides about more than data.
  var namesRow: Bool { own.late?.namesRow ?? false || file.late?.namesRow ?? false }

  /// True if the row decides about the scenario's name.
  var namesRowInName: Bool {
    isWholeFile ? file.late?.namesRowInName ?? false : own.late?.namesRowInName ?? false
  }

  /// The scenario with defaults filled in, and expressions of its variables and its row read in their places.
  func entry(
    row: OrderedDictionary<String, Value>?, _ diagnostics: inout DiagnosticBag
  ) -> ScenarioEntry {
    var entry = own
    var defaults = file.defaults
    let evaluation = LateEvaluation(variables: variables, row: row, scenario: name)
    if let late = own.late {
      let result = evaluation.read(late, &diagnostics)
      let read = result.body
      entry.body = read.keepingEarly(of: own.body)
      if let name = result.name { entry.name = name }
    }
    if let late = file.late {
      let result = evaluation.read(late, &diagnostics)
      defaults = result.body.keepingEarly(of: file.defaults)
      if isWholeFile, let name = result.name { entry.name = name }
    }
    entry.body =
      isWholeFile ? defaults.over(file.shared) : entry.body.over(defaults).over(file.shared)
    return entry
  }
}

extension ScenarioBody {
  /// The body with what was known when its file was read.
  func keepingEarly(of other: ScenarioBody) -> ScenarioBody {
    var body = self
    body.matrix = other.matrix
    body.variables = other.variables
    return body
  }
}

extension ScenarioBody {
  /// The last line that is known to contain steps or expectations.
  fileprivate var lastKnownLine: Int? {
    let steps = steps?.map(\.keyword.range.line) ?? []
    let expectations = expect?.entries.map(\.range.line) ?? []
    return (steps + expectations).max()
  }
}
