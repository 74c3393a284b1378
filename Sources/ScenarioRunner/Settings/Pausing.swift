package import Foundations

/// The settings of when environments pause, and how that is announced to the user.
package struct Pausing: Sendable {
  /// True if a case's environment pauses as soon as something in it fails.
  package var pausesOnFailure = false
  /// The longest real time for which an environment is paused, where the scenario does not say;
  /// `nil` for no bound.
  package var bound: Nanoseconds?
  /// True if the user sits at a terminal, from which a paused environment can be resumed.
  package var isInteractive = false
  /// Announces a paused environment to the user.
  package var announce: @Sendable (String) -> Void = { _ in }

  /// Creates settings by which only steps pause, and for no longer than the step says.
  package init() {}
}
