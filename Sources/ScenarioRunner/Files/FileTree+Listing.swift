internal import Foundations
internal import Glibc

extension FileTree {
  /// What is below a folder; paths are relative to it, and sorted.
  struct Paths {
    /// The files; symbolic links are files.
    var files: [String] = []
    /// The folders.
    var folders: [String] = []
    /// The folders that cannot be listed, and why.
    ///
    /// Nobody knows what is in them. The folder itself has the empty path.
    var unlisted: [(path: String, errorNumber: Int32)] = []
  }

  /// Lists all that is below a folder.
  static func paths(below folder: String) -> Paths {
    var paths = Paths()
    var pending = [""]
    while let current = pending.popLast() {
      let (entries, errorNumber) = list(current.isEmpty ? folder : "\(folder)/\(current)")
      // What has gone in the meantime, or has become a file, holds nothing.
      if let errorNumber, errorNumber != ENOENT, errorNumber != ENOTDIR {
        paths.unlisted.append((current, errorNumber))
      }
      for entry in entries {
        let path = current.isEmpty ? entry.name : "\(current)/\(entry.name)"
        if entry.isFolder {
          pending.append(path)
          paths.folders.append(path)
        } else {
          paths.files.append(path)
        }
      }
    }
    paths.files.sort()
    paths.folders.sort()
    paths.unlisted.sort { $0.path < $1.path }
    return paths
  }

  /// Returns the entries of a folder, in no order, and the errno of what prevents a complete list; `nil` if nothing
  /// does.
  static func list(
    _ folder: String
  ) -> (entries: [(name: String, isFolder: Bool)], errorNumber: Int32?) {
    guard let handle = opendir(folder) else { return ([], errno) }
    defer { closedir(handle) }
    var entries: [(name: String, isFolder: Bool)] = []
    while true {
      errno = 0
      guard let entry = readdir(handle) else { return (entries, errno == 0 ? nil : errno) }
      let name = String(decoding: entry.name, as: UTF8.self)
      guard name != ".", name != ".." else { continue }
      let type = Int(entry.pointee.d_type)
      guard type == DT_UNKNOWN else {
        entries.append((name, type == DT_DIR))
        continue
      }
      // readdir(3): not every filesystem tells the type.
      guard let status = FileStatus(entry: "\(folder)/\(name)") else {
        if errno == ENOENT { continue }
        return (entries, errno)
      }
      entries.append((name, status.kind == .folder))
    }
  }
}
