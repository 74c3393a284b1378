public import ScenarioModel

/// Turns scenario files into a plan.
public enum Planner {
  /// Plans every selected scenario.
  ///
  /// All mistakes of all files are told, also of scenarios that were not selected; the plan is
  /// `nil` if any of them is an error.
  public static func plan(
    files: [ScenarioFile], options: PlannerOptions
  ) -> (plan: ExecutionPlan?, diagnostics: [Diagnostic]) {
    var diagnostics = DiagnosticBag()
    var cases: [PlannedCase] = []
    var paths: Set<String> = []
    let places = places(of: files)
    for file in files where paths.insert(file.path).inserted && options.wants(file) {
      cases += plan(file, from: places[file.path] ?? 0, options, &diagnostics)
    }
    cases = CaseSelection(options, &diagnostics).apply(to: cases, of: files, &diagnostics)
    let plan = diagnostics.hasErrors ? nil : ExecutionPlan(cases: cases)
    return (plan, diagnostics.sorted(byFiles: files.map(\.path)))
  }

  /// How many scenarios stand in files whose paths sort before, in whatever order they were named.
  private static func places(of files: [ScenarioFile]) -> [String: Int] {
    var places: [String: Int] = [:]
    var count = 0
    for file in files.sorted(by: { $0.path < $1.path }) where places[file.path] == nil {
      places[file.path] = count
      count += max(1, file.scenarios.count)
    }
    return places
  }

  private static func plan(
    _ file: ScenarioFile, from place: Int, _ options: PlannerOptions,
    _ diagnostics: inout DiagnosticBag
  ) -> [PlannedCase] {
    var cases: [PlannedCase] = []
    var names: Set<String> = []
    var schemas = GraphQLSchemaShelf()
    var use = FactoryUse()
    for (offset, listed) in entries(of: file).enumerated() {
      var entry = listed
      entry.name.value = unique(entry.name.value, among: names)
      names.insert(entry.name.value)
      var planner = CasePlanner(
        file: file.path, folder: file.pathFolder, entry: entry, index: place + offset, options,
        diagnostics)
      if let reduced = options.reduced, reduced.identifier != planner.identifier { continue }
      planner.schemas = schemas
      if let planned = planner.plan() { cases.append(planned) }
      schemas = planner.schemas
      diagnostics = planner.data.diagnostics
      use.formUnion(planner.data.use)
    }
    let factories = file.defaults.factories + file.scenarios.flatMap(\.body.factories)
    if !factories.isEmpty, !diagnostics.hasErrors {
      let review = FactoryReview(definitions: factories, use: use)
      for circle in review.circles { diagnostics.report(circle) }
      // What stands in a file for others to use is not told, and neither is what others let in.
      if options.tellsUnused, !cases.isEmpty {
        for warning in review.unused where warning.range?.file == file.path {
          diagnostics.report(warning)
        }
      }
    }
    for warning in file.unappliedChaos { diagnostics.report(warning) }
    return cases
  }

  /// The scenarios of a file, defaults filled in; one for a file without `scenarios`.
  static func entries(of file: ScenarioFile) -> [ScenarioEntry] {
    guard file.scenarios.isEmpty else {
      return file.scenarios.map { entry in
        var entry = entry
        entry.body = entry.body.over(file.defaults)
        return entry
      }
    }
    let top = SourceRange(file: file.path, line: 1, column: 1)
    let name = file.name ?? Located(PathText.baseName(of: file.path), at: top)
    let lastLine = file.defaults.lastKnownLine ?? name.range.line
    return [
      ScenarioEntry(name: name, body: file.defaults, range: name.range, lastLine: lastLine)
    ]
  }

  private static func unique(_ name: String, among names: Set<String>) -> String {
    guard names.contains(name) else { return name }
    var number = 2
    while names.contains("\(name) #\(number)") { number += 1 }
    return "\(name) #\(number)"
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

extension ScenarioFile {
  /// The folder that paths count from.
  fileprivate var pathFolder: String? {
    folder.map { PathText.join(PathText.folder(of: path), $0.value) }
  }
}
