internal import Foundations
internal import Glibc
internal import ScenarioEvents

/// Whole folders and whole files.
package enum FileTree {
  /// The largest file that is read.
  package static let readLimit = 64 << 20

  /// Removes a file, or a folder with all that is in it; symbolic links are not followed.
  ///
  /// - Returns: What could not be removed, and why; empty if nothing is left.
  @discardableResult
  static func remove(_ path: String) -> [String] {
    var removal = TreeRemoval()
    removal.remove(path)
    let more = removal.unreported > 0 ? ["\(removal.unreported) more could not be removed"] : []
    return removal.problems + more
  }

  /// Makes the folders that `path` needs.
  static func makeParents(of path: String, for owner: FileOwner = .run) throws(Failure) {
    guard !path.isEmpty else { return }
    var index = path.index(after: path.startIndex)
    while let slash = path[index...].firstIndex(of: "/") {
      let folder = String(path[..<slash])
      if mkdir(folder, 0o755) == 0 {
        if owner == .run { chmod(folder, 0o755) }
      } else {
        let error = errno
        guard isFolder(folder) else {
          throw Failure.system("cannot create \"\(folder)\"", errorNumber: error)
        }
      }
      index = path.index(after: slash)
    }
  }

  /// Writes a whole file.
  static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32, for owner: FileOwner = .run
  ) throws(Failure) {
    try makeParents(of: path, for: owner)
    let manner = owner == .user ? O_EXCL | O_NOFOLLOW : O_TRUNC
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | manner, mode_t(mode))
    guard descriptor >= 0 else { throw Failure.system("cannot write \"\(path)\"") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw Failure.system("cannot write \"\(path)\"") }
      rest = rest.dropFirst(max(0, count))
    }
    guard owner == .user || fchmod(descriptor, mode_t(mode)) == 0 else {
      throw Failure.system("cannot set the mode of \"\(path)\"")
    }
  }

  /// Returns whether there is a folder; symbolic links are followed or not, as `followsLinks` says.
  package static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Returns the path of a file or folder without links; `nil` if there is none.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Reads a whole regular file; a link to one is followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: How many bytes it may have.
  /// - Throws: `FileReadError`, also for what is no regular file: a FIFO would never end.
  package static func read(
    _ path: String, limit: Int = readLimit
  ) throws(FileReadError) -> [UInt8] {
    let (descriptor, size) = try openRegular(path)
    defer { close(descriptor) }
    guard size <= limit else { throw .tooLarge(limit: limit) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while true {
      let part = try readPart(of: descriptor, count: 1 << 16)
      guard !part.isEmpty else { return bytes }
      bytes += part
      // It may have grown since, and what the kernel makes up on reading has no size before.
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    }
  }

  private static func openRegular(
    _ path: String
  ) throws(FileReadError) -> (descriptor: Int32, size: Int) {
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errorNumber: errno) }
    guard let status = FileStatus(descriptor: descriptor) else {
      let error = errno
      close(descriptor)
      throw .system(errorNumber: error)
    }
    guard status.isRegular else {
      close(descriptor)
      throw .notRegular
    }
    return (descriptor, status.size)
  }

  /// The next bytes of a file; none at its end.
  private static func readPart(
    of descriptor: Int32, count limit: Int
  ) throws(FileReadError) -> [UInt8] {
    while true {
      var result = 0
      let part = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        result = Glibc.read(descriptor, buffer.baseAddress, limit)
        count = max(0, result)
      }
      if result >= 0 { return part }
      guard errno == EINTR else { throw .system(errorNumber: errno) }
    }
  }

  /// The paths of all files below a folder, relative to it, sorted; symbolic links are files.
  package static func files(below folder: String) -> [String] { paths(below: folder).files }

  /// The paths of all folders below a folder, relative to it, sorted.
  package static func folders(below folder: String) -> [String] { paths(below: folder).folders }

  /// Returns the entries of a folder, in no order; none if it cannot be read.
  static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    list(folder).entries
  }
}
