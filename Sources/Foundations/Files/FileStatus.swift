internal import Glibc

/// A file's status by stat(2).
///
/// It stands on this floor because `struct stat` cannot be named wherever Foundation's C module is linked
/// statically: there the compiler takes it for that module's.
package struct FileStatus: Sendable, Hashable {
  /// Its kind.
  package let kind: FileKind
  /// True if it is a file with content of its own: no folder, device, FIFO or socket.
  package var isRegular: Bool { kind == .file }
  /// The number of bytes that it says it holds.
  package let size: Int
  /// The permission bits, twelve of them.
  package let permissions: UInt32
  /// The user that it belongs to.
  package let owner: UInt32
  /// The group that it belongs to.
  package let group: UInt32
  /// Its number on its file system.
  package let inode: UInt64
  /// The number of names that it has.
  package let nameCount: UInt64
  /// The time of the last write, on the wall clock, since 1970.
  package let modified: Nanoseconds
  /// The time of the last change of the file or its attributes, on the wall clock, since 1970.
  package let changed: Nanoseconds

  /// Asks for an open file; `nil`, with errno set, if there is no answer.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of the file at a path, links followed; `nil`, with errno set, if that fails.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of a path itself, be it a link; `nil`, with errno set, if that fails.
  package init?(entry path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    size = Int(status.st_size)
    permissions = UInt32(status.st_mode) & 0o7777
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
    inode = UInt64(status.st_ino)
    nameCount = UInt64(status.st_nlink)
    modified =
      .seconds(Int64(status.st_mtim.tv_sec)) + Nanoseconds(Int64(status.st_mtim.tv_nsec))
    changed =
      .seconds(Int64(status.st_ctim.tv_sec)) + Nanoseconds(Int64(status.st_ctim.tv_nsec))
  }
}
