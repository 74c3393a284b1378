internal import Glibc

/// The identity of the file that a path leads to, over symbolic links, and by whichever of its
/// names (inode(7)).
package struct RegularFileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The file at a path; `nil` if there is none, or nothing that holds text.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
