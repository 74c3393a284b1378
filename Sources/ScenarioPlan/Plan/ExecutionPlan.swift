package import Foundations
package import ScenarioModel

/// Everything that a run will do, decided before it begins: names resolved, factories built.
///
/// The plan is a value: the same files and the same seed give the same plan, byte for byte.
package struct ExecutionPlan: Sendable, Hashable, Codable {
  /// The format's version.
  package var version: Int
  /// The cases in the order in which they run.
  package var cases: [PlannedCase]
  /// What no report shows; `nil` where nothing is secret.
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
  /// How time passes when no step says otherwise.
  package var flow: ClockFlow
  /// True if the target may set the scenario's wall clock; where not, it gets EPERM.
  package var isSettable: Bool
  /// What the times of files that the target writes show.
  package var files: FileTimes
  /// What a wait or a process that is out of control means.
  package var escapes: ClockEscapes
  /// What computing costs; `nil` is ``ComputingCost/standard``.
  package var computing: ComputingCost?
  /// By how much the waits of threads may be late that poll without effect; `nil` is not at all.
  package var slack: Nanoseconds?

  /// Creates a clock.
  package init(
    at: WallInstant?, flow: ClockFlow, isSettable: Bool = false, files: FileTimes = .real,
    escapes: ClockEscapes = .fail, computing: ComputingCost? = nil, slack: Nanoseconds? = nil
  ) {
    self.at = at
    self.flow = flow
    self.isSettable = isSettable
    self.files = files
    self.escapes = escapes
    self.computing = computing
    self.slack = slack
  }
}
