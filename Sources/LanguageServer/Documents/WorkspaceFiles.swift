package import ScenarioCompiler

/// What the server asks of the machine.
package struct WorkspaceFiles: Sendable {
  /// The folder that paths in messages count from, absolute.
  package var folder: String
  /// Reads files, and tells where they are.
  package var access: FileAccess
  /// What planning depends on.
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
