package import Foundations

/// What the command line says about exploring; it comes before what files say.
package struct ExplorationOverrides: Sendable {
  /// Calls and groups; empty leaves the files' own.
  package var points: [String] = []
  /// How many runs are made at most.
  package var runLimit: Int?
  /// How long all of it may take in real time.
  package var timeLimit: Nanoseconds?
  /// The folder of what is found, from the runner's own.
  package var folder: String?

  /// Creates wishes of nothing.
  package init() {}
}
