/// The services that the detection of quiescence needs of the tracing loop.
protocol QuiescenceKernel: TraceKernel {
  /// True if all announced threads have started, and no stop is queued.
  var isSettled: Bool { get }
  /// True if the target has made a pseudo-terminal.
  var hasTerminals: Bool { get }
  /// True if an answer to the target is under way.
  var awaitsAnswer: Bool { get }
  /// True if no message for the loop is queued.
  var isMailboxEmpty: Bool { get }
  /// True if nothing has happened for longer than threads as a rule run from one wait to the next.
  var isIdle: Bool { get }

  /// Copies of all ends of pseudo-terminals that the tree has, to be closed by the caller.
  func copyTerminals() -> TerminalEnds
  /// Makes the thread that the last end has woken stop as it wakes next; true if it is about to
  /// begin its wait anew.
  func holdJoiner() -> Bool
}
