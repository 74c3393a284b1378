internal import Foundations

/// The end of a target's first process.
struct TargetEnd {
  /// The status with which it ended.
  let status: ExitStatus
  /// When it ended, in virtual time since the scenario's start; `nil` if it was to be started again, and was not.
  var time: Nanoseconds?
}
