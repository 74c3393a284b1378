internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// The properties that a selection reads.
protocol SelectableCase {
  /// `FILE::NAME`, unique within the plan.
  var identifier: String { get }
  var file: String { get }
  /// Unique within the file.
  var name: String { get }
  var tags: [String] { get }
  /// The place of the scenario's beginning.
  var range: SourceRange { get }
  var lastLine: Int { get }
  var row: MatrixRow? { get }
}

extension PlannedCase: SelectableCase {}
extension CaseListing: SelectableCase {}

/// Picks the cases that the command line asked for.
struct CaseSelection {
  /// The selections of each file.
  private let selections: [String: [Selection]]
  private let filter: RegularExpression?
  private let options: PlannerOptions

  init(_ options: PlannerOptions, _ diagnostics: inout DiagnosticBag) {
    self.options = options
    selections = Dictionary(grouping: options.selections, by: \.path)
    filter = options.nameFilter.map(RegularExpression.init)
    guard let filter else { return }
    do throws(PatternError) {
      try filter.validate()
    } catch {
      diagnostics.report(error.message, code: .badArguments, at: nil, help: error.help)
    }
  }

  func apply<Case: SelectableCase>(
    to cases: [Case], of files: [ScenarioFile], _ diagnostics: inout DiagnosticBag
  ) -> [Case] {
    for file in files {
      for line in selections[file.path, default: []].compactMap(\.line) {
        check(line, of: file, cases, &diagnostics)
      }
    }
    checkNames(cases, &diagnostics)
    if let tags = options.tags {
      for warning in tags.warnings(whereKnown: Set(cases.flatMap(\.tags))) {
        diagnostics.report(warning)
      }
    }
    let alone = Set(files.filter(\.scenarios.isEmpty).map(\.path))
    let rowed = rowed(cases)
    func isWanted(_ planned: Case) -> Bool {
      isSelected(planned, isAlone: alone.contains(planned.file), rowed)
        && filter?.isFound(in: planned.identifier) ?? true
        && options.tags?.isMet(by: planned.tags) ?? true
        && options.identifiers?.contains(planned.identifier) ?? true
        && isNamed(planned)
    }
    // Most often all are, and then thousands of large values need not be copied.
    guard let first = cases.firstIndex(where: { !isWanted($0) }) else { return cases }
    return Array(cases[..<first]) + cases[first...].dropFirst().filter(isWanted)
  }

  private func isNamed(_ planned: some SelectableCase) -> Bool {
    options.caseNames.isEmpty || options.caseNames.contains { planned.isCalled($0) }
  }

  /// A name that no case has is a slip, whatever the others select.
  private func checkNames(_ cases: [some SelectableCase], _ diagnostics: inout DiagnosticBag) {
    for name in options.caseNames where !cases.contains(where: { $0.isCalled(name) }) {
      let near = Suggestion.closest(to: name, in: cases.map(\.name))
      diagnostics.report(
        "unknown case \"\(name)\"", code: .badArguments, at: nil,
        help: near.map { "did you mean \"\($0)\"?" }
          ?? "write the exact name, which \"scenario list\" prints, or a part of it with --filter")
    }
  }

  /// The scenarios of which a row is written in a line that was asked for.
  private func rowed(_ cases: [some SelectableCase]) -> [Selection: Set<SourceRange>] {
    var rowed: [Selection: Set<SourceRange>] = [:]
    for selection in selections.values.joined() {
      guard let line = selection.line else { continue }
      let rows = cases.filter { $0.file == selection.path && $0.isRow(in: line) }
      rowed[selection] = Set(rows.map(\.range))
    }
    return rowed
  }

  private func check(
    _ line: Int, of file: ScenarioFile, _ cases: [some SelectableCase],
    _ diagnostics: inout DiagnosticBag
  ) {
    let entries = file.scenarios
    guard !entries.isEmpty, !entries.contains(where: { $0.spans(line) }),
      !cases.contains(where: { $0.file == file.path && $0.isRow(in: line) })
    else { return }
    let list = entries.map { "\($0.name.value) (\($0.range.line) to \($0.lastLine))" }
    diagnostics.report(
      "line \(line) of \"\(file.path)\" contains no scenario", code: .badArguments,
      at: SourceRange(file: file.path, line: max(1, line), column: 1),
      help: "scenarios and their lines: \(list.joined(separator: ", "))")
  }

  /// A scenario that is alone in its file stands in all of its lines; a row that is written out stands in its
  /// own.
  private func isSelected(
    _ planned: some SelectableCase, isAlone: Bool, _ rowed: [Selection: Set<SourceRange>]
  ) -> Bool {
    guard !selections.isEmpty else { return true }
    return selections[planned.file, default: []].contains { selection in
      guard let line = selection.line else { return true }
      if planned.isRow(in: line) { return true }
      guard isAlone || planned.range.line <= line && line <= planned.lastLine else { return false }
      return !(rowed[selection]?.contains(planned.range) ?? false)
    }
  }
}

extension SelectableCase {
  /// Returns whether a name is that of the case, with its file or without, or that of the scenario of which it is
  /// a row.
  fileprivate func isCalled(_ name: String) -> Bool {
    name == self.name || name == identifier || name == row?.scenario
  }

  /// Returns whether the case is a row that is written in a line of its file.
  fileprivate func isRow(in line: Int) -> Bool {
    row?.stands(in: line, of: file) ?? false
  }
}

extension ScenarioEntry {
  fileprivate func spans(_ line: Int) -> Bool {
    range.line <= line && line <= lastLine
  }
}
