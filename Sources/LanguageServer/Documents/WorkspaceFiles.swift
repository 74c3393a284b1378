package import ScenarioCompiler

/// The queries of the server on the machine.
package struct WorkspaceFiles: Sendable {
  /// The folder that paths in messages count from, absolute.
  package var folder: String
  /// Reads files, and finds their paths.
  package var access: FileAccess
  /// The options of planning.
  package var options: PlannerOptions
  /// The scenario files below a folder.
  package var scenarioFiles: @Sendable (String) -> [String]

  /// Creates the questions.
  package init(
    folder: String, access: FileAccess, options: PlannerOptions,
    scenarioFiles: @escaping @Sendable (String) -> [String]
  ) {
    self.folder = folder
    self.access = access
    self.options = options
    self.scenarioFiles = scenarioFiles
  }
}
