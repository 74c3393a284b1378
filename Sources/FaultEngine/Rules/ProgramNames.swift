internal import Patterns

/// The names of the program that a process runs: by each of them a condition finds it.
///
/// The kernel knows the executable file alone. Whoever starts it by a symbolic link (Debian's `redis-server` leads to
/// `redis-check-rdb`), or as a script that it interprets (execve(2)), knows it by another name.
package struct ProgramNames: Sendable, Hashable {
  /// The path of the executable file; empty where it is not known.
  package let executable: String
  /// The path by which it was started, where that is another one: a symbolic link's, or a script's.
  package let started: String?
  /// The name in reports: that of its first argument.
  package let name: String
  /// The paths, with which a glob is compared that has a slash.
  private let paths: [String]
  /// The names without folders, with which any other glob is compared: that in reports first.
  package let plainNames: [String]

  /// A program of which nothing is known.
  package static let unknown = ProgramNames(executable: "")

  /// Creates names.
  ///
  /// - Parameter name: the name in reports; by default, and where it is empty, that of the path by which it was started.
  package init(executable: String, started: String? = nil, name: String? = nil) {
    let started = started == executable ? nil : started
    let given = name.flatMap { $0.isEmpty ? nil : $0 }
    self.executable = executable
    self.started = started
    self.name = given ?? Self.name(of: started ?? executable)
    paths = [started, executable].compactMap { $0 }
    var names = [self.name]
    for path in paths where !names.contains(Self.name(of: path)) {
      names.append(Self.name(of: path))
    }
    plainNames = names
  }

  /// True if nothing is known.
  var isUnknown: Bool { executable.isEmpty }

  /// Returns whether a glob is that of one of its names or, if it has a slash, of one of its paths.
  func match(_ glob: CompiledGlob, isAboutPath: Bool) -> Bool {
    (isAboutPath ? paths : plainNames).contains { glob.matches($0) }
  }

  /// Returns whether it is known by a name without a folder.
  package func include(_ name: String) -> Bool { plainNames.contains(name) }

  /// All names without folders, that in reports first: `redis-server (redis-check-rdb)`.
  var text: String { Self.text(of: plainNames) }

  /// The paths, that by which it was started first, behind its name: what a glob with a slash is compared with.
  var pathText: String { Self.text(of: [name] + paths) }

  private static func text(of names: [String]) -> String {
    guard let first = names.first, names.count > 1 else { return names.first ?? "" }
    return "\(first) (\(names.dropFirst().joined(separator: ", ")))"
  }

  /// The name in a path, which is the path itself where it has no folder.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
