internal import Foundations
internal import ScenarioModel

/// The services that timed waits need of the tracing loop.
protocol WaitKernel: SocketKernel, SpinKernel {
  /// Detects whether everything sleeps.
  var quiescence: QuiescenceDetector { get }
  /// The timers of the target.
  var timers: TimerService { get }
  /// The injector of faults into the target.
  var faults: FaultInjector { get }
  /// The reporter of waits.
  var reporter: TraceReporter { get }
  /// The waits and processes that were held, and those that escaped.
  var record: ControlRecorder { get }

  /// The instant at which the first deadline is due that is filed; the deadline may be served
  /// later.
  var firstDue: Nanoseconds? { get }
  /// True if one thread of the target runs at a time.
  var takesTurns: Bool { get }
  /// True if the target is a copy of another one.
  var isBranch: Bool { get }
  /// True if a step waits for an action of the target, for as long as it takes, and no other wait
  /// is pending.
  var awaitsTargetOnly: Bool { get }
  /// True if the loop has no message.
  var isMailboxEmpty: Bool { get }
  /// True if output was read that pending waits have not examined.
  var hasOutputToLookAt: Bool { get }

  /// Returns whether there is such output; takes what is there.
  func hasUnseenOutput() -> Bool
  /// Returns whether everything sleeps, but for a thread that is in a stop and is to be left out.
  func isQuiescent(but exception: Tracee?) -> Bool
  /// Advances virtual time to an instant while everybody sleeps or stands in a stop, and all output
  /// has been taken.
  func advanceBehindOutput(to instant: Nanoseconds, because reason: ClockMoveReason)
  /// Records that something was woken, or has happened.
  func somethingMoved()
  /// Returns whether something is to be done at the exit of a thread's call.
  func stopsAtExit(_ tracee: Tracee) -> Bool
  /// Returns the virtual time that a wait has left.
  func rest(of wait: TimedWait) -> Nanoseconds
  /// Puts a thread that sleeps, and is about to be woken, on the tracer's processor, where time waits for it.
  func place(_ tracee: Tracee)
  /// The same for the only thread of the tree.
  func placeLoneThread()
}
