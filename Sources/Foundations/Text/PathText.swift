/// Paths as text; nothing is looked up.
package enum PathText {
  /// Returns the folder of a file; empty for a bare name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file's name without folders and without `.yaml` or `.yml`.
  package static func baseName(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = yamlEnding(of: name) ?? ""
    return name.count > ending.count ? String(name.dropLast(ending.count)) : name
  }

  /// Returns the ending by which a file's name says that it holds YAML, `.yaml` or `.yml` in letters of any case, as it is
  /// written; `nil` if there is none.
  package static func yamlEnding(of path: some StringProtocol) -> String? {
    for ending in [".yaml", ".yml"] {
      let found = path.suffix(ending.count)
      if found.lowercased() == ending { return String(found) }
    }
    return nil
  }

  /// `path` as seen from a folder, `.` and `..` resolved as far as text alone allows.
  package static func join(_ folder: String, _ path: String) -> String {
    let whole = path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !whole.hasPrefix("/") {
        parts.append(part)
      }
    }
    let joined = parts.joined(separator: "/")
    if whole.hasPrefix("/") { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Returns the reason why a path may not be in a case's directory; `nil` if it may.
  package static func problem(inDirectory path: String) -> String? {
    if path.isEmpty { return "the path is empty" }
    if path.hasPrefix("/") { return "the path \"\(path)\" is absolute" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.contains("..") { return "the path \"\(path)\" leads out of the directory" }
    if path.hasSuffix("/") { return "the path \"\(path)\" names a folder" }
    if parts.contains("") || parts.contains(".") { return "the path \"\(path)\" is not plain" }
    if path.utf8.contains(0) { return "the path holds a zero byte" }
    return nil
  }
}

extension String {
  /// The folder of a path, which is `.` for a bare name.
  package var parentFolder: String {
    let folder = PathText.folder(of: self)
    return folder.isEmpty ? "." : folder
  }
}
