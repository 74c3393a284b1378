/// The folders in which the target may change files freely.
package struct FileBounds: Sendable {
  /// The folders, by absolute paths: what is in them is the scenario's own.
  package var folders: [String]
  /// True if changes elsewhere fail; false if they are only reported.
  package var refuses: Bool

  /// Creates bounds.
  package init(folders: [String], refuses: Bool) {
    self.folders = folders
    self.refuses = refuses
  }
}

/// The changes that the target made, or tried to make, outside of its bounds.
package struct OutsideAccount: Sendable, Hashable {
  /// A change outside, the first one of its path.
  package struct Change: Sendable, Hashable {
    /// The path of the file or folder.
    package var path: String
    /// The program's name without its folder.
    package var program: String
    /// The call's name.
    package var systemCall: String
  }

  /// The largest number of paths that are listed.
  static let pathLimit = 1_000

  /// The first changes, each of another path.
  package private(set) var changes: [Change] = []
  /// The number of calls on paths that are not listed.
  package private(set) var unlisted = 0
  private var paths: Set<String> = []

  /// Creates an account of nothing.
  package init() {}

  /// Counts a change; true for the first one of a path that is listed.
  mutating func add(_ change: Change) -> Bool {
    guard !paths.contains(change.path) else { return false }
    guard changes.count < Self.pathLimit else {
      unlisted += 1
      return false
    }
    paths.insert(change.path)
    changes.append(change)
    return true
  }
}
