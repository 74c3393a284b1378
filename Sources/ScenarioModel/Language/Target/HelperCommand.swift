package import Foundations

/// A step `exec:`: a command outside the world, in real time and on the real network, or in it.
package struct HelperCommand: Sendable {
  /// Where a command runs.
  package enum Place: Hashable, Sendable {
    /// Among the targets: with their clock, network and chaos.
    case world
    /// The same, on the host that the target of a name is.
    case host(String)
  }

  /// What is run.
  package var command: TargetSettings.Command
  /// `stdin:`; `nil` is an empty input.
  package var standardInput: DataNode?
  /// `capture:` what is kept of what it writes.
  package var captures: [CaptureRule]
  /// `env:` its variables beside those of the scenario's target.
  package var environment: [DataField] = []
  /// `working_directory:` below the scenario's directory; `nil` is that.
  package var workingDirectory: DataNode?
  /// `in:` where it runs; `nil` is outside the world.
  package var place: Located<Place>?
  /// Where the command stands.
  package var range: SourceRange

  /// Creates a command.
  package init(
    command: TargetSettings.Command, standardInput: DataNode? = nil, captures: [CaptureRule] = [],
    range: SourceRange
  ) {
    self.command = command
    self.standardInput = standardInput
    self.captures = captures
    self.range = range
  }
}
