package import Foundations
package import ScenarioModel
package import ScenarioPlan

/// The options of planning: all that a plan depends on besides the files.
package struct PlannerOptions: Sendable {
  /// The seed of every case, whatever the files say.
  package var seed: Int64?
  /// The bound in real time on a case that names none.
  package var defaultTimeout: Nanoseconds
  /// True if a file exists; its path is joined to the scenario file's folder.
  package var fileExists: @Sendable (String) -> Bool
  /// The bytes of a file whose path is joined to the scenario file's folder; `nil` if it cannot be
  /// read.
  package var readFile: @Sendable (String) -> [UInt8]?
  /// The scenarios to plan; all if empty.
  package var selections: [Selection]
  /// The paths of the files below a folder, sorted; `nil` if it is no folder.
  package var filesBelow: @Sendable (String) -> [String]? = { _ in nil }
  /// The path of a file or folder without links; `nil` if there is none.
  package var realPath: @Sendable (String) -> String? = { $0 }
  /// Functions that cannot be met in a program that is started by a name or a path, each with the file
  /// that would have it and the nearest name there.
  package var missingFunctions:
    @Sendable (PlannedFunctions, _ program: String) -> [(name: String, file: String, near: String?)] =
      {
        _, _ in []
      }
  /// The mode of every case that has a network, whatever the files say.
  package var networkMode: NetworkSettings.Mode?
  /// The command line's options for exploring; `nil` where the files alone decide.
  package var exploration: ExplorationOverrides?
  /// A regular expression to be found in a case's identifier; everything if `nil`.
  package var nameFilter: String?

  /// The one case that is planned, by its identifier, and the numbers of the changes of `$mutate` that are
  /// made in it; `nil` plans everything.
  package var reduced: (identifier: String, mutations: Set<Int>)?

  /// The meaning of `only: true`.
  package enum Only: Sendable {
    /// Only the cases with `only` run.
    case heeded
    /// It is an error: an automatic build must not leave anything out.
    case refused
    /// All cases count, as where nothing is run.
    case ignored
  }

  /// The meaning of `only: true`.
  package var only = Only.heeded

  /// True if factories, traits, params, variables and columns of a matrix that nothing uses are reported.
  package var reportsUnused = false

  /// The tags that cases must carry; everything if `nil`.
  package var tags: TagExpression?
  /// The names of cases, or of scenarios with all their rows; everything if empty.
  package var caseNames: [String] = []
  /// The cases that are meant, by their identifiers; everything if `nil`.
  package var identifiers: Set<String>?
  /// The seeds of single cases by their identifiers, whatever else is said of seeds.
  package var seeds: [String: Int64] = [:]
  /// The beginning of every clock, whatever the files say.
  package var date: WallInstant?
  /// The seed of the cases whose files say none.
  package var usualSeed: Int64?

  /// Creates options.
  package init(
    seed: Int64? = nil, defaultTimeout: Nanoseconds = .seconds(30), selections: [Selection] = [],
    nameFilter: String? = nil, fileExists: @escaping @Sendable (String) -> Bool,
    readFile: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
  ) {
    self.readFile = readFile
    self.seed = seed
    self.defaultTimeout = defaultTimeout
    self.selections = selections
    self.nameFilter = nameFilter
    self.fileExists = fileExists
  }
}

extension PlannerOptions {
  /// Returns whether cases of a file are planned.
  func wants(_ file: ScenarioFile) -> Bool {
    reduced.map { $0.identifier.hasPrefix(file.path + "::") } ?? true
  }
}
