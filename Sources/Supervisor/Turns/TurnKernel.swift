internal import CSupervisor
internal import Foundations

/// The services that turns need of the tracing loop.
protocol TurnKernel: TraceKernel, StopHandler {
  /// The time on the monotonic clock.
  var virtualNow: Nanoseconds { get }

  /// The state of the target's clocks.
  var clock: VirtualClock { get }

  /// Reads what the targets have written; true if there was any.
  func takeOutput() -> Bool
  /// Returns whether everything sleeps but those who wait for their turn.
  func sleepBesideTurns() -> Bool
  /// Resumes a thread, with a signal.
  func resume(_ tracee: Tracee, signal: Int32)
}
