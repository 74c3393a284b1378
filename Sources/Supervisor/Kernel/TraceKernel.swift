internal import Foundations

/// The services that the tracing loop offers interceptors.
///
/// Everything here belongs to the tracer's thread: ptrace(2) requests count only from there.
protocol TraceKernel: AnyObject {
  /// The processes and threads of the target, and their positions in the tree.
  var tree: ProcessTree { get }
  /// The processes of the target, by their first threads.
  var processes: [ThreadIdentifier: TargetProcess] { get }
  /// The threads of the target.
  var tracees: [ThreadIdentifier: Tracee] { get }

  /// A copy of a thread's descriptor, to be closed by the caller; negative if it is not open.
  func copyDescriptor(_ descriptor: Int32, of tracee: Tracee) -> Int32

  /// Returns the target on whose host a target runs: itself, unless it was started on another's.
  func home(of target: TargetNumber) -> TargetNumber

  /// Returns whether a number is that of a thread or process of the target, announced or not.
  func isOfTarget(_ thread: ThreadIdentifier) -> Bool

  /// Marks the threads of a process that the supervisor sends a signal as awake, to be examined
  /// before they count as asleep.
  func suspectSleepers(of process: TargetProcess?)

  /// Switches to examining each thread before it counts as asleep.
  func lookAtAllSleepers()

  /// Makes a process install a filter in place of the call that a thread is about to make, which
  /// the thread makes after that; false if nothing was done, as the process has it already, or
  /// cannot get it.
  ///
  /// - Parameter failure: the text that says what cannot be held where the process does not get it.
  func addFilter(
    _ late: LateFilter, before registers: Registers, of tracee: Tracee, failure: String
  ) -> Bool

  /// Makes a stopped thread make a call at a `syscall` instruction; its result, or `nil` if the thread is gone.
  ///
  /// Its registers are the caller's to put back.
  func makeCall(
    _ number: Int, _ arguments: [UInt64], in tracee: Tracee, _ registers: Registers,
    at instruction: UInt64
  ) -> Int?

  /// Sends signals again that came while a thread made such a call.
  func sendPostponedSignals(to tracee: Tracee)

  /// Resumes a thread.
  func resume(_ tracee: Tracee)

  /// Writes the registers back and lets the thread go on.
  func finish(_ tracee: Tracee, with registers: Registers)

  /// Makes the call with other arguments, puts the caller's own back at its exit, and lets `body` see the result and
  /// change it.
  func complete(
    _ tracee: Tracee, original: Registers, with changed: Registers,
    _ body: @escaping (inout Registers) -> Void)

  /// Makes the call with other arguments, of which one is in a slot of the process's page, and puts
  /// the caller's own back at its exit.
  func replaceArguments(
    of tracee: Tracee, original: Registers, with changed: Registers, scratchSlot: Int?)

  /// Records that threads may run: all must be examined before they count as asleep.
  func forgetQuiescence()

  /// The destinations that connections were meant for; `nil` if the network is the machine's own.
  var destinations: (any ConnectionDestinations)? { get }

  /// A program has read the processor's time stamp counter.
  func recordCounterReader(_ program: String)

  /// Reports something that the run's records are to have.
  func report(_ event: SupervisorEvent)

  /// A process cannot be controlled.
  func reportOutOfReach(_ process: TargetProcess, reason: String)

  /// Reports what is to be known of a process, each text once in a run.
  func notice(_ text: String, of process: TargetProcess)
}

extension TraceKernel {
  /// Itself unless implemented otherwise.
  func home(of target: TargetNumber) -> TargetNumber { target }
}

/// The services of virtual time for interceptors.
protocol VirtualTime: AnyObject {
  /// The clocks now.
  var moment: ClockMoment { get }

  /// The state of the target's clocks.
  var clock: VirtualClock { get }

  /// The time on the monotonic clock.
  var virtualNow: Nanoseconds { get }

  /// Files a deadline, which wakes its owner; `nil` for one that never comes.
  ///
  /// - Parameter mayBeLate: whether it may be kept later by the scenario's slack.
  func file(
    _ deadline: Deadline, mayBeLate: Bool, for owner: WaitOwner
  ) -> Timeline<WaitOwner>.Ticket?

  /// Cancels a deadline; harmless if there is none.
  func cancel(_ ticket: Timeline<WaitOwner>.Ticket?)

  /// Sets a wall clock that targets see.
  func setWall(to instant: WallInstant, of wall: WallNumber)

  /// Advances virtual time to an instant, if it has not passed yet.
  func advance(to instant: Nanoseconds, because reason: ClockMoveReason)

  /// Counts a wait that was requested.
  func recordWait(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription)

  /// Counts a wait that made time pass.
  func countWake(of owner: WaitDescription, after length: Nanoseconds)
}

extension VirtualTime {
  /// Files a deadline that is kept to the instant.
  func file(_ deadline: Deadline, for owner: WaitOwner) -> Timeline<WaitOwner>.Ticket? {
    file(deadline, mayBeLate: false, for: owner)
  }
}
