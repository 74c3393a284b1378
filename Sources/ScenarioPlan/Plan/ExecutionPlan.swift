package import Foundations
package import ScenarioModel

/// The complete plan of a run, decided before it begins: names resolved, factories built.
///
/// The plan is a value: the same files and the same seed give the same plan, byte for byte.
package struct ExecutionPlan: Sendable, Hashable, Codable {
  /// The format's version.
  package var version: Int
  /// The cases in the order in which they run.
  package var cases: [PlannedCase]
  /// The secrets, which no report shows; `nil` where there are none.
  package var secrets: PlannedSecrets?

  /// Creates a plan.
  package init(version: Int = 1, cases: [PlannedCase]) {
    self.version = version
    self.cases = cases
  }
}

/// The clock of a case.
package struct PlannedClock: Sendable, Hashable, Codable {
  /// The wall clock at the start; `nil` is the present.
  package var at: WallInstant?
  /// The way in which time passes when no step says otherwise.
  package var flow: ClockFlow
  /// True if the target may set the scenario's wall clock; where not, it gets EPERM.
  package var isSettable: Bool
  /// The clock that the times of files show which the target writes.
  package var files: FileTimes
  /// The meaning of a wait or a process that is out of control.
  package var escapes: ClockEscapes
  /// The price of computing in virtual time; `nil` is ``ComputingCost/standard``.
  package var computing: ComputingCost?
  /// The time by which waits of threads may be late that poll without effect; `nil` is not at all.
  package var slack: Nanoseconds?
  /// The second that UTC shows twice; `nil` if there is none.
  package var leapSecond: LeapSecond?

  /// Creates a clock.
  package init(
    at: WallInstant?, flow: ClockFlow, isSettable: Bool = false, files: FileTimes = .real,
    escapes: ClockEscapes = .fail, computing: ComputingCost? = nil, slack: Nanoseconds? = nil,
    leapSecond: LeapSecond? = nil
  ) {
    self.at = at
    self.flow = flow
    self.isSettable = isSettable
    self.files = files
    self.escapes = escapes
    self.computing = computing
    self.slack = slack
    self.leapSecond = leapSecond
  }
}
