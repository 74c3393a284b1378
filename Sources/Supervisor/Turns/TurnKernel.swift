internal import CSupervisor
internal import Foundations

/// What threads that take turns may ask of the loop that traces them.
protocol TurnKernel: TraceKernel, StopHandler {
  /// What the monotonic clock shows.
  var virtualNow: Nanoseconds { get }

  /// How the target's clocks stand.
  var clock: VirtualClock { get }

  /// Takes what the targets have written; true if there was any.
  func takeOutput() -> Bool
  /// Returns whether everything sleeps but those who wait for their turn.
  func sleepBesideTurns() -> Bool
  /// Lets a thread go on, with a signal.
  func resume(_ tracee: Tracee, signal: Int32)
}
