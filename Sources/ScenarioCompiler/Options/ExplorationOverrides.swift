package import Foundations

/// The command line's options for exploring, which override those of files.
package struct ExplorationOverrides: Sendable {
  /// Calls and groups; empty leaves the files' own.
  package var points: [String] = []
  /// The number of runs that are made at most.
  package var runLimit: Int?
  /// The longest time that all of it may take in real time.
  package var timeLimit: Nanoseconds?
  /// The folder of what is found, from the runner's own.
  package var folder: String?

  /// Creates overrides of nothing.
  package init() {}
}
