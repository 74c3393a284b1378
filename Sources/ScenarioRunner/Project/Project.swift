internal import Glibc

/// The folder that a command works in: the nearest one upward with `scenario.yml`, `.scenario/config.yml`
/// or `.git` in it, and otherwise the current one.
package struct Project: Sendable, Hashable {
  /// The paths of settings below the folder: one of these.
  package static let configurations = ["scenario.yml", ".scenario/config.yml"]

  /// The folder, absolute and without links.
  package let folder: String
  /// True if something marks the folder as that of a project.
  package let isMarked: Bool
  /// The file with the project's settings, if it has one.
  package let configuration: String?
  /// Another file that could be it, and is not read.
  package let rivalConfiguration: String?

  /// The project above the current folder.
  package static func current() -> Project {
    Project(above: FileTree.canonicalPath(".") ?? ".")
  }

  /// Finds the project above a folder, which must be absolute and without links.
  package init(above start: String) {
    var candidate = start
    while true {
      let prefix = candidate == "/" ? "/" : candidate + "/"
      let configurations = Self.configurations.map { prefix + $0 }.filter { access($0, F_OK) == 0 }
      let configuration = configurations.first
      if configuration != nil || access(prefix + ".git", F_OK) == 0 {
        folder = candidate
        isMarked = true
        self.configuration = configuration
        rivalConfiguration = configurations.dropFirst().first
        return
      }
      guard candidate != "/", let slash = candidate.lastIndex(of: "/") else { break }
      candidate = slash == candidate.startIndex ? "/" : String(candidate[..<slash])
    }
    folder = start
    isMarked = false
    configuration = nil
    rivalConfiguration = nil
  }

  /// Returns a path as the project's files name it: relative to its folder, or absolute where it is
  /// elsewhere.
  package func name(of path: String) -> String {
    let canonical = FileTree.canonicalPath(path) ?? path
    let prefix = folder == "/" ? "/" : folder + "/"
    return canonical.hasPrefix(prefix) ? String(canonical.dropFirst(prefix.count)) : canonical
  }

  /// The path of a file that `name(of:)` has named.
  package func path(of name: String) -> String {
    name.hasPrefix("/") ? name : (folder == "/" ? "/" : folder + "/") + name
  }
}

extension FileTree {
  /// The absolute path without links (realpath(3)); `nil` if there is nothing.
  package static func canonicalPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
