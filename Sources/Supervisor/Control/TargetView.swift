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
  /// True if no process is left.
  var isTreeGone: Bool { get }
  /// The processes that live, in the order of births.
  var liveProcesses: [LiveProcess] { get }
  /// True if something may come from outside of the target that wakes it.
  var mayBeWokenFromOutside: Bool { get }
  /// True if everything sleeps.
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
