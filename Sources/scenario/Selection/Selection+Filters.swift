internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

extension SelectionOptions {
  /// The folders that are searched if no path is given.
  static let defaultPaths = ["scenarios"]

  /// Reads the files that the paths name, or those in which something failed, where that is asked for and no
  /// path is given.
  ///
  /// - Parameters:
  ///   - recorded: Cases that are to run as they did.
  ///   - standardInput: What a file from standard input is called; `nil` where none can be read from there.
  func readInput(
    recorded: LastFailedCases? = nil, standardInput: String? = nil
  ) -> (input: ScenarioInput, lastFailed: LastFailedCases?) {
    guard filters.lastFailed || recorded != nil else {
      return (read(wantedPaths, standardInput: standardInput), nil)
    }
    let failed = recorded ?? LastFailedCases(in: Project.current())
    guard let failed, paths == Self.defaultPaths else {
      return (read(wantedPaths, as: failed), failed)
    }
    return (read(failed.paths, as: failed), failed)
  }

  /// Reads files with what is given for their variables, or was when they were run before.
  func read(
    _ paths: [String], as recorded: LastFailedCases? = nil, standardInput: String? = nil
  ) -> ScenarioInput {
    var (inputs, diagnostics, sources) = variables.inputs()
    if let recorded { inputs.files.merge(recorded.inputs.files) { own, _ in own } }
    var input = ScenarioInput.read(
      paths, root: root, standardInput: standardInput, inputs: inputs)
    input.diagnostics += diagnostics
    input.sources.merge(sources) { own, _ in own }
    return input
  }

  /// The paths that are named; where none is, the project's scenarios, as its settings are found from any of its
  /// folders.
  var wantedPaths: [String] {
    guard paths == Self.defaultPaths, access(Self.defaultPaths[0], F_OK) != 0 else { return paths }
    let project = Project.current()
    let folder = project.path(of: Self.defaultPaths[0])
    return project.isMarked && FileTree.isFolder(folder) ? [PathFromHere.relative(folder)] : paths
  }

  /// Puts what the options leave of the cases into the options of a plan.
  ///
  /// - Returns: At which dates cases failed before, where that is not only the one of their files, by their identifiers.
  @discardableResult
  func narrow(
    _ options: inout PlannerOptions, _ input: inout ScenarioInput, lastFailed: LastFailedCases?
  ) -> [String: [WallInstant?]] {
    var dates: [String: [WallInstant?]] = [:]
    options.caseNames = filters.cases
    switch filters.tagExpression() {
    case .success(let expression)?: options.tags = expression
    case .failure(let mistake)?: input.diagnostics.append(mistake)
    case nil: break
    }
    if let tags = filters.tags { input.sources["--tags"] = tags }
    if let lastFailed { dates = take(lastFailed, &options, input.files) }
    guard let reference = filters.changed else { return dates }
    do throws(ChangedFiles.Problem) {
      let changed = try ChangedCases(
        since: reference, in: FileTree.canonicalPath(".") ?? ".")
      guard let affected = affected(by: changed, options, input) else { return dates }
      options.identifiers = options.identifiers?.intersection(affected) ?? affected
    } catch {
      input.diagnostics.append(
        Diagnostic(error.message, code: .badArguments, at: nil, help: error.help))
    }
    return dates
  }

  /// Selects what failed before and is there still.
  private func take(
    _ failed: LastFailedCases, _ options: inout PlannerOptions, _ files: [ScenarioFile]
  ) -> [String: [WallInstant?]] {
    let all = Planner.list(files: files, options: PlannerOptions(fileExists: { _ in true })).cases
    let found = failed.among(all)
    options.identifiers = Set(found.keys)
    if failed.keepsSeeds { options.seeds = found.compactMapValues(\.first?.seed) }
    let count = found.values.reduce(0) { $0 + $1.count }
    Console.report(
      found.isEmpty
        ? "\(failed.origin): none of the selected cases failed before\n"
        : "\(failed.origin): \(count) case\(count == 1 ? "" : "s") that failed before\n")
    return found.mapValues { $0.map(\.date) }.filter { $0.value != [nil] }
  }

  /// Returns the cases that depend on changed files; `nil` where mistakes keep that from being
  /// known.
  private func affected(
    by changed: ChangedCases, _ options: PlannerOptions, _ input: ScenarioInput
  ) -> Set<String>? {
    var options = options
    options.identifiers = nil
    options.tags = nil
    options.caseNames = []
    options.nameFilter = nil
    options.selections = []
    options.only = .ignored
    let read = ReadFiles()
    options.readFile = { path in
      read.record(path)
      return try? FileTree.read(path)
    }
    guard let plan = Planner.plan(files: input.files, options: options).plan else { return nil }
    let affected = changed.among(
      plan.cases, sources: input.sources, read: read.canonicalPaths)
    let count = affected.count
    Console.report(
      "--changed: \(count) of \(plan.cases.count) case\(plan.cases.count == 1 ? "" : "s") depend"
        + "\(count == 1 ? "s" : "") on \(changed.fileCount) changed file"
        + "\(changed.fileCount == 1 ? "" : "s")\n")
    return affected
  }
}
