package import Foundations

/// The settings of a step's execution, whatever its action.
package struct StepSettings: Sendable {
  /// `description:`.
  package var description: Located<String>?
  /// `if:` whether it is performed at all; `nil` is yes.
  package var condition: DataNode?
  /// `env:` variables beside those of the target, for what it starts.
  package var environment: [DataField] = []
  /// `timeout:` the bound in real time; `nil` is that of the scenario.
  package var timeout: Located<Nanoseconds>?
  /// `retry:` until it succeeds; `nil` is once.
  package var retry: Located<StepRetry>?
  /// `repeat:` how often, each time with its expectations; `nil` is once.
  package var count: Located<Int>?

  /// Creates settings that say nothing.
  package init() {}
}

/// The attempts of a step until it succeeds.
package struct StepRetry: Sendable, Hashable, Codable {
  /// `attempts:` all of them.
  package var attempts: Int
  /// `every:` what passes between two of them, on the scenario's clock.
  package var interval: Nanoseconds?

  /// Creates a rule.
  package init(attempts: Int, interval: Nanoseconds? = nil) {
    self.attempts = attempts
    self.interval = interval
  }
}
