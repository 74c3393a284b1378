/// Where the target may change files without anybody asking.
package struct FileBounds: Sendable {
  /// The folders, by absolute paths: what is in them is the scenario's own.
  package var folders: [String]
  /// True if changes elsewhere fail; else they are told.
  package var refuses: Bool

  /// Creates bounds.
  package init(folders: [String], refuses: Bool) {
    self.folders = folders
    self.refuses = refuses
  }
}

/// What the target has changed outside of its bounds, or was kept from changing.
package struct OutsideAccount: Sendable, Hashable {
  /// One such change, the first one of its path.
  package struct Change: Sendable, Hashable {
    /// The path of the file or folder.
    package var path: String
    /// The program's name without its folder.
    package var program: String
    /// The call's name.
    package var systemCall: String
  }

  /// How many paths are told apart.
  static let pathLimit = 1_000

  /// The first changes, each of another path.
  package private(set) var changes: [Change] = []
  /// How many calls there were whose paths are not among these.
  package private(set) var unlisted = 0
  private var paths: Set<String> = []

  /// Nothing has happened.
  package init() {}

  /// Counts a change; true for the first one of its path that is told.
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
