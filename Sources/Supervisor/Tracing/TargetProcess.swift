internal import CSupervisor
internal import Foundations

/// A process of the target.
final class TargetProcess {
  /// The process.
  let identifier: ThreadIdentifier
  /// The process's number in start order, from 1.
  var ordinal = 0
  /// The boot clock at its creation; `nil` until it is read.
  var birth: Nanoseconds?
  /// The target that it belongs to.
  var target = TargetNumber.first
  /// The number of threads that it has had.
  var bornThreads = 0
  /// True if it was made by vfork(2): it shares its maker's memory until it runs a program.
  var isBorrower = false
  /// Its threads.
  var threads: Set<ThreadIdentifier> = []
  /// The number of its threads that cannot run on without a stop.
  var heldThreads = 0
  /// True if the clocks have changed since they were published to it: none of its threads can run
  /// before that is done again.
  var hasStaleClock = false
  /// True if its first thread has ended before the others, which the process's end may be the reason of.
  var hasEndedLeader = false
  /// The process that made it, if that was one of the tree.
  var parent: ThreadIdentifier?
  /// The number of times that threads of it which sleep were examined.
  var dearLooks = 0
  /// The filters that it has got besides the first.
  var lateFilters: Set<LateFilter> = []

  /// The program that it runs.
  private(set) var program: RunningProgram
  private let memories: OpenMemories

  /// Creates a process.
  ///
  /// - Parameters:
  ///   - arguments: what it runs: program and arguments.
  ///   - memories: what of the target's memory is open.
  init(_ identifier: ThreadIdentifier, arguments: [String], memories: OpenMemories) {
    self.identifier = identifier
    self.memories = memories
    program = RunningProgram(of: identifier, arguments: arguments, memories: memories)
  }

  /// Creates a process that is forked from another one, and runs the same on.
  init(
    _ identifier: ThreadIdentifier, forkedFrom parent: TargetProcess, memories: OpenMemories
  ) {
    self.identifier = identifier
    self.memories = memories
    program = RunningProgram(of: identifier, forkedFrom: parent.program, memories: memories)
    lateFilters = parent.lateFilters
  }

  /// The program's name without its folder.
  var programName: String { program.name }
  /// Its memory; `nil` if it is gone.
  var memory: TargetMemory? { program.memory }
  /// The image that was mapped into it; `nil` until it runs a program under the supervisor.
  var image: InjectedImage? { program.image }
  /// True if its program has reached its own first instruction, behind the dynamic loader.
  var hasEntered: Bool { program.hasEntered }
  /// True if it was started among many at one instant, and has not read the clock yet.
  var isNewcomer: Bool {
    get { program.isNewcomer }
    set { program.isNewcomer = newValue }
  }

  /// True if none of its threads can run on without a stop.
  var isHeld: Bool { heldThreads == threads.count }

  /// The wall clock that it has.
  func wall(on clock: VirtualClock) -> WallNumber { clock.wallNumber(ofTarget: target.index) }

  /// The process runs a new program: its address space is fresh.
  func start(_ arguments: [String]) {
    isBorrower = false
    hasEndedLeader = false
    program = RunningProgram(of: identifier, arguments: arguments, memories: memories)
  }

  /// The threads through which the process's descriptors can be seen: a first thread that has ended has none
  /// any more, the others may.
  var descriptorHolders: [ThreadIdentifier] {
    [identifier] + (threads.count > 1 ? [threads.first { $0 != identifier } ?? identifier] : [])
  }
}
