internal import Foundations
internal import ScenarioModel

/// The state that pending waits may read of the target.
///
/// Confined to the tracer's thread, or to the holder of the loop while that sleeps.
protocol TargetView: AnyObject {
  /// The state of the target's clocks.
  var clock: VirtualClock { get }
  /// The time on the monotonic clock.
  var virtualNow: Nanoseconds { get }
  /// The next deadline that is filed.
  var nextDeadline: Nanoseconds? { get }
  /// The targets.
  var targets: LaunchedTargets { get }
  /// The processes of the target, by their first threads.
  var processes: [ThreadIdentifier: TargetProcess] { get }
  /// True if no process is left.
  var isTreeGone: Bool { get }
  /// The live processes, in start order.
  var liveProcesses: [LiveProcess] { get }
  /// True if something may come from outside of the target that wakes it.
  var mayBeWokenFromOutside: Bool { get }
  /// True if everything sleeps.
  var isAtRest: Bool { get }

  /// Until when those who ask for the time over and over want it to move; `nil` if there are none.
  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds?
  /// Returns the situation of every thread.
  func situations() -> [ThreadSituation]
  /// Returns the waits that made time pass since the wait began.
  func waiterReport() -> WaiterReport
  /// Runs `body` at the end of this turn of the loop.
  func reportAtEndOfTurn(_ body: @escaping () -> Void)
  /// Kills each process that lives; who they were.
  func killTheRest() -> [LiveProcess]
}
