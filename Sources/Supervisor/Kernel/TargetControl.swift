internal import Foundations
internal import ScenarioModel

/// What those who wait for the target may look at.
///
/// Confined to the tracer's thread, or to whoever holds the loop while that sleeps.
protocol TargetView: AnyObject {
  /// How the target's clocks stand.
  var clock: VirtualClock { get }
  /// What the monotonic clock shows.
  var virtualNow: Nanoseconds { get }
  /// The next deadline that is filed.
  var nextDeadline: Nanoseconds? { get }
  /// The targets.
  var targets: LaunchedTargets { get }
  /// The processes of the target, by their first threads.
  var processes: [ThreadIdentifier: TargetProcess] { get }
  /// Whether no process is left.
  var isTreeGone: Bool { get }
  /// The processes that live, in the order of births.
  var liveProcesses: [LiveProcess] { get }
  /// Whether something may come from outside of the target that wakes it.
  var mayBeWokenFromOutside: Bool { get }
  /// Whether everything sleeps.
  var isAtRest: Bool { get }

  /// Until when those who ask for the time over and over want it to move; `nil` if there are none.
  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds?
  /// What every thread does.
  func situations() -> [ThreadSituation]
  /// Who let time pass since the wait began.
  func waiterReport() -> WaiterReport
  /// Runs once this turn of the loop is over.
  func reportAtEndOfTurn(_ body: @escaping () -> Void)
  /// Kills each process that lives; who they were.
  func killTheRest() -> [LiveProcess]
}

/// What the runner may have done to the target, by messages.
protocol TargetControl: TargetView {
  /// What changes the calls of the target.
  var interceptors: Interceptors { get }
  /// What was held and what escaped, and how long the target has waited for what.
  var record: ControlRecorder { get }
  /// What fault rules do to the target.
  var faults: FaultInjector { get }
  /// Whether any target has been started.
  var hasLaunched: Bool { get }

  /// Starts a target; `result` learns when its program runs, or why it does not.
  func launch(
    _ request: LaunchRequest, as number: TargetNumber, isRestart: Bool,
    _ result: OneShot<LaunchError?>)
  /// Ends all targets, and then the loop.
  func stop()
  /// Whoever was waited for is waited for no more; what begins now is a wait of its own.
  func allowWaits()
  /// Asks each process to end: the first ones of targets by their own signals, all others by `others`.
  func terminateTree(_ signals: [TargetNumber: Int32], others: Int32)
  /// Kills whatever is being born of a target.
  func endNewcomers(of number: TargetNumber)
  /// Takes what a target's terminal has asked, and types the answers.
  func takeQuestions(of number: TargetNumber)
  /// Types the answers of terminals, which waited for rest.
  func typeAnswers()
  /// Begins to wait for something.
  func begin(_ operation: any PendingWait)
  /// Lets nobody wait any more.
  func cancelWaits()
  /// Calls back once the tree is at rest.
  func awaitRest(_ body: @escaping @Sendable () -> Void)
  /// Steps the clocks; false, and nothing happens, if the wall clock would show what clocks cannot.
  func apply(_ change: ClockChange) -> Bool
  /// Files a deadline of somebody outside the target.
  @discardableResult
  func schedule(
    after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void
  ) -> ScheduledTask.Filed
  /// Takes such a deadline back.
  func callOff(_ scheduledTask: ScheduledTask.Filed)
}
