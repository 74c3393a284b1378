/// The exit code of the runner; stable, so that a CI system can distinguish false expectations from
/// trouble of the machine.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// Every scenario held.
  case passed = 0
  /// At least one expectation was false.
  case failed = 1
  /// The input is invalid; nothing ran.
  case invalidInput = 2
  /// Nothing was false, but something could not be decided: a spawn, readiness, a report that could
  /// not be written, a shard that is missing.
  case undecided = 3
  /// No scenario was selected.
  case nothingSelected = 4
  /// The cases that were run again passed, and other failures are outstanding.
  case outstanding = 5
  /// A plan does something else than the one that it was compared with (`plan --detailed-exitcode`).
  case planDiffers = 6
  /// A bug in the runner.
  case internalError = 70
  /// The run took longer than it may, as timeout(1) says it.
  case timedOut = 124
  /// Stopped by SIGHUP: 128 + 1.
  case hungUp = 129
  /// Stopped by SIGINT: 128 + 2.
  case interrupted = 130
  /// Stopped by SIGQUIT: 128 + 3.
  case quit = 131
  /// Stopped by SIGTERM: 128 + 15.
  case terminated = 143
}
