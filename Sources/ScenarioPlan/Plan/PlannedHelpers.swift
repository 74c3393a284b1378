package import Foundations

/// A command outside of the case's environment, in real time and on the real network.
package struct PlannedHelper: Sendable, Hashable, Codable {
  /// Program and arguments; a shell command is `["/bin/sh", "-c", TEXT]`.
  package var command: [PlannedText]
  /// The standard input.
  package var standardInput: PlannedText?
  /// Its variables beside those of the first target; `nil` where there are none.
  package var environment: [PlannedVariable]?
  /// The folder below the case's directory in which it works; `nil` is that directory.
  package var workingDirectory: PlannedText?
  /// Whether it runs in the world of the targets; `nil` is false.
  package var isInWorld: Bool?
  /// The name of the target on whose host it runs in the world; `nil` for none.
  package var host: String?
  /// What is kept of what it writes.
  package var captures: [PlannedCapture]
  /// The place of the command in the file.
  package var range: SourceRange

  /// Creates a command.
  package init(
    command: [PlannedText], standardInput: PlannedText?, captures: [PlannedCapture],
    range: SourceRange
  ) {
    self.command = command
    self.standardInput = standardInput
    self.captures = captures
    self.range = range
  }
}

/// A value that a step makes.
package struct PlannedBuild: Sendable, Hashable, Codable {
  /// The name behind `build.`.
  package var name: String
  /// The value.
  package var data: PlannedData

  /// Creates a value.
  package init(name: String, data: PlannedData) {
    self.name = name
    self.data = data
  }
}
