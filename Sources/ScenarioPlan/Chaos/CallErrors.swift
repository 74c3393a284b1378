internal import ScenarioModel

/// Which errors a call may end with, as far as planning must know.
///
/// A small table of the errors that any program meets some day; a fuller source can answer the same two
/// questions in its place.
enum CallErrors {
  /// The errors among which chance picks: those that the world can bring about; empty if none is known.
  static func likely(of systemCall: String) -> [ErrorNumber] {
    (common[systemCall] ?? []).compactMap { try? ErrorNumber.named($0) }
  }

  /// Whether the manual page of a call names an error; `nil` if that is not known.
  static func isDocumented(_ error: ErrorNumber, for systemCall: String) -> Bool? {
    nil
  }

  private static let common: [String: [String]] = {
    var table: [String: [String]] = [:]
    func add(_ calls: String, _ errors: String) {
      for call in calls.split(separator: " ") {
        table[String(call)] = errors.split(separator: " ").map(String.init)
      }
    }
    add("open openat openat2 creat", "EACCES EMFILE ENFILE ENOENT ENOSPC EDQUOT EROFS EIO ENOMEM")
    add("read pread64 readv preadv preadv2", "EIO")
    add("write pwrite64 writev pwritev pwritev2", "ENOSPC EDQUOT EIO EFBIG")
    add("fsync fdatasync sync_file_range syncfs", "EIO ENOSPC EDQUOT")
    add("msync", "ENOMEM")
    add("close", "EIO ENOSPC EDQUOT")
    add("rename renameat renameat2", "EACCES EXDEV ENOSPC EIO EROFS EDQUOT")
    add("link linkat", "EACCES EXDEV EMLINK ENOSPC EIO EROFS")
    add("symlink symlinkat mkdir mkdirat mknod mknodat", "EACCES ENOSPC EIO EROFS EDQUOT")
    add("unlink unlinkat rmdir", "EACCES EBUSY EIO EROFS")
    add("truncate ftruncate", "EFBIG EIO EPERM")
    add("fallocate", "ENOSPC EIO EFBIG EOPNOTSUPP")
    add("stat lstat fstat newfstatat statx", "EACCES ENOENT ENOMEM")
    add("connect", "ECONNREFUSED ETIMEDOUT ENETUNREACH EADDRNOTAVAIL")
    add("accept accept4", "ECONNABORTED EMFILE ENFILE ENOBUFS ENOMEM")
    add("sendto sendmsg sendmmsg", "ECONNRESET EPIPE ENOBUFS ENOMEM")
    add("recvfrom recvmsg recvmmsg", "ECONNREFUSED ECONNRESET ENOMEM")
    add("socket socketpair", "EMFILE ENFILE ENOBUFS ENOMEM")
    add("bind", "EADDRINUSE EACCES EADDRNOTAVAIL")
    add("listen", "EADDRINUSE")
    add("pipe pipe2 eventfd eventfd2 epoll_create epoll_create1", "EMFILE ENFILE ENOMEM")
    add("dup dup2 dup3", "EMFILE")
    add("clone clone3 fork vfork", "EAGAIN ENOMEM")
    add("execve execveat", "EACCES ENOENT ENOMEM E2BIG")
    add("mmap mremap brk mprotect", "ENOMEM")
    add("getrandom", "ENOSYS")
    add("flock", "ENOLCK EWOULDBLOCK")
    add("copy_file_range sendfile splice", "EIO ENOMEM ENOSPC")
    return table
  }()
}
