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
  /// The texts with which globs are compared: the paths, and the name in reports where no path ends with it.
  let texts: [String]

  /// A program of which nothing is known.
  package static let unknown = ProgramNames(executable: "")

  /// Creates names.
  ///
  /// - Parameter name: the name in reports; by default that of the path by which it was started.
  package init(executable: String, started: String? = nil, name: String? = nil) {
    let started = started == executable ? nil : started
    let paths = [executable] + (started.map { [$0] } ?? [])
    let name = name ?? Self.name(of: started ?? executable)
    self.executable = executable
    self.started = started
    self.name = name
    texts = paths.contains { Self.name(of: $0) == name } ? paths : paths + [name]
  }

  /// True if nothing is known.
  var isUnknown: Bool { executable.isEmpty }

  /// All names without folders, that in reports first: `redis-server (redis-check-rdb)`.
  var text: String {
    var others: [String] = []
    for other in [started, executable].compactMap({ $0.map { Self.name(of: $0) } })
    where other != name && !others.contains(other) {
      others.append(other)
    }
    return others.isEmpty ? name : "\(name) (\(others.joined(separator: ", ")))"
  }

  /// The name in a path, which is the path itself where it has no folder.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
