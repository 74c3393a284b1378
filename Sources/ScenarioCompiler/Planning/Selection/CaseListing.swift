package import Foundations
internal import OrderedCollections
package import ScenarioModel
package import ScenarioPlan

/// One case in a list.
package struct CaseListing: Sendable, Hashable {
  /// The file that contains it.
  package var file: String
  /// The case's name, unique within the file.
  package var name: String
  /// The place where the scenario begins.
  package var range: SourceRange
  /// The last line that belongs to the scenario.
  package var lastLine: Int
  /// Tags in file order.
  package var tags: [String]
  /// The row of its matrix.
  package var row: MatrixRow?
  /// True if `only: true` marks it.
  package var isOnly: Bool
  /// The reason why it is not run, where that depends on nothing.
  package var skip: String?

  /// `FILE::NAME`, as a plan has it.
  var identifier: String { "\(file)::\(name)" }
  /// The line by which it is selected: that of its row, where that is written out.
  package var line: Int { row?.range?.line ?? range.line }
}

extension CaseListing {
  /// The case as an object; what is not there is left out.
  package var json: Value {
    var members: OrderedDictionary<String, Value> = [
      "file": .string(file), "line": .integer(Int64(line)), "name": .string(name),
      "tags": .list(tags.map { .string($0) }),
    ]
    if let row {
      members["scenario"] = .string(row.scenario)
      members["matrix"] = .map(row.values)
    }
    if isOnly { members["only"] = .bool(true) }
    if let skip { members["skip"] = .string(skip) }
    return .map(members)
  }
}

extension Planner {
  /// The cases that files hold and the options select, without planning what they do.
  package static func list(
    files: [ScenarioFile], options: PlannerOptions
  ) -> (cases: [CaseListing], diagnostics: [Diagnostic]) {
    var diagnostics = DiagnosticBag()
    let selection = CaseSelection(options, &diagnostics)
    let cases = listed(files, &diagnostics).flatMap { file, _, cases in
      cases.map { CaseListing($0, of: file) }
    }
    let selected = selection.apply(to: cases, of: files, &diagnostics)
    return (selected, diagnostics.sorted(byFiles: files.map(\.path)))
  }
}

extension CaseListing {
  init(_ listed: ListedCase, of file: ScenarioFile) {
    let entry = listed.entry
    let body = entry.body
    self.init(
      file: file.path, name: entry.name.value, range: entry.range, lastLine: entry.lastLine,
      tags: body.tags.map(\.value), row: listed.row,
      isOnly: body.only?.value ?? false,
      skip: body.skip.flatMap { $0.condition == nil ? $0.reason.value : nil })
  }

  /// Makes the listing of a planned case.
  package init(_ planned: PlannedCase) {
    self.init(
      file: planned.file, name: planned.name, range: planned.range, lastLine: planned.lastLine,
      tags: planned.tags, row: planned.row, isOnly: false, skip: planned.skip)
  }
}
