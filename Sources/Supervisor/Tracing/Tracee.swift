internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc

/// A thread of the target.
final class Tracee {
  /// What the thread is doing, as far as its last stop tells.
  enum State {
    /// It runs, or sleeps in a call that needs no watching.
    case running
    /// It is in a timed wait that was made untimed.
    case waiting(ActiveWait)
    /// It will stop at the entry of the call in which chaos lets it wait.
    case pausing(ActiveWait)
    /// It will stop at the exit of its call, where changed arguments are put back.
    case restoring(Registers, scratchSlot: Int?)
    /// It will stop at the exit of its call, where something is to be done.
    case completing(CallCompletion)
    /// It will stop at the entry of a call on a socket that it makes again.
    case repeating
    /// It returns from exec and is about to get the clock.
    case startingProgram
    /// It is stopped together with its process (SIGSTOP and the like).
    case stoppedWithGroup
    /// It waits for a child of vfork to run a program or to end, and then is in another state.
    indirect case waitingForChild(then: State)
    /// It asks for something again and again, and is held at the entry of a call.
    case parked(HeldSpinner)
  }

  /// What keeps a thread from running on without a stop.
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

  /// How far a thread has been followed since its wait was over.
  struct Following {
    /// How many calls may still be followed.
    var callsLeft: Int
    /// Whether the thread is in a call; its next stop is the call's exit.
    var isInCall = false
  }

  /// A wait that is on the timeline.
  struct ActiveWait {
    var wait: TimedWait
    /// `nil` for a wait for ever.
    var ticket: Timeline<WaitOwner>.Ticket?
    /// Whether the deadline is due and the thread has been interrupted for it.
    var isDue = false
    /// Whether the call was made with no time at all, as its deadline is the next thing to happen.
    var isLook = false
  }

  /// The thread.
  let identifier: ThreadIdentifier
  /// The process that it belongs to.
  let process: TargetProcess
  /// What it is doing.
  var state = State.running {
    didSet { recordHold() }
  }
  /// What holds it, as its state says, of which a look at thousands shall not make copies.
  private(set) var hold = Hold.none
  /// Whether it cannot run on without a stop.
  var isHeld: Bool { hold != .none }
  /// Whether it is in a watched wait that the end of a thread may end.
  var awaitsEnd: Bool { hold == .wait(endedByEnd: true) || hold == .dueWait(endedByEnd: true) }
  /// Whether it only sleeps, and who could wake it is seen.
  var isResting = false
  /// How many stops of it were handled.
  var stops: UInt64 = 0
  /// What is known of a thread that is followed from call to call; `nil` for others.
  var following: Following?
  /// Signals that came while the thread did something for the supervisor.
  var postponedSignals: [Int32] = []
  /// Sees each call that it makes, also those that the filter does not show, at its exit, until it returns false.
  var callObserver: ((Registers) -> Bool)?
  /// Whether it was interrupted in a call that is not watched, as the timeout of its socket is due.
  var isInterrupted = false
  /// How often it asked for the clock, or for nothing, at this instant.
  var spin = SpinRecord()
  /// Whether it stands in a call that a filter from outside has refused (see ``RefusedCalls``).
  var isRefused = false
  /// Who sees the exit of the call that it makes, whoever asked first at the front.
  var exitWatches: [(Registers?) -> Void] = []
  /// Its number within its process, from 1.
  let ordinal: Int
  /// How its sleep is observed.
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

  /// The thread is gone.
  func leaveProcess() {
    process.threads.remove(identifier)
    if isHeld { process.heldThreads -= 1 }
    hold = .none
  }

  /// Whether it was born before another one, in order of processes.
  func isOlder(than other: Tracee) -> Bool {
    (process.ordinal, ordinal) < (other.process.ordinal, other.ordinal)
  }
}

/// A process of the target.
final class TargetProcess {
  /// The process.
  let identifier: ThreadIdentifier
  /// Its number in the order of births, from 1.
  var ordinal = 0
  /// What the boot clock showed when it was made; `nil` if nobody has looked.
  var birth: Nanoseconds?
  /// The target that it belongs to.
  var target = TargetNumber.first
  /// How many threads it has had.
  var bornThreads = 0
  /// The path of what it runs, once somebody has asked.
  var executable: String?
  /// What the addresses of its code are in files, as far as somebody has asked.
  var sites: [UInt64: String] = [:]
  /// Whether chaos has killed it.
  var isDoomed = false
  /// Whether it was made by vfork(2): it shares its maker's memory until it runs a program.
  var isBorrower = false
  /// Its threads.
  var threads: Set<ThreadIdentifier> = []
  /// How many of them cannot run on without a stop.
  var heldThreads = 0
  /// Whether the clocks have changed since it was told, as none of its threads can run before it is told.
  var hasStaleClock = false
  /// Whether its first thread has ended before the others, which the process's end may be the reason of.
  var hasEndedLeader = false
  /// The process that made it, if that was one of the tree.
  var parent: ThreadIdentifier?
  /// What it runs: program and arguments.
  var arguments: [String] {
    didSet { programName = Self.programName(arguments) }
  }
  /// The program's name without its folder.
  private(set) var programName: String
  /// What was mapped into it; `nil` until it runs a program under the supervisor's eyes.
  var image: InjectedImage?
  /// Whether its program has reached its own first instruction, behind the dynamic loader.
  var hasEntered = false
  /// The byte that stood where the breakpoint at the program's entry stands.
  var entryBreakpoint: (address: UInt64, original: UInt8)?
  /// The functions that are watched in it.
  var functions: Breakpoints?
  /// What the process was told of its dumpable flag (prctl(2)), where that is kept from the kernel.
  var dumpableFlag = DumpableFlag.on
  /// Whether it was started among many at one instant, and has not read the clock yet.
  var isNewcomer = false
  /// Calls that waited in real time and have been told, by number.
  var escapedCalls: Set<Int> = []
  /// How often threads of it were looked at that wait in the supervisor's hands.
  var dearLooks = 0
  /// The filters that it has got besides the first.
  var lateFilters: Set<LateFilter> = []
  /// How it got to know whom it may trust.
  var trust = TrustUse()
  /// Which scratch slots are in use.
  var slotsInUse: Set<Int> = []

  private var openMemory: TargetMemory?
  private var lastExecArea = 0
  private var pidDescriptor: Int32 = -1

  init(_ identifier: ThreadIdentifier, arguments: [String]) {
    self.identifier = identifier
    self.arguments = arguments
    programName = Self.programName(arguments)
  }

  private static func programName(_ arguments: [String]) -> String {
    let path = arguments.first ?? "?"
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  deinit {
    if pidDescriptor >= 0 { close(pidDescriptor) }
  }

  /// Its memory; `nil` if it is gone.
  var memory: TargetMemory? {
    if openMemory == nil {
      openMemory = TargetMemory(of: identifier)
    }
    return openMemory
  }

  /// Closes the descriptor of its memory, which is opened again when it is looked at next.
  ///
  /// None of its threads can run before they stop: until then it has the same address space.
  func closeMemory() {
    openMemory = nil
  }

  /// Whether none of its threads can run on without a stop.
  var isHeld: Bool { heldThreads == threads.count }

  /// Forgets the address space: the process runs a new program.
  func dropAddressSpace() {
    isBorrower = false
    hasEndedLeader = false
    openMemory = nil
    image = nil
    hasEntered = false
    executable = nil
    sites = [:]
    entryBreakpoint = nil
    functions = nil
    dumpableFlag = DumpableFlag.on
    slotsInUse = []
    isNewcomer = false
    escapedCalls = []
    trust = TrustUse()
  }

  /// A scratch slot that nobody uses; the first one if all are in use, which takes more threads in
  /// one kind of call at the same time than there are slots.
  func takeSlot() -> Int {
    let slot = (0..<InjectedImage.slotCount).first { !slotsInUse.contains($0) } ?? 0
    slotsInUse.insert(slot)
    return slot
  }

  /// The number of an area for the environment of a program; they are used in turn, because children of
  /// vfork share them.
  func takeExecArea() -> Int {
    lastExecArea = (lastExecArea + 1) % InjectedImage.execAreaCount
    return lastExecArea
  }

  /// The threads through which the process's descriptors can be seen: a first thread that has ended has none
  /// any more, the others may.
  var descriptorHolders: [ThreadIdentifier] {
    [identifier] + (threads.count > 1 ? [threads.first { $0 != identifier } ?? identifier] : [])
  }

  /// A descriptor of the process, opened on first use; negative if the process is gone.
  func processDescriptor() -> Int32 {
    if pidDescriptor < 0 {
      pidDescriptor = scenario_open_process(identifier.number)
    }
    return pidDescriptor
  }
}
