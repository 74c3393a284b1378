internal import CSupervisor
internal import Foundations

/// What threads that take turns may ask of the loop that traces them.
protocol TurnKernel: TraceKernel, StopHandler {
  /// What the monotonic clock shows.
  var virtualNow: Nanoseconds { get }

  /// Whether everything sleeps but those who wait for their turn.
  func sleepBesideTurns() -> Bool
  /// Lets a thread go on, with a signal.
  func resume(_ tracee: Tracee, signal: Int32)
}
