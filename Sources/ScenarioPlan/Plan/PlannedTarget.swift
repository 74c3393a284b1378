package import Foundations
package import ScenarioModel

/// The settings with which the executable under test is started.
package struct PlannedTarget: Sendable, Hashable, Codable {
  /// Program and arguments; a shell command is `["/bin/sh", "-c", TEXT]`.
  package var command: [PlannedText]
  /// True if the command is a text for the shell, which takes its first argument for its own name.
  package var isShellCommand: Bool?
  /// The place of the command in the file.
  package var commandRange: SourceRange
  /// Environment, in order.
  package var environment: [PlannedVariable]
  /// Names let through from the runner's own environment.
  package var passedEnvironment: [String]
  /// Files that are written to the case's directory.
  package var files: [PlannedFile]
  /// The target's standard input.
  package var standardInput: PlannedText?
  /// The limits of its resources.
  package var limits: TargetLimits?
  /// The deviation of its wall clock from the scenario's; `nil` is none.
  package var clock: ClockDeviation?
  /// The machine of the case's world on which it runs; `nil` is none.
  package var host: PlannedHost?
  /// The folder that the program's path counts from; `nil` is that of the case.
  package var folder: String?
  /// The name in steps; `nil` for the scenario's `target`.
  package var name: String?
  /// The conditions under which it counts as ready once it was started; `nil` is at once.
  package var readiness: PlannedReadiness?
  /// The way in which it is ended; `nil` is the default.
  package var stop: PlannedStop?
  /// The folder below the case's directory in which it works; `nil` is that directory.
  package var workingDirectory: PlannedText?
  /// The size of its terminal; `nil` for pipes.
  package var terminal: TerminalSize?

  /// Creates a target.
  package init(
    command: [PlannedText], commandRange: SourceRange, environment: [PlannedVariable],
    passedEnvironment: [String], files: [PlannedFile], standardInput: PlannedText?
  ) {
    self.command = command
    self.commandRange = commandRange
    self.environment = environment
    self.passedEnvironment = passedEnvironment
    self.files = files
    self.standardInput = standardInput
  }
}

/// One file of the case's directory.
package struct PlannedFile: Sendable, Hashable, Codable {
  /// The content of a file.
  package enum Content: Sendable, Hashable, Codable {
    /// Text.
    case text(PlannedText)
    /// Data, written as JSON with a final newline.
    case json(PlannedData)
    /// The bytes of a file; the path is already resolved against the scenario file's folder.
    case copy(path: String)
    /// A symbolic link that leads there.
    case link(PlannedText)
    /// A folder.
    case folder
  }

  /// The path below the case's directory; never absolute, never with `..`.
  package var path: String
  /// The content.
  package var content: Content
  /// Permission bits.
  package var mode: UInt32
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a file.
  package init(path: String, content: Content, mode: UInt32, range: SourceRange) {
    self.path = path
    self.content = content
    self.mode = mode
    self.range = range
  }
}
