package import Foundations
package import ScenarioModel

/// How a step is performed, whatever it does.
package struct PlannedStepSettings: Sendable, Hashable, Codable {
  /// Whether it is performed at all, where the run decides; `nil` is yes.
  package var condition: RunExpression?
  /// True if it is not performed, as the plan has decided.
  package var isSkipped = false
  /// Variables beside those of the target, for what it starts.
  package var environment: [PlannedVariable] = []
  /// The bound in real time; `nil` is that of the case.
  package var timeout: Nanoseconds?
  /// How often it is tried until it succeeds; `nil` is once.
  package var retry: StepRetry?
  /// How often it is performed.
  package var count = 1

  /// Creates the settings of a step that says nothing.
  package init() {}
}
