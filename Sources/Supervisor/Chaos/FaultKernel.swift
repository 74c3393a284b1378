internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// The services that the injection of faults needs of the tracing loop.
protocol FaultKernel: TraceKernel, VirtualTime {
  /// The maker of branches of the target; `nil` where none are made.
  var branches: (any BranchMaker)? { get }
  /// The targets.
  var targets: LaunchedTargets { get }
  /// True if the run of the target is being ended.
  var isStopping: Bool { get }
  /// True if a step's wait has ended.
  var isWaitOver: Bool { get }
  /// The router of connections; `nil` if the network is the machine's own.
  var router: (any ConnectionRouter)? { get }

  /// Returns the virtual time that a wait has left.
  func rest(of wait: TimedWait) -> Nanoseconds
  /// Ends a wait of a thread before its time.
  func endHold(of tracee: Tracee, _ active: Tracee.ActiveWait)
  /// Records that any thread may be woken by what is about to happen.
  func suspectAllSleepers()
  /// Runs on no processor that a thread of the target needs, as it is about to wait.
  func leaveProcessor()

  /// Returns the processes in a scope, in start order.
  func victims(_ scope: KillScope, around process: TargetProcess?) -> [TargetProcess]
  /// Kills a process, or the whole tree including starting processes.
  func endProcesses(_ scope: KillScope, around process: TargetProcess?)
  /// Starts a target; `result` learns when its program runs, or why it does not.
  func launch(
    _ request: LaunchRequest, as number: TargetNumber, isRestart: Bool,
    _ result: OneShot<LaunchError?>)

  /// Makes a stopped thread make a call; its result, or `nil` if the thread is gone.
  ///
  /// Its registers are the caller's to put back.
  func makeCall(
    _ number: Int, _ arguments: [UInt64], in tracee: Tracee, _ registers: Registers
  ) -> Int?
  /// Makes a stopped thread call a function without arguments; returns its result, or `nil`.
  ///
  /// Its registers are the caller's to put back. The function must not wait for another thread.
  func result(
    of function: UInt64, in tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> UInt64?
}

/// Tries the consequences of a fault in copies of the target.
protocol BranchMaker: AnyObject {
  /// Tries what is to be tried at a system call; true if the thread has been made to make it once more.
  func tryBranches(
    at point: FaultPoint, _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers,
    _ facts: inout SyscallContext
  ) -> Bool
  /// Tries what is to be tried at the call of a function.
  func tryBranches(
    at point: FaultPoint, _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers,
    _ call: FunctionCall, site: Int, _ facts: inout FunctionContext)
}
