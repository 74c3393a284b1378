package import Foundations
package import ScenarioModel
package import ScenarioPlan

/// Turns scenario files into a plan.
package enum Planner {
  /// Plans every selected scenario.
  ///
  /// All mistakes of all files are reported, also of scenarios that were not selected; the plan is
  /// `nil` if any of them is an error.
  package static func plan(
    files: [ScenarioFile], options: PlannerOptions
  ) -> (plan: ExecutionPlan?, diagnostics: [Diagnostic]) {
    let (cases, diagnostics) = planned(files, options) { $0 }
    var plan = diagnostics.hasErrors ? nil : ExecutionPlan(cases: cases)
    plan?.secrets = PlannedSecrets(of: files)
    return (plan, reported(diagnostics, of: files))
  }

  /// Plans every scenario to find what is wrong, and keeps no plan: how many cases were selected.
  package static func check(
    files: [ScenarioFile], options: PlannerOptions
  ) -> (count: Int, diagnostics: [Diagnostic]) {
    let (cases, diagnostics) = planned(files, options) { CaseListing($0) }
    return (cases.count, reported(diagnostics, of: files))
  }

  /// Plans all files; `keep` makes what is kept of each selected case.
  private static func planned<Kept: SelectableCase>(
    _ files: [ScenarioFile], _ options: PlannerOptions, keep: (PlannedCase) -> Kept
  ) -> (cases: [Kept], diagnostics: DiagnosticBag) {
    var diagnostics = DiagnosticBag()
    var cases: [Kept] = []
    var only: [String: SourceRange] = [:]
    for file in files { PlannedSecrets.check(file, &diagnostics) }
    let listed = listed(files, &diagnostics).filter { options.wants($0.file) }
    // Cases are large: as the list grows, both the old and the new one would be there.
    cases.reserveCapacity(listed.reduce(0) { $0 + $1.cases.count })
    for (file, place, listed) in listed {
      for one in listed {
        guard let mark = one.body.only, mark.value else { continue }
        only["\(file.path)::\(one.name)"] = mark.range
        if options.only == .refused { diagnostics.report(Self.refusal(of: mark)) }
      }
      plan(file, listed, from: place, options, &diagnostics) { cases.append(keep($0)) }
    }
    cases = CaseSelection(options, &diagnostics).apply(to: cases, of: files, &diagnostics)
    if options.only == .heeded, !only.isEmpty { cases = keepOnly(only, cases, &diagnostics) }
    return (cases, diagnostics)
  }

  private static func reported(_ diagnostics: DiagnosticBag, of files: [ScenarioFile])
    -> [Diagnostic]
  {
    withUses(diagnostics.sorted(byFiles: files.map(\.path)), of: files)
  }

  /// Returns each file once, its cases, and the number of cases in files whose paths sort before,
  /// in whatever order they were named.
  static func listed(
    _ files: [ScenarioFile], _ diagnostics: inout DiagnosticBag
  ) -> [(file: ScenarioFile, place: Int, cases: [ListedCase])] {
    var paths: Set<String> = []
    var listed = files.filter { paths.insert($0.path).inserted }
      .map { (file: $0, place: 0, cases: cases(of: $0, &diagnostics)) }
    var count = 0
    for index in listed.indices.sorted(by: { listed[$0].file.path < listed[$1].file.path }) {
      listed[index].place = count
      count += max(1, listed[index].cases.count)
    }
    return listed
  }

  private static func plan(
    _ file: ScenarioFile, _ listed: [ListedCase], from place: Int, _ options: PlannerOptions,
    _ diagnostics: inout DiagnosticBag, take: (PlannedCase) -> Void
  ) {
    var schemas = SchemaCache()
    var protos = ProtoCache()
    var recordings: [SourceRange: Set<String>] = [:]
    var documents = OpenAPICache()
    var use = FactoryUse()
    var namesRead = NamesRead()
    var snapshots = SnapshotUse()
    var checked: CheckedFactories?
    var isRunnable = false
    for (offset, one) in listed.enumerated() {
      var planner = CasePlanner(
        file: file.path, folder: file.pathFolder, case: one, index: place + offset, options,
        diagnostics, shared: file.shared.files)
      if let reduced = options.reduced, reduced.identifier != planner.identifier { continue }
      planner.schemas = schemas
      planner.protoCache = protos
      planner.recordingsOfRows = recordings
      planner.openAPICache = documents
      planner.checkedFactories = checked
      var planned = planner.plan()
      if one.sharesLine { planned?.sharesLine = true }
      if let planned {
        isRunnable = true
        take(planned)
      }
      schemas = planner.schemas
      protos = planner.protoCache
      recordings = planner.recordingsOfRows
      documents = planner.openAPICache
      // That its values do not fit may be why a row is left out; what is wrong with all rows, others tell.
      let isLeftOut = one.row != nil && planned?.skip != nil && !one.body.isSkippedAlways
      if !isLeftOut {
        diagnostics = planner.data.diagnostics
        checked = planner.checkedFactories
      }
      if let planned { snapshots.add(planned, &diagnostics) }
      use.formUnion(planner.data.use)
      namesRead.formUnion(planner.data.namesRead)
    }
    let factories = file.defaults.factories + file.scenarios.flatMap(\.body.factories)
    if !factories.isEmpty {
      let review = FactoryReview(
        definitions: factories, shared: file.shared.factories, use: use,
        context: EvaluationContext(of: file, options))
      for mistake in review.mistakes { diagnostics.report(mistake) }
      // Unused parts of a file for others are not reported, nor those of included files.
      if options.reportsUnused, isRunnable, !diagnostics.hasErrors {
        for warning in review.unused where warning.range?.file == file.path {
          diagnostics.report(warning)
        }
      }
    }
    if options.reportsUnused, isRunnable, !diagnostics.hasErrors {
      for warning in file.unreadInputs(beside: namesRead) { diagnostics.report(warning) }
    }
    for warning in file.unappliedChaos + file.lostNetwork { diagnostics.report(warning) }
  }

  // MARK: - Only

  private static func refusal(of mark: Located<Bool>) -> Diagnostic {
    Diagnostic(
      "\"only\" skips other scenarios, which is not allowed in an automatic build",
      code: .refusedOnly, at: mark.range,
      help: "remove it before you commit the file, or add --allow-only")
  }

  /// The cases that `only: true` marks, if it marks any of these.
  private static func keepOnly<Kept: SelectableCase>(
    _ only: [String: SourceRange], _ cases: [Kept], _ diagnostics: inout DiagnosticBag
  ) -> [Kept] {
    let marked = cases.filter { only[$0.identifier] != nil }
    guard let first = marked.first, let range = only[first.identifier] else { return cases }
    let count = cases.count - marked.count
    guard count > 0 else { return cases }
    diagnostics.report(
      Diagnostic(
        "\"only\" skips \(count) other case\(count == 1 ? "" : "s")", code: .leftOut,
        at: range,
        help: "remove it to run everything"))
    return marked
  }

  // MARK: - Shared files

  /// Adds to the mistakes in a used file the place of its use.
  private static func withUses(
    _ diagnostics: [Diagnostic], of files: [ScenarioFile]
  ) -> [Diagnostic] {
    var places: [String: SourceRange] = [:]
    for shared in files.flatMap(\.shared.files) where places[shared.path] == nil {
      places[shared.path] = shared.usedAt
    }
    guard !places.isEmpty else { return diagnostics }
    return diagnostics.map { diagnostic in
      guard let file = diagnostic.range?.file, let place = places[file] else { return diagnostic }
      var diagnostic = diagnostic
      diagnostic.notes.append(Diagnostic.Note("the file is included here", at: place))
      return diagnostic
    }
  }
}

extension ScenarioFile {
  /// The folder that paths count from.
  var pathFolder: String? {
    folder.map { PathText.join(PathText.folder(of: path), $0.value) }
  }
}
