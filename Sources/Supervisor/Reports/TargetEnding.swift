/// The way in which a target ended that was asked to end.
package enum TargetEnding: Sendable, Hashable {
  /// The target had ended before, or was never started.
  case wasOver
  /// The target has ended by itself.
  case ended(ExitStatus)
  /// The target had to be killed.
  case killed(KillReason)

  /// The reason why a target had to be killed.
  package enum KillReason: Sendable, Hashable {
    /// Its grace was over.
    case graceOver
    /// The target waits, and nothing will wake it: time does not move.
    case stuck
    /// The run is being stopped.
    case cancelled
  }
}
