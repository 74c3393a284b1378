/// How a target came to its end that was asked to end.
package enum TargetEnding: Sendable, Hashable {
  /// It had ended before, or was never started.
  case wasOver
  /// It has ended by itself.
  case ended(ExitStatus)
  /// It had to be killed.
  case killed(KillReason)

  /// Why a target had to be killed.
  package enum KillReason: Sendable, Hashable {
    /// Its grace was over.
    case graceOver
    /// It waits, and nothing will wake it: time stands still.
    case stuck
    /// The run is being stopped.
    case cancelled
  }
}
