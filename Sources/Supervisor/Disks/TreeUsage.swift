internal import Glibc

/// The room of a file, or of a folder with all that is in it.
///
/// A file counts once, however many names it has (as `du` counts).
struct TreeUsage {
  /// The largest number of files that are read.
  static let limit = 1 << 20
  /// The largest depth of folders that are read; each level holds a descriptor.
  static let depthLimit = 256

  /// The room of each file.
  private(set) var spaces: [FileIdentity: Int64] = [:]
  /// The number of names that were met of each file that has several.
  private(set) var names: [FileIdentity: Int] = [:]
  /// True if everything could be read.
  private(set) var isComplete = true

  /// The room of all files, in bytes.
  var total: Int64 { spaces.values.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

  init() {}

  /// Measures a file, or all that is in a folder.
  init(of file: FileHandle) {
    add(file, path: "") { _, _ in true }
  }

  /// Adds those of a tree whose paths are meant.
  ///
  /// - Parameters:
  ///   - file: the top of the tree.
  ///   - path: its path.
  ///   - isMeant: asked for each path, and whether it is a folder's.
  mutating func add(
    _ file: FileHandle, path: String, _ isMeant: (_ path: String, _ isFolder: Bool) -> Bool
  ) {
    add(file, path: path, depth: 0, isMeant)
  }

  private mutating func add(
    _ file: FileHandle, path: String, depth: Int,
    _ isMeant: (_ path: String, _ isFolder: Bool) -> Bool
  ) {
    guard let status = file.status else { return }
    if isMeant(path, status.isFolder) {
      let identity = FileIdentity(status)
      guard spaces.count < Self.limit else {
        isComplete = false
        return
      }
      if !status.isFolder, status.st_nlink > 1 { names[identity, default: 0] += 1 }
      if spaces[identity] == nil { spaces[identity] = file.takenRoom }
    }
    guard status.isFolder else { return }
    guard depth < Self.depthLimit, let entries = FolderEntries.names(in: file.descriptor) else {
      isComplete = false
      return
    }
    for name in entries {
      guard let entry = file.entry(name) else {
        // What is gone meanwhile takes nothing; what cannot be opened, as in a tree so deep that it takes all
        // descriptors, is missing.
        if errno != ENOENT { isComplete = false }
        continue
      }
      let text = String(decoding: name, as: UTF8.self)
      add(entry, path: path == "/" ? "/\(text)" : "\(path)/\(text)", depth: depth + 1, isMeant)
    }
  }
}

extension FileHandle {
  /// Opens the entry of the folder with a name, a symbolic link itself; `nil` if there is none.
  fileprivate func entry(_ name: [UInt8]) -> FileHandle? {
    let entry = (name + [0]).withUnsafeBytes { buffer in
      buffer.baseAddress.map {
        openat(
          descriptor, $0.assumingMemoryBound(to: CChar.self),
          PathFlags.pathOnly | O_NOFOLLOW | O_CLOEXEC)
      } ?? -1
    }
    return entry >= 0 ? FileHandle(descriptor: entry) : nil
  }
}
