/// The scenarios of a file that the command line selects: `PATH` or `PATH:LINE`.
package struct Selection: Sendable, Hashable {
  /// The file's path as `ScenarioFile.path` has it.
  package var path: String
  /// A line of the scenario, counted from 1; `nil` is the whole file.
  package var line: Int?

  /// Creates a selection.
  package init(path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }
}
