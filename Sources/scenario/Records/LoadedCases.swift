internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The files and cases that a run has read, which show the cases that are gone.
struct LoadedCases {
  /// The identifiers of the cases as they are planned once, before they are repeated.
  var originals: Set<String> = []
  /// The files and folders that were named; `nil` where not everything in them was to be run.
  var paths: [String]?
  /// The files that were read.
  var files: [ScenarioFile] = []

  /// Lists the names of all cases that were read.
  func names(in project: Project) -> LoadedNames {
    guard let paths else { return LoadedNames() }
    var names = LoadedNames()
    names.folders = paths.compactMap { FileTree.canonicalPath($0) }
      .filter { FileTree.isFolder($0) }
    for file in files { names.cases[project.name(of: file.path)] = [] }
    let options = PlannerOptions(fileExists: { _ in true })
    for one in Planner.list(files: files, options: options).cases {
      names.cases[project.name(of: one.file), default: []].insert(one.name)
    }
    return names
  }
}

/// The cases that all files hold which were read whole.
struct LoadedNames {
  /// The names in each file, by what the project calls the file.
  fileprivate(set) var cases: [String: Set<String>] = [:]
  /// The folders of which everything was read, absolute and without links.
  fileprivate(set) var folders: [String] = []

  /// Returns whether a case is shown to be gone: its file was read and does not hold it, or the folder was and does
  /// not hold the file.
  func lack(_ entry: LastRun.Entry, in project: Project) -> Bool {
    if let names = cases[entry.file] {
      return !names.contains(entry.name)
        && !names.contains(PlannedCase.original(of: entry.name))
    }
    let path = project.path(of: entry.file)
    guard access(path, F_OK) != 0 else { return false }
    return folders.contains { path.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }
}

/// The ends of a run's cases, each once however often it was repeated.
struct CaseOutcomes {
  /// One case.
  struct Ended {
    /// The place in the plan of the case as it is planned once.
    var place: Int
    /// Its worst end.
    var outcome: CaseResult.Outcome
    /// The seed with which it ended so.
    var seed: Int64
  }

  /// The cases that were run, in the order of the plan.
  let ended: [Ended]
  /// The places in the plan of cases that did not run.
  let missed: [Int]

  /// The places in the plan of cases that are to be run again.
  var outstanding: [Int] {
    ended.filter { $0.outcome == .failed || $0.outcome == .errored }.map(\.place) + missed
  }

  init(_ endings: CaseEndings, of plan: ExecutionPlan, originals: Set<String>) {
    func original(_ identifier: String) -> String {
      originals.contains(identifier) ? identifier : PlannedCase.original(of: identifier)
    }
    var worst: [String: (outcome: CaseResult.Outcome, seed: Int64)] = [:]
    endings.forEach { identifier, outcome, seed in
      let identifier = original(identifier)
      let isFailure = outcome == .failed || outcome == .errored
      guard isFailure || worst[identifier] == nil else { return }
      if let known = worst[identifier]?.outcome, known == .failed || known == .errored { return }
      worst[identifier] = (outcome, seed)
    }
    let places = plan.cases.indices.filter {
      original(plan.cases[$0].identifier) == plan.cases[$0].identifier
    }
    ended = places.compactMap { place in
      worst[plan.cases[place].identifier].map {
        Ended(place: place, outcome: $0.outcome, seed: $0.seed)
      }
    }
    missed = places.filter { worst[plan.cases[$0].identifier] == nil }
  }
}
