package import Foundations

/// The settings of a scenario's execution: beside which others, how often, and how it ends.
package struct ExecutionSettings: Sendable {
  /// `exclusive:` with which others it never runs at once.
  package var exclusive: Located<Exclusivity>?
  /// `grace:` how long processes have between SIGTERM and SIGKILL.
  package var grace: Located<Nanoseconds>?
  /// `leaks:` what processes are that outlive the target.
  package var leak: Located<LeakRule>?
  /// `retries:` how often it is tried again when it does not pass.
  package var retries: Located<Int>?

  /// Creates settings that say nothing.
  package init() {}

  /// The settings with what they do not say taken from others.
  package func over(_ defaults: ExecutionSettings) -> ExecutionSettings {
    var merged = self
    merged.exclusive = exclusive ?? defaults.exclusive
    merged.grace = grace ?? defaults.grace
    merged.leak = leak ?? defaults.leak
    merged.retries = retries ?? defaults.retries
    return merged
  }
}

/// The other cases beside which a case never runs.
package enum Exclusivity: Sendable, Hashable {
  /// The case runs alone.
  case alone
  /// The cases that share one of these names; empty for any.
  case names([String])
}

/// The meaning of processes that outlive the target of a case that passed.
package enum LeakRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// The case has failed.
  case fail
  /// The case has passed, and the processes are reported.
  case warn
  /// The processes mean nothing.
  case ignore
}
