package import Terminal

/// What is known of a target at one moment.
package struct TargetSnapshot: Sendable {
  /// How its first process ended; `nil` while it lives, or before it was started.
  package var exitStatus: ExitStatus?
  /// What it has written to standard output since it was started.
  package var output: CapturedOutput
  /// What it has written to standard error.
  package var errorOutput: CapturedOutput
  /// How often each chaos entry was met and fired, in the order of the entries.
  package var faults: [RuleStatistics]
  /// What was held, and what escaped.
  package var control: ControlReport
  /// The waits that the targets of this scenario have asked for.
  package var waits: WaitStatistics
  /// What became of the target's connections.
  package var network: ConnectionAccount
  /// The limits that calls of the targets of this scenario have met.
  package var limits: [LimitAccount] = []
  /// What the targets of this scenario have changed outside of their bounds.
  package var outside = OutsideAccount()
  /// What its terminal shows; `nil` if it has none.
  package var screen: TerminalScreen?
}
