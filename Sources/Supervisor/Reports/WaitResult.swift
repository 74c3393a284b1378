/// The way in which waiting for the target ended.
package enum WaitResult: Sendable {
  /// The awaited event has happened.
  case happened
  /// The target ended before it could happen.
  case targetEnded(ExitStatus)
  /// The event cannot happen: everything sleeps, and no time will pass.
  case stuck([ThreadSituation])
  /// The bound on real time was reached.
  case timedOut([ThreadSituation], WaiterReport)
  /// More deadlines came due than the bound allows, and nothing but time made progress.
  case endless(WaiterReport)
  /// The run is being stopped.
  case cancelled
}
