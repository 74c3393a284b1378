internal import Supervisor

/// The end of a command that a step `exec:` has run, and its output.
struct CommandOutcome: Sendable {
  /// The exit status; `nil` if the command had to be ended.
  var status: ExitStatus?
  /// True if SIGKILL was needed to end it and its descendants.
  var neededKill = false
  /// Its standard output.
  var output: CapturedOutput
  /// Its standard error.
  var errorOutput: CapturedOutput
}

extension CommandOutcome {
  /// The outcome of a command outside the world.
  init(_ outcome: HelperProcess.Outcome) {
    self.init(
      status: outcome.status, neededKill: outcome.neededKill, output: outcome.output,
      errorOutput: outcome.errorOutput)
  }
}
