internal import CSupervisor

/// What threads that take turns may ask of the loop that traces them.
protocol TurnKernel: TraceKernel, StopHandler {
  /// Whether everything sleeps but those who wait for their turn.
  func sleepBesideTurns() -> Bool
  /// Lets a thread go on, with a signal.
  func resume(_ tracee: Tracee, signal: Int32)
}
