/// A step `exec:`: a command outside the world, in real time and on the real network.
public struct HelperCommand: Sendable {
  /// What is run.
  public var command: TargetSettings.Command
  /// `stdin:`; `nil` is an empty input.
  public var standardInput: DataNode?
  /// `capture:` what is kept of what it writes.
  public var captures: [CaptureRule]
  /// `env:` its variables beside those of the scenario's target.
  public var environment: [DataField] = []
  /// Where the command stands.
  public var range: SourceRange

  /// Creates a command.
  public init(
    command: TargetSettings.Command, standardInput: DataNode? = nil, captures: [CaptureRule] = [],
    range: SourceRange
  ) {
    self.command = command
    self.standardInput = standardInput
    self.captures = captures
    self.range = range
  }
}
