internal import Glibc

/// A node by fstatat(2); a symbolic link is not followed.
package struct FileNode: Sendable, Hashable {
  /// Its kind.
  package let kind: FileKind
  /// True if its owner may execute it.
  package let isExecutable: Bool
  /// The number of bytes that it says it holds.
  package let size: Int

  /// Asks for a path below an open folder; `nil`, with errno set, if there is no answer.
  ///
  /// - Parameter path: the bytes of the path, which need not be UTF-8, with a final zero.
  package init?(path: [CChar], in folder: Int32) {
    var status = stat()
    guard fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    kind = FileKind(mode: status.st_mode)
    isExecutable = status.st_mode & S_IXUSR != 0
    size = Int(status.st_size)
  }
}

extension FileKind {
  /// Creates the kind that a mode gives (inode(7)).
  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
