package import ScenarioPlan

/// Functions whose calls are counted together, and of which some may be answered otherwise.
package typealias FunctionPoint = PlannedFunctions

/// What is to become of the calls of functions.
///
/// A call costs some nanoseconds as long as its point is not due, a stop where it is. A point counts from
/// the programs' own beginnings, over all processes of the target: `Supervisor.functionAccount()` tells how
/// far it is, `Supervisor.setDue` when it is asked next. An entry that holds from the step which applies it
/// is one whose `firstDue` is `nil`, and of which that step sets a due call behind the count of the moment.
/// An entry with conditions is asked about each call: its next due call is always the next one.
package struct FunctionFaults: Sendable {
  /// The points in order: where several name a function, each is asked in turn until one answers.
  package var points: [FunctionPoint]
  /// At which call of a point it is first asked what becomes of it, counted from 1; `nil` for never.
  package var firstDue: [UInt64?]
  /// Says what becomes of a call; asked on the supervisor's thread, while the caller stands still.
  ///
  /// Where several threads call at once, it may be asked about calls that come behind the one that was due,
  /// and about an earlier one after a later one: what it says should depend on the call's number, not on
  /// the order of questions.
  package var decide: @Sendable (FunctionCall, CallerMemory) -> FunctionVerdict

  /// How many points there may be.
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
