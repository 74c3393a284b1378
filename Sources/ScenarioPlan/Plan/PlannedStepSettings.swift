package import Foundations
package import ScenarioModel

/// The settings of a step's execution, whatever its action.
package struct PlannedStepSettings: Sendable, Hashable, Codable {
  /// Whether it is performed at all, where the run decides; `nil` is yes.
  package var condition: RunExpression?
  /// True if it is not performed, as the plan has decided.
  package var isSkipped = false
  /// Variables beside those of the target, for what it starts.
  package var environment: [PlannedVariable] = []
  /// The bound in real time; `nil` is that of the case.
  package var timeout: Nanoseconds?
  /// The attempts until it succeeds; `nil` is one.
  package var retry: StepRetry?
  /// The number of times that it is performed.
  package var count = 1

  /// Creates the settings of a step that says nothing.
  package init() {}
}
