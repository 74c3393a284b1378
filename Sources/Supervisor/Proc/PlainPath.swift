/// Absolute paths as patterns are written.
enum PlainPath {
  /// Returns an absolute path without `.`, `..` and empty names.
  ///
  /// The meaning of `..` behind a symbolic link is not looked up.
  static func of(_ path: String) -> String {
    guard path.contains("/.") || path.contains("//") || path.hasSuffix("/") else { return path }
    var names: [Substring] = []
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }
}
