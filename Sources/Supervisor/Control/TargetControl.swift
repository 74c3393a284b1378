internal import Foundations
internal import ScenarioModel

/// The operations of the runner on the target, carried out by messages.
protocol TargetControl: TargetView {
  /// The interceptors of the target's calls.
  var interceptors: Interceptors { get }
  /// The waits that were held, those that escaped, and the lengths of all.
  var record: ControlRecorder { get }
  /// The waits and processes that were held, and those that escaped, so far.
  var control: ControlReport { get }
  /// Holds threads where they stop, for a debugger.
  var debugger: DebuggerHold { get }
  /// The injector of faults into the target.
  var faults: FaultInjector { get }
  /// True if any target has been started.
  var hasLaunched: Bool { get }

  /// Starts a target; `result` learns when its program runs, or why it does not.
  func launch(
    _ request: LaunchRequest, as number: TargetNumber, isRestart: Bool,
    _ result: OneShot<LaunchError?>)
  /// Ends all targets, and then the loop.
  func stop()
  /// Ends the cancelling of waits; waits that begin now last.
  func allowWaits()
  /// Asks each process to end: the first ones of targets by their own signals, all others by `others`.
  func terminateTree(_ signals: [TargetNumber: Int32], others: Int32)
  /// Kills the starting processes and threads of a target.
  func endNewcomers(of number: TargetNumber)
  /// Reads the queries of a target's terminal, and types the answers.
  func takeQuestions(of number: TargetNumber)
  /// Types the answers of terminals, which waited for rest.
  func typeAnswers()
  /// Starts a wait.
  func begin(_ operation: any PendingWait)
  /// Cancels all waits, those that begin later too.
  func cancelWaits()
  /// Calls back once the tree is at rest.
  func awaitRest(_ body: @escaping @Sendable () -> Void)
  /// Steps the clocks; false, and nothing happens, if the wall clock would show what clocks cannot.
  func apply(_ change: ClockChange) -> Bool
  /// Files a deadline of a party outside the target.
  @discardableResult
  func schedule(
    after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void
  ) -> FiledTask
  /// Cancels such a deadline.
  func callOff(_ scheduledTask: FiledTask)
}
