internal import CSupervisor
internal import Glibc

/// The files that the processes of a scenario may change, and their changes outside of those.
struct ContainedFiles {
  /// A folder whose files are the scenario's own.
  struct Folder {
    /// Its path without symbolic links, and without a slash at its end.
    let path: [UInt8]
    let file: FileHandle

    /// Opens a folder; `nil` if there is none.
    init?(_ path: String) {
      let descriptor = open(path, PathFlags.pathOnly | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      file = FileHandle(descriptor: descriptor)
      self.path = file.path
    }

    /// Returns whether it leads to a path, by the path's words.
    func leads(to path: UnsafeBufferPointer<UInt8>) -> Bool {
      let count = self.path.count
      guard path.count >= count, path[..<count].elementsEqual(self.path) else { return false }
      return path.count == count || path[count] == UInt8(ascii: "/")
    }
  }

  /// True if changes elsewhere fail.
  let refuses: Bool
  /// The files that coverage tools write.
  var coverage = CoverageFiles()
  /// The changes elsewhere.
  var account = OutsideAccount()
  private let folders: [Folder]
  /// The mounts that have the folders.
  let mounts: Set<Int>
  /// The name of this process's mount namespace (namespaces(7)); empty where it cannot be read.
  private let mountNamespace: [UInt8]

  /// Opens the folders; `nil` if one of them is the root, which leaves nothing outside.
  init?(_ bounds: FileBounds) {
    refuses = bounds.refuses
    folders = bounds.folders.compactMap(Folder.init)
    mountNamespace = Array((SmallFile.link("/proc/self/ns/mnt") ?? "").utf8)
    mounts = Set(folders.compactMap { MountTable.number(of: $0.file) })
    guard folders.allSatisfy({ $0.path.count > 1 }) else { return nil }
  }

  // MARK: - Paths without links

  /// The relation of a path to the scenario.
  enum Standing: Equatable {
    /// The path is in one of the case's folders.
    case own
    /// The path is elsewhere, and may be changed all the same.
    case exempt
    /// The path is elsewhere.
    case outside
  }

  /// Returns the relation of a path to the scenario.
  ///
  /// - Parameters:
  ///   - path: absolute, and without symbolic links.
  ///   - isFolder: whether it names a folder.
  ///   - isMember: whether a process is one of the scenario's, by its number.
  func standing(
    of path: String, isFolder: Bool = false, isMember: (Int32) -> Bool
  ) -> Standing {
    var text = path
    let isOwn = text.withUTF8 { bytes in folders.contains { $0.leads(to: bytes) } }
    if isOwn { return .own }
    // Terminals, what swallows everything, and memory that processes share.
    if path.hasPrefix("/dev/") { return .exempt }
    // Each JVM lays its performance data there, whatever TMPDIR says (jps(1)).
    if path.hasPrefix("/tmp/hsperfdata_") { return .exempt }
    // What stands for open pipes, sockets and memory has no path that begins with a slash, but for memfd_create(2).
    if !path.hasPrefix("/") || path.hasPrefix("/memfd:") { return .exempt }
    if path.hasPrefix("/proc/"), let entry = ProcessEntry(path), isMember(entry.number) {
      return .exempt
    }
    return (isFolder ? coverage.contain(folder: path) : coverage.contain(path)) ? .exempt : .outside
  }

  // MARK: - Paths as calls name them

  /// Returns whether what a call names certainly lies in the case's folders, or would; false where that takes a closer look.
  ///
  /// - Parameters:
  ///   - path: as the call has it.
  ///   - directory: from where a relative one counts, or AT_FDCWD.
  ///   - thread: who makes the call.
  ///   - follows: whether a symbolic link at its end is followed.
  func certainlyHold(
    _ path: [UInt8], from directory: Int32, of thread: ThreadIdentifier, follows: Bool
  ) -> Bool {
    guard path.count < Self.pathLimit, sharesMounts(thread) else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Self.pathLimit + 2) {
      buffer in
      guard let start = buffer.baseAddress else { return false }
      var count = 0
      if path.first == UInt8(ascii: "/") {
        // path_resolution(7): in a root of the thread's own the words mean something else.
        guard read("/proc/\(thread.number)/root", into: start) == 1 else { return false }
      } else {
        let place = directory == AT_FDCWD ? "cwd" : "fd/\(directory)"
        count = read("/proc/\(thread.number)/\(place)", into: start)
        guard count > 0 else { return false }
        // What stands behind a file's name with a slash is no file (path_resolution(7)).
        if !path.isEmpty {
          start[count] = UInt8(ascii: "/")
          count += 1
        }
      }
      for byte in path {
        start[count] = byte
        count += 1
      }
      start[count] = 0
      let whole = UnsafeBufferPointer(start: start, count: count)
      guard let folder = folders.first(where: { $0.leads(to: whole) }) else { return false }
      var rest = folder.path.count
      while start[rest] == UInt8(ascii: "/") { rest += 1 }
      guard rest < count else { return true }
      return (start + rest).withMemoryRebound(to: CChar.self, capacity: count - rest + 1) {
        scenario_stays_beneath(folder.file.descriptor, $0, follows ? 1 : 0) == 1
      }
    }
  }

  /// Returns whether a thread sees mounted what this process does.
  private func sharesMounts(_ thread: ThreadIdentifier) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pathLimit) { buffer in
      guard let start = buffer.baseAddress else { return false }
      let count = read("/proc/\(thread.number)/ns/mnt", into: start)
      return count > 0 && buffer[..<count].elementsEqual(mountNamespace)
    }
  }

  /// Returns whether the file behind a descriptor certainly is in the case's folders.
  func certainlyHold(descriptor: Int32, of thread: ThreadIdentifier) -> Bool {
    certainlyHold([], from: descriptor, of: thread, follows: false)
  }

  private func read(_ link: String, into buffer: UnsafeMutablePointer<UInt8>) -> Int {
    buffer.withMemoryRebound(to: CChar.self, capacity: Self.pathLimit) {
      readlink(link, $0, Self.pathLimit)
    }
  }

  /// PATH_MAX of `linux/limits.h`.
  private static let pathLimit = 4096
}
