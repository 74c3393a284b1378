internal import Glibc

/// The identity of a file in the kernel, whatever its names.
struct FileIdentity: Hashable {
  let device: dev_t
  let inode: ino_t

  init(device: dev_t, inode: ino_t) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// Reads the identity of the file that a path leads to; `nil` if it cannot be read.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
