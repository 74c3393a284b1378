internal import Glibc

/// Replacements, arranged so that opening anything else costs one lookup in a set.
struct ReplacedFiles {
  private let paths: [String: Int]
  private let suffixes: [(text: String, index: Int)]
  /// The last parts of all paths and endings.
  private let names: Set<Substring>

  /// Arranges replacements; what they are asked for is answered by their place in the list.
  init(_ replacements: [FileReplacement]) {
    var paths: [String: Int] = [:]
    var suffixes: [(text: String, index: Int)] = []
    for (index, replacement) in replacements.enumerated() {
      for path in replacement.paths { paths[path] = paths[path] ?? index }
      suffixes += replacement.suffixes.map { ($0, index) }
    }
    self.paths = paths
    self.suffixes = suffixes
    names = Set((paths.keys + suffixes.map(\.text)).map { Self.name($0) })
  }

  /// Returns whether a path may be one that is replaced, by its last part.
  func mayReplace(_ path: String) -> Bool {
    names.contains(Self.name(path))
  }

  /// Returns the replacement of the file of an absolute path: its own, or the one that links lead
  /// to.
  func replacement(of path: String) -> Int? {
    find(path) ?? Self.resolved(path).flatMap { find($0) }
  }

  private func find(_ path: String) -> Int? {
    paths[path] ?? suffixes.first { path.hasSuffix($0.text) }?.index
  }

  private static func name(_ path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
  }

  /// realpath(3): the path without links, as this process sees it.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
