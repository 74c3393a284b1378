package import Foundations
package import Terminal

/// The state of a target at one moment.
package struct TargetSnapshot: Sendable {
  /// The status with which its first process ended; `nil` while it lives, or before it was started.
  package var exitStatus: ExitStatus?
  /// When that was, in virtual time since the scenario's start.
  package var endedAt: Nanoseconds?
  /// The signals that chaos entries about processes have sent to its processes before it ended.
  package var faultSignals: Set<Int32> = []
  /// Those of them that its first process got.
  package var ownFaultSignals: Set<Int32> = []
  /// The bytes that it has written to standard output since it was started.
  package var output: CapturedOutput
  /// The bytes that it has written to standard error.
  package var errorOutput: CapturedOutput
  /// The numbers of times that each chaos entry was met and fired, in the order of the entries.
  package var faults: [RuleStatistics]
  /// The waits and processes that were held, and those that escaped.
  package var control: ControlReport
  /// The waits of the scenario's targets.
  package var waits: WaitStatistics
  /// The numbers of the target's connections.
  package var network: ConnectionAccount
  /// The limits that calls of the targets of this scenario have met.
  package var limits: [LimitAccount] = []
  /// The changes of this scenario's targets outside of their bounds.
  package var outside = OutsideAccount()
  /// The picture of its terminal; `nil` if it has none.
  package var screen: TerminalScreen?
}
