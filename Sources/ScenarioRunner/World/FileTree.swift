internal import Glibc
internal import ScenarioEvents

/// Whole folders and whole files.
public enum FileTree {
  /// Makes a fresh folder that only its owner can enter, below `parent`.
  static func makeTemporary(in parent: String) throws(Failure) -> String {
    var template = Array((parent + "/scenario-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure.system("cannot create a folder in \"\(parent)\"")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a file, or a folder with all that is in it; symbolic links are not followed.
  static func remove(_ path: String) {
    var folders = [path]
    var emptied: [String] = []
    while let folder = folders.popLast() {
      emptied.append(folder)
      for entry in entries(of: folder) {
        let child = "\(folder)/\(entry.name)"
        if entry.isFolder {
          // A folder that its owner may not enter cannot be emptied.
          chmod(child, 0o700)
          folders.append(child)
        } else {
          unlink(child)
        }
      }
    }
    for folder in emptied.reversed() where rmdir(folder) != 0 { unlink(folder) }
  }

  /// Makes the folders that `path` needs.
  static func makeParents(of path: String) {
    var index = path.index(after: path.startIndex)
    while let slash = path[index...].firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o755)
      index = path.index(after: slash)
    }
  }

  /// Writes a whole file.
  static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Failure) {
    makeParents(of: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw Failure.system("cannot write \"\(path)\"") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw Failure.system("cannot write \"\(path)\"") }
      rest = rest.dropFirst(max(0, count))
    }
    // The mask of the runner's user must not decide what the author wrote.
    fchmod(descriptor, mode_t(mode))
  }

  /// Whether there is a folder; symbolic links are followed or not, as `followsLinks` says.
  public static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Reads a whole file; `nil`, with errno set, if it cannot be read.
  public static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let chunk = 1 << 16
    while true {
      var result = 0
      let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        result = Glibc.read(descriptor, buffer.baseAddress, chunk)
        count = max(0, result)
      }
      guard result >= 0 else { return nil }
      guard !part.isEmpty else { return bytes }
      bytes += part
    }
  }

  /// The paths of all files below a folder, relative to it, sorted; symbolic links are files.
  public static func files(below folder: String) -> [String] {
    var found: [String] = []
    var pending = [""]
    while let current = pending.popLast() {
      for entry in entries(of: current.isEmpty ? folder : "\(folder)/\(current)") {
        let path = current.isEmpty ? entry.name : "\(current)/\(entry.name)"
        if entry.isFolder {
          pending.append(path)
        } else {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }

  /// What stands in a folder, in no order; nothing if it cannot be read.
  static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var list: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let type = Int(entry.pointee.d_type)
      // readdir(3): not every filesystem tells the type.
      let isFolder =
        type == DT_DIR
        || type == DT_UNKNOWN && Self.isFolder("\(folder)/\(name)", followsLinks: false)
      list.append((name, isFolder))
    }
    return list
  }
}
