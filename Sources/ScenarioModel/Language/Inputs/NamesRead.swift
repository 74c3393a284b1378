/// The names that the expressions of a file read, to tell which of those that it defines nothing reads.
package struct NamesRead: Sendable, Hashable {
  /// The keys that are read behind each root: `who` behind `vars`.
  private var keys: [String: Set<String>] = [:]
  /// The roots that are read as a whole, as in `${{ keys(vars) }}`.
  private var wholes: Set<String> = []

  /// Creates names of a file without expressions.
  package init() {}

  /// Returns whether an expression reads a name behind a root.
  package func reads(_ name: String, behind root: String) -> Bool {
    wholes.contains(root) || keys[root]?.contains(name) ?? false
  }

  /// Adds the names with which the paths of expressions begin.
  package mutating func insert(_ firstSteps: [(root: String, key: String?)]) {
    for (root, key) in firstSteps {
      if let key { keys[root, default: []].insert(key) } else { wholes.insert(root) }
    }
  }

  /// Adds a name behind a root.
  package mutating func insert(_ name: String, behind root: String) {
    keys[root, default: []].insert(name)
  }

  /// Adds the names that another file reads.
  package mutating func formUnion(_ other: NamesRead) {
    wholes.formUnion(other.wholes)
    keys.merge(other.keys) { $0.union($1) }
  }
}
