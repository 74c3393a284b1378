package import Foundations

/// When worlds stand paused, and how the one is told who may look into them.
package struct Pausing: Sendable {
  /// True if the world of a case stands as soon as something in it fails.
  package var pausesOnFailure = false
  /// How long a world stands at most, in real time, where the scenario does not say; `nil` for as long as somebody wants.
  package var bound: Nanoseconds?
  /// True if somebody sits at a terminal, who can let a world go on.
  package var isInteractive = false
  /// Tells whoever runs the scenarios of a world that stands.
  package var announce: @Sendable (String) -> Void = { _ in }

  /// Nothing pauses unless a step says so, and for no longer than the step says.
  package init() {}
}
