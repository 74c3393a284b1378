internal import CSupervisor
internal import Glibc

/// A file or folder that stays the same whatever happens to its name: a descriptor with O_PATH.
///
/// open(2): such a descriptor reads and writes nothing, keeps no lock and wakes no process.
final class FileHandle {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// The kind of the file, and its times; `nil` if even those cannot be read.
  var status: stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// The path that the kernel knows it by, in bytes.
  var path: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let link = "/proc/self/fd/\(descriptor)"
      count = buffer.baseAddress.map { max(0, readlink(link, $0, 4096)) } ?? 0
    }
  }

  /// The absolute path by which the kernel knows it, without the mark of a file that has been deleted.
  func plainPath(_ status: stat?) -> String {
    let path = String(decoding: self.path, as: UTF8.self)
    return KernelPath.plain(path) {
      var named = stat()
      guard let status, lstat(path, &named) == 0 else { return false }
      return FileIdentity(named) == FileIdentity(status)
    }
  }
}

extension stat {
  /// True if it is of one of the kinds that have content with a time of change.
  var isFileOrFolder: Bool {
    [S_IFREG, S_IFDIR, S_IFLNK].contains(st_mode & S_IFMT)
  }
}

/// Resolves descriptors and paths as a stopped thread of the target would.
struct TargetPaths {
  /// The thread: its own descriptors, its own folders, its own root.
  let thread: ThreadIdentifier

  /// The reason why a file cannot be pinned.
  struct Failure: Error {
    var errorNumber: Int32
  }

  /// The file behind a descriptor.
  func file(behind number: Int32) throws(Failure) -> FileHandle {
    try pin("/proc/\(thread.number)/fd/\(number)", 0)
  }

  /// Returns whether the thread's root folder is this process's own.
  func sharesRoot() -> Bool {
    var own = stat()
    var root = stat()
    let link = "/proc/\(thread.number)/root"
    return stat("/", &own) == 0 && ProcessOwner.retrying(link, { stat(link, &root) }) == 0
      && own.st_dev == root.st_dev && own.st_ino == root.st_ino
  }

  /// Opens the file that a path leads to.
  ///
  /// - Parameters:
  ///   - path: the path's bytes.
  ///   - directory: the descriptor from which a relative one counts, or AT_FDCWD.
  ///   - flags: O_NOFOLLOW, O_DIRECTORY.
  func file(
    at path: [UInt8], from directory: Int32, flags: Int32 = 0
  ) throws(Failure) -> FileHandle {
    guard path.first == UInt8(ascii: "/") else {
      let base =
        directory == AT_FDCWD
        ? try pin("/proc/\(thread.number)/cwd", O_DIRECTORY) : try file(behind: directory)
      guard !path.isEmpty else { return base }
      return try open(path, flags, from: base)
    }
    let root = try pin("/proc/\(thread.number)/root", O_DIRECTORY)
    let ownPath = Self.ownPath(path, of: thread)
    let rest = ownPath.drop { $0 == UInt8(ascii: "/") }
    guard !rest.isEmpty else { return root }
    guard sharesRoot() else {
      return try Self.open(rest, flags) { scenario_open_in_root(root.descriptor, $0, $1) }
    }
    // The root folder of the thread's own mounts, which may be others than here.
    guard ownPath == path else {
      return try Self.open(rest, flags) { openat(root.descriptor, $0, $1) }
    }
    return try open(Array(rest), flags, from: root)
  }

  /// Opens a path from a folder; what a symbolic link to a descriptor or folder below /proc/self leads to is the
  /// thread's, and not the runner's.
  private func open(
    _ path: [UInt8], _ flags: Int32, from folder: FileHandle
  ) throws(Failure) -> FileHandle {
    let failure: Failure
    do {
      return try Self.open(path, flags) {
        scenario_open_without_magic_links(folder.descriptor, $0, $1)
      }
    } catch {
      // Here may be nothing of the number that is meant there.
      guard error.errorNumber == ELOOP || error.errorNumber == ENOENT else { throw error }
      failure = error
    }
    let own = [
      "/proc/self": "\(thread.number)",
      "/proc/thread-self": "\(thread.number)/task/\(thread.number)",
    ]
    let start = folder.plainPath(folder.status)
    let replaced = LinkWalk.replacing(own, in: path, from: start)
    guard replaced != nil || failure.errorNumber == ELOOP else { throw failure }
    return try Self.open(replaced ?? path, flags) { openat(folder.descriptor, $0, $1) }
  }

  /// Returns the folder of a pinned file, by the path that the kernel gives for it.
  ///
  /// The path is as seen from this process, where the two have one root; else it is a guess.
  func folder(of file: FileHandle) throws(Failure) -> FileHandle {
    guard let entry = EntryPath(file.path), entry.folder.first == UInt8(ascii: "/") else {
      throw Failure(errorNumber: ENOENT)
    }
    guard sharesRoot() else {
      return try Self.open(entry.folder[...], O_DIRECTORY) { openat(AT_FDCWD, $0, $1) }
    }
    return try self.file(at: entry.folder, from: AT_FDCWD, flags: O_DIRECTORY)
  }

  /// A path through /proc/self, or through links to it, as a thread's process means it.
  static func ownPath(_ path: [UInt8], of thread: ThreadIdentifier) -> [UInt8] {
    guard path.starts(with: "/proc/".utf8) || path.starts(with: "/dev/".utf8) else { return path }
    for (name, place) in ownLinks(of: thread) where path.starts(with: name.utf8) {
      let rest = path.dropFirst(name.utf8.count)
      // A name that ends with a slash goes on, and no other one does.
      guard name.hasSuffix("/") || rest.isEmpty else { continue }
      return Array("/proc/\(thread.number)/\(place)".utf8) + rest
    }
    return path
  }

  /// Links that lead each process to something of its own (proc(5)), and where in its folder that is.
  private static func ownLinks(of thread: ThreadIdentifier) -> [(name: String, place: String)] {
    [
      ("/proc/self/", ""), ("/proc/thread-self/", "task/\(thread.number)/"), ("/dev/fd/", "fd/"),
      ("/dev/stdin", "fd/0"), ("/dev/stdout", "fd/1"), ("/dev/stderr", "fd/2"),
    ]
  }

  private func pin(_ path: String, _ flags: Int32) throws(Failure) -> FileHandle {
    let descriptor = ProcessOwner.retrying(path) {
      Glibc.open(path, PathFlags.pathOnly | O_CLOEXEC | flags)
    }
    guard descriptor >= 0 else { throw Failure(errorNumber: errno) }
    return FileHandle(descriptor: descriptor)
  }

  private static func open(
    _ path: ArraySlice<UInt8>, _ flags: Int32,
    _ body: (UnsafePointer<CChar>, Int32) -> Int32
  ) throws(Failure) -> FileHandle {
    let descriptor = (path + [0]).withUnsafeBytes { buffer in
      // The array is never empty, so it has a first element.
      body(
        buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self),
        PathFlags.pathOnly | O_CLOEXEC | flags)
    }
    guard descriptor >= 0 else { throw Failure(errorNumber: errno) }
    return FileHandle(descriptor: descriptor)
  }

  private static func open(
    _ path: [UInt8], _ flags: Int32, _ body: (UnsafePointer<CChar>, Int32) -> Int32
  ) throws(Failure) -> FileHandle {
    try open(path[...], flags, body)
  }
}
