package import ScenarioPlan

/// Functions whose calls are counted together, and of which some may be answered otherwise.
package typealias FunctionPoint = PlannedFunctions

/// The faults in calls of functions.
///
/// A call costs some nanoseconds while its point is not due, and a stop where it is. A point counts
/// from the start of the programs, over all processes of the target: `Supervisor.functionAccount()`
/// returns its counts, and `Supervisor.setDue` says when it is evaluated next. An entry that
/// applies from a step on has `nil` as its `firstDue`; the step sets a due call behind the count of
/// that moment. An entry with conditions is evaluated at each call: its next due call is always the
/// next one.
package struct FunctionFaults: Sendable {
  /// The points in order: where several name a function, each is asked in turn until one answers.
  package var points: [FunctionPoint]
  /// The call of a point at which it is first evaluated, counted from 1; `nil` for never.
  package var firstDue: [UInt64?]
  /// Decides the action for a call; runs on the supervisor's thread, while the caller is stopped.
  ///
  /// Where several threads call at once, it may be asked about calls behind the one that was due,
  /// and about an earlier one after a later one: the verdict should depend on the call's number,
  /// not on the order of questions.
  package var decide: @Sendable (FunctionCall, CallerMemory) -> FunctionVerdict

  /// The largest number of points.
  package static let pointLimit = 64

  /// Creates a set of points, of which those beyond the limit are left out.
  package init(
    points: [FunctionPoint], firstDue: [UInt64?],
    decide: @escaping @Sendable (FunctionCall, CallerMemory) -> FunctionVerdict
  ) {
    self.points = Array(points.prefix(Self.pointLimit))
    self.firstDue = firstDue
    self.decide = decide
  }
}
