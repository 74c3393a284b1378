internal import Foundations

/// The services that pending waits need of the tracing loop.
protocol PendingKernel: TargetView {
  /// The threads of the target.
  var tracees: [ThreadIdentifier: Tracee] { get }
  /// Detects whether everything sleeps.
  var quiescence: QuiescenceDetector { get }
  /// Holds threads that spin.
  var spinners: SpinDetector { get }
  /// The timeouts of the target's sockets.
  var sockets: SocketTimeouts { get }
  /// True if no message for the loop is queued.
  var isMailboxEmpty: Bool { get }
  /// True if all announced threads have started, and no stop is queued.
  var isSettled: Bool { get }
  /// True if an answer to the target is under way.
  var awaitsAnswer: Bool { get }
  /// True if a thread that waits for the loop's processor cannot have run yet.
  var hasJustPlaced: Bool { get }
  /// The number of times that the clocks have been published or were about to change.
  var clockGeneration: UInt64 { get }

  /// Returns whether there is output that its waiters have not examined, and takes it.
  func hasUnseenOutput() -> Bool
  /// Records that threads may run: all must be examined before they count as asleep.
  func forgetQuiescence()
  /// The loop is to sleep as soon as there is nothing to do.
  func leaveProcessorSoon()
  /// Moves time to what comes first; false if nothing comes.
  func moveTime(to limit: Nanoseconds?, passesToLimit: Bool) -> Bool
  /// Advances virtual time to an instant.
  func advance(to instant: Nanoseconds, because reason: ClockMoveReason)
  /// Time has passed for what a program has computed.
  func recordCharge(_ length: Nanoseconds, to process: TargetProcess)
}
