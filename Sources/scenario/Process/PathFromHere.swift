internal import ScenarioRunner

/// A path as a person in the current folder would write it.
enum PathFromHere {
  /// Relative, over folders further up if need be; both are absolute and without `..`.
  static func relative(_ path: String) -> String {
    guard let here = FileTree.canonicalPath(".") else { return path }
    return relative(path, from: here)
  }

  /// A path as it is seen from a folder; both are absolute.
  static func relative(_ path: String, from folder: String) -> String {
    guard path.hasPrefix("/") else { return path }
    let goal = path.split(separator: "/").filter { $0 != "." }
    let start = folder.split(separator: "/").filter { $0 != "." }
    guard !goal.contains("..") else { return path }
    let shared = zip(goal, start).prefix { $0 == $1 }.count
    guard shared > 0 else { return path }
    let parts = [Substring](repeating: "..", count: start.count - shared) + goal[shared...]
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// Returns a path, relative if it is below the current folder.
  static func text(_ path: String) -> String {
    guard let here = FileTree.canonicalPath("."), here != "/", path.hasPrefix(here + "/") else {
      return path
    }
    return String(path.dropFirst(here.count + 1))
  }
}
