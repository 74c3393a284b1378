public import ScenarioModel

/// How the executable under test is started.
public struct PlannedTarget: Sendable, Hashable, Codable {
  /// Program and arguments; a shell command is `["/bin/sh", "-c", TEXT]`.
  public var command: [PlannedText]
  /// Where the author wrote the command.
  public var commandRange: SourceRange
  /// Environment, in order.
  public var environment: [PlannedVariable]
  /// Names let through from the runner's own environment.
  public var passedEnvironment: [String]
  /// Files laid into the case's directory.
  public var files: [PlannedFile]
  /// What the target reads from standard input.
  public var standardInput: PlannedText?
  /// What it may have at most.
  public var limits: TargetLimits?
  /// The folder that the program's path counts from; `nil` is that of the case.
  public var folder: String?
  /// What steps call it; `nil` for the scenario's `target`.
  public var name: String?
  /// When it counts as ready once it was started; `nil` is at once.
  public var readiness: PlannedReadiness?
  /// How it is ended; `nil` is as usual.
  public var stop: PlannedStop?
  /// The size of its terminal; `nil` for pipes.
  public var terminal: TerminalSize?

  /// Creates a target.
  public init(
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
public struct PlannedFile: Sendable, Hashable, Codable {
  /// What it holds.
  public enum Content: Sendable, Hashable, Codable {
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
  public var path: String
  /// What it holds.
  public var content: Content
  /// Permission bits.
  public var mode: UInt32
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a file.
  public init(path: String, content: Content, mode: UInt32, range: SourceRange) {
    self.path = path
    self.content = content
    self.mode = mode
    self.range = range
  }
}
