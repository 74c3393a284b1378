internal import Glibc

/// Paths as seen from the folder that the program was started in.
enum WorkingPath {
  /// Returns a path without that folder if it is below it, so that a plan has one name wherever the
  /// folder is.
  static func relative(_ path: String) -> String {
    folder.map { relative(path, to: $0) } ?? plain(path)
  }

  /// The folder, absolute; `nil` if it is gone.
  static var folder: String? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// A path below `folder`, which is absolute, without it; any other path plain.
  static func relative(_ path: String, to folder: String) -> String {
    let path = plain(path)
    let start = folder == "/" ? "/" : folder + "/"
    return folder != "/" && path.hasPrefix(start) && path.count > start.count
      ? String(path.dropFirst(start.count)) : path
  }

  /// A path without `./` in front and without slashes in a row.
  private static func plain(_ path: String) -> String {
    guard path.hasPrefix("./") || path.contains("//") else { return path }
    var parts = path.split(separator: "/")[...]
    if path.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
    while parts.count > 1, parts.first == "." { parts = parts.dropFirst() }
    return parts.joined(separator: "/") + (path.hasSuffix("/") ? "/" : "")
  }
}
