internal import CSupervisor
internal import Foundations
internal import ScenarioModel

/// The services that the maker of branches needs of the tracing loop.
protocol ForkKernel: TraceKernel, VirtualTime, StopHandler {
  /// The targets.
  var targets: LaunchedTargets { get }
  /// The injector of faults into the target.
  var faults: FaultInjector { get }
  /// The interceptors of the target's calls.
  var interceptors: Interceptors { get }
  /// Holds timed waits.
  var waits: TimedWaits { get }
  /// The mailbox of the loop.
  var mailbox: Mailbox { get }
  /// True if a launch is on its way.
  var isLaunching: Bool { get }
  /// True if the run of the target is being ended.
  var isStopping: Bool { get }
  /// True if an answer to the target is under way, or will be.
  var expectsAnswer: Bool { get }

  /// Runs on no processor that a thread of the target needs, and lets all threads run wherever they may.
  func leaveAllProcessors()
  /// Records that something was woken, or has happened.
  func somethingMoved()
  /// Removes from the target's time what has passed since an instant of real time.
  func passOver(from beginning: Nanoseconds)
  /// A loop for a copy of the target.
  func loop(for branch: Branch, _ configuration: SupervisorConfiguration) -> any BranchKernel
}

/// The services that a branch's loop offers to the maker of branches.
protocol BranchKernel: TargetView, ForkKernel {
  /// The state of the loop as a branch.
  var branch: Branch? { get }
  /// True if the clocks are other than the machine's.
  var keepsTime: Bool { get }

  /// Adds the first process of the copy, which has all that another one has.
  func addCopy(_ process: TargetProcess) -> Tracee
  /// Starts a wait.
  func begin(_ operation: any PendingWait)
  /// Ends all targets, and then the loop.
  func stop()
  /// Runs until it is stopped and the tree is gone.
  func run()
}
