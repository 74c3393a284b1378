internal import ScenarioModel

/// What interceptors may ask of the loop that traces the target.
///
/// Everything here belongs to the tracer's thread: ptrace(2) requests count only from there.
protocol TraceKernel: AnyObject {
  /// The processes of the target, by their first threads.
  var processes: [ThreadIdentifier: TargetProcess] { get }
  /// The threads of the target.
  var tracees: [ThreadIdentifier: Tracee] { get }

  /// A copy of a thread's descriptor, to be closed by the caller; negative if it is not open.
  func copyDescriptor(_ descriptor: Int32, of tracee: Tracee) -> Int32

  /// A process may be woken by a signal that the supervisor sends: its threads are looked at again before
  /// they count as asleep.
  func suspectSleepers(of process: TargetProcess?)

  /// Reports something that the run's records are to have.
  func report(_ event: SupervisorEvent)
}

/// What interceptors may ask of virtual time.
protocol VirtualTime: AnyObject {
  /// The clocks now.
  var moment: ClockMoment { get }

  /// Files a deadline, which wakes its owner; `nil` for one that never comes.
  func file(_ deadline: Deadline, for owner: WaitOwner) -> Timeline<WaitOwner>.Ticket?

  /// Takes a deadline back; harmless if there is none.
  func cancel(_ ticket: Timeline<WaitOwner>.Ticket?)

  /// Lets virtual time pass up to an instant, if it has not passed yet.
  func advance(to instant: Nanoseconds, because reason: ClockMoveReason)

  /// Counts a wait that somebody has asked for.
  func recordWait(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription)

  /// Counts that somebody's wait was what let time pass.
  func countWake(of owner: WaitDescription, after length: Nanoseconds)
}
