package import Foundations
package import Patterns

/// A condition on a whole folder.
package struct PlannedTree: Sendable, Hashable, Codable {
  /// The condition on a folder.
  package enum Condition: Sendable, Hashable, Codable {
    /// The folder does not exist.
    case absent
    /// The folder exists.
    case exists
    /// The folder has the same files as a folder of the project; its path, with a final `/`.
    case equals(folder: String)
    /// Each of these files exists, and no other one.
    case only([GlobPattern])
    /// Its files are as a snapshot says.
    case snapshot(PlannedSnapshot)
  }

  /// The folder as the author wrote it, with its final `/`; `./` is the case's directory.
  package var path: String
  /// The condition.
  package var condition: Condition
  /// The paths that do not count, relative to the folder.
  package var ignored: [GlobPattern]
  /// True if it counts that the owner may execute a file: all that version control keeps of modes.
  package var comparesModes: Bool
  /// The place of the condition in the file.
  package var range: SourceRange

  /// Creates a condition.
  package init(
    path: String, _ condition: Condition, ignored: [GlobPattern] = [], comparesModes: Bool = false,
    at range: SourceRange
  ) {
    self.path = path
    self.condition = condition
    self.ignored = ignored
    self.comparesModes = comparesModes
    self.range = range
  }

  /// The condition in words.
  package var summary: String {
    switch condition {
    case .absent: "is not there"
    case .exists: "is there"
    case .equals(let folder): "is as \(folder)"
    case .only([]): "holds no file"
    case .only(let patterns): "holds only \(patterns.map(\.text).joined(separator: ", "))"
    case .snapshot(let snapshot): "is the snapshot \"\(snapshot.name)\""
    }
  }
}

/// Several globs, compiled for matching many paths.
package struct GlobSet: Sendable {
  private let globs: [CompiledGlob]

  /// Compiles patterns; one that ends with `/` matches everything below, and malformed ones match
  /// nothing.
  package init(_ patterns: [GlobPattern]) {
    globs = patterns.compactMap { CompiledGlob($0.text.hasSuffix("/") ? $0.text + "**" : $0.text) }
  }

  /// Returns whether one of them matches.
  package func matches(_ path: String) -> Bool {
    globs.contains { $0.matches(path) }
  }

  /// The places of those that match.
  package func places(matching path: String) -> [Int] {
    globs.indices.filter { globs[$0].matches(path) }
  }
}
