internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc

/// A thread of the target.
final class Tracee {
  /// The state of the thread, according to its last stop.
  enum State {
    /// The thread runs, or sleeps in a call that needs no watching.
    case running
    /// The thread is in a timed wait that was made untimed.
    case waiting(ActiveWait)
    /// The thread will stop at the entry of the call in which a fault delays it.
    case pausing(ActiveWait)
    /// The thread will stop at the exit of its call, where changed arguments are put back.
    case restoring(Registers, scratchSlot: Int?)
    /// The thread will stop at the exit of its call, where work is to be done.
    case completing(CallCompletion)
    /// The thread will stop at the entry of a call on a socket that it makes again.
    case repeating
    /// The thread returns from exec and is about to get the clock.
    case startingProgram
    /// The thread is stopped together with its process (SIGSTOP and the like).
    case stoppedWithGroup
    /// The thread waits for a child of vfork to run a program or to end, and then is in another
    /// state.
    indirect case waitingForChild(then: State)
    /// The thread polls, and is held at the entry of a call.
    case parked(HeldSpinner)
  }

  /// The reason why a thread cannot run on without a stop.
  enum Hold: Equatable {
    case none
    /// A wait that is not over, which the end of a thread may end.
    case wait(endedByEnd: Bool)
    /// A wait whose deadline is due.
    case dueWait(endedByEnd: Bool)
    /// A stop of its process.
    case groupStop
    /// Its asking again and again.
    case parking
  }

  /// The progress of following a thread since its wait was over.
  struct Following {
    /// The number of calls that may still be followed.
    var callsLeft: Int
    /// True if the thread is in a call; its next stop is the call's exit.
    var isInCall = false
  }

  /// A wait that is on the timeline.
  struct ActiveWait {
    var wait: TimedWait
    /// `nil` for a wait without a timeout.
    var ticket: Timeline<WaitOwner>.Ticket?
    /// True if the deadline is due and the thread has been interrupted for it.
    var isDue = false
    /// True if the call was made with no time at all, as its deadline is the next thing to happen.
    var isLook = false
    /// True if the clock has moved to its deadline.
    var hasMovedClock = false

    /// True if it is a wait for an end, without a time.
    var isJoin: Bool {
      if case .futex(.join) = wait.kind { true } else { false }
    }
  }

  /// The thread.
  let identifier: ThreadIdentifier
  /// The process that it belongs to.
  let process: TargetProcess
  /// The state of the thread.
  var state = State.running {
    didSet { recordHold() }
  }
  /// The hold of the thread, derived from its state: examining thousands of threads must not copy
  /// states.
  private(set) var hold = Hold.none
  /// True if it cannot run on without a stop.
  var isHeld: Bool { hold != .none }
  /// True if it is in a watched wait that the end of a thread may end.
  var awaitsEnd: Bool { hold == .wait(endedByEnd: true) || hold == .dueWait(endedByEnd: true) }
  /// True if it is held in a stop until its turn comes.
  var awaitsTurn = false
  /// True if it only sleeps, and who could wake it is seen.
  var isResting = false
  /// The number of its stops that were handled.
  var stops: UInt64 = 0
  /// The state of following a thread from call to call; `nil` for others.
  var following: Following?
  /// How often any thread may have had a signal when none was pending for this one (see
  /// ``SleepWatch``); 0 if one may be.
  var unsignalledSince: UInt64 = 0
  /// Signals that came while the thread did something for the supervisor.
  var postponedSignals: [Int32] = []
  /// The observers of the exits of its calls.
  let watches = CallWatches()
  /// True if it was interrupted in a call that is not watched, as the timeout of its socket is due.
  var isInterrupted = false
  /// The number of its clock reads and empty yields at this instant.
  var spin = SpinRecord()
  /// The end of its last wait, if the time of that was up.
  var expiry: ExpiredWait?
  /// True if it is in a call that a filter from outside has refused (see ``RefusedCalls``).
  var isRefused = false
  /// Its number within its process, from 1.
  let ordinal: Int
  /// The probe by which its sleep is observed.
  let sampler: ThreadStateProbe

  /// Creates a thread.
  ///
  /// - Parameter keepsFilesOpen: whether its files of /proc stay open, which is faster and takes up to
  ///   five descriptors.
  init(_ identifier: ThreadIdentifier, of process: TargetProcess, keepsFilesOpen: Bool = true) {
    self.identifier = identifier
    self.process = process
    process.bornThreads += 1
    ordinal = process.bornThreads
    sampler = ThreadStateProbe(
      process: process.identifier.number, thread: identifier.number,
      keepsFilesOpen: keepsFilesOpen)
  }

  private func recordHold() {
    let wasHeld = isHeld
    hold =
      switch state {
      case .waiting(let active):
        active.isDue
          ? .dueWait(endedByEnd: active.wait.mayBeEndedByEnd)
          : .wait(endedByEnd: active.wait.mayBeEndedByEnd)
      case .stoppedWithGroup: .groupStop
      case .parked: .parking
      default: .none
      }
    guard isHeld != wasHeld else { return }
    process.heldThreads += isHeld ? 1 : -1
  }

  /// Sends the thread a signal.
  func send(_ signal: Int32) {
    unsignalledSince = 0
    _ = scenario_send_signal(process.identifier.number, identifier.number, signal)
  }

  /// The thread is gone.
  func leaveProcess() {
    process.threads.remove(identifier)
    if isHeld { process.heldThreads -= 1 }
    hold = .none
  }

  /// Returns whether the thread started before another one, in order of processes.
  func isOlder(than other: Tracee) -> Bool {
    (process.ordinal, ordinal) < (other.process.ordinal, other.ordinal)
  }
}
