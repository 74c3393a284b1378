internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioSyntax

/// Runs a scenario that was written for a finding, as `scenario run` would.
struct ReproducerRun {
  let text: String
  let path: String
  let options: RunOptions
  let folder: String
  let runStart: Nanoseconds
  /// The number of faults and moves of the clock that make a hang; `nil` where none is looked for.
  let patience: Int?

  /// The outcome of the run.
  struct Outcome {
    /// True if it failed, as it should.
    var hasFailed: Bool
    /// True if it passed.
    var hasPassed = false
    /// The reason why it decides nothing.
    var problem: String?
  }

  /// Reads, plans and runs the text.
  ///
  /// - Parameter entry: The name of the chaos entry that is to change no call; `nil` runs the scenario as it is.
  func run(_ cancellation: RunCancellation, withoutFault entry: String? = nil) -> Outcome {
    let (file, mistakes) = ScenarioFile.parse(text: text, path: path)
    guard let file else { return Outcome(hasFailed: false, problem: mistakes.first?.message) }
    var planner = PlannerOptions(
      fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    planner.realPath = { FileTree.realPath($0) }
    planner.filesBelow = { folder in
      FileTree.isFolder(folder) ? FileTree.files(below: folder).map { "\(folder)/\($0)" } : nil
    }
    // What the explored file was allowed to use, what reproduces its finding is allowed to use.
    var joiner = FileJoiner(.machine, root: "/")
    let joined = joiner.join(file)
    guard joiner.diagnostics.allSatisfy({ $0.severity != .error }) else {
      return Outcome(hasFailed: false, problem: joiner.diagnostics.first?.message)
    }
    let (plan, problems) = Planner.plan(files: [joined], options: planner)
    guard var plannedCase = plan?.cases.first else {
      return Outcome(
        hasFailed: false, problem: problems.first { $0.severity == .error }?.message)
    }
    if let index = plannedCase.chaos.lastIndex(where: { $0.name == entry }) {
      plannedCase.chaos[index].provider = .original
    }
    var failures: [Failure] = []
    var hasStruck = false
    let log = CaseLog(scenario: plannedCase.identifier, runStart: runStart) { event in
      switch event.kind {
      case .failed(let failure): failures.append(failure)
      case .chaosAccount(let account): hasStruck = account.entries.contains { $0.fired > 0 }
      default: break
      }
    }
    let runner = CaseRunner(
      plannedCase: plannedCase, number: 1, folder: RunFolder(path: folder), options: options,
      cancellation: cancellation, log: log
    )
    runner.patience = patience
    runner.endsAtOnce = true
    runner.run()
    guard let first = failures.first else {
      return Outcome(hasFailed: false, hasPassed: true, problem: "its scenario passes")
    }
    let isAboutScenario = first.type == "chaos.unfired" || first.type == "Launch"
    // A run of it alone waits for its timeout.
    if first.type == "Interrupted", patience != nil, !cancellation.isCancelled {
      return Outcome(hasFailed: true)
    }
    if isAboutScenario { return Outcome(hasFailed: false, problem: first.message) }
    // An entry that never fired reproduces nothing, whatever else fails.
    return Outcome(hasFailed: hasStruck, problem: hasStruck ? nil : "its fault is never injected")
  }
}
