public import ScenarioModel

/// A command outside the world, in real time and on the real network.
public struct PlannedHelper: Sendable, Hashable, Codable {
  /// Program and arguments; a shell command is `["/bin/sh", "-c", TEXT]`.
  public var command: [PlannedText]
  /// What it reads from standard input.
  public var standardInput: PlannedText?
  /// Its variables beside those of the first target; `nil` where there are none.
  public var environment: [PlannedVariable]?
  /// What is kept of what it writes.
  public var captures: [PlannedCapture]
  /// Where the author wrote the command.
  public var range: SourceRange

  /// Creates a command.
  public init(
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
public struct PlannedBuild: Sendable, Hashable, Codable {
  /// The name behind `build.`.
  public var name: String
  /// The value.
  public var data: PlannedData

  /// Creates a value.
  public init(name: String, data: PlannedData) {
    self.name = name
    self.data = data
  }
}
