internal import FaultEngine
internal import ScenarioPlan

/// The errors that calls end with in practice, the most telling first.
///
/// The errors that an administrator meets: full disks, bad sectors, too many files, services that are down. A call
/// that the table does not hold has the commonest error of its manual page.
enum PracticalErrors {
  /// The errors of a system call or a function; one at least.
  static func names(of call: String) -> [String] {
    if let names = table[call] { return names }
    if PlannedFunctions.failure(of: call) == .allocation { return ["ENOMEM"] }
    let rows = DocumentedErrors(of: call)?.rows ?? []
    let common = rows.first { $0.circumstance == .common } ?? rows.first
    return [common?.name ?? (call.hasPrefix("pthread_") ? "EAGAIN" : "EIO")]
  }

  private static let table: [String: [String]] = {
    let lists: [(calls: [String], errors: [String])] = [
      (["mmap", "mmap2", "mremap", "brk"], ["ENOMEM"]),
      (["open", "openat", "openat2"], ["EMFILE", "EACCES", "ENOENT"]),
      (["creat"], ["ENOSPC", "EACCES"]),
      (["read", "pread64", "readv", "preadv", "preadv2", "getdents", "getdents64"], ["EIO"]),
      (["write", "pwrite64", "writev", "pwritev", "pwritev2"], ["ENOSPC", "EIO"]),
      (["copy_file_range", "sendfile", "splice"], ["EIO", "ENOSPC"]),
      (["fallocate"], ["ENOSPC"]),
      (["truncate", "ftruncate"], ["EIO"]),
      (["fsync", "fdatasync", "msync", "sync_file_range", "syncfs"], ["EIO"]),
      (["rename", "renameat", "renameat2"], ["EIO", "EXDEV"]),
      (["link", "linkat"], ["EIO", "EPERM"]),
      (["symlink", "symlinkat"], ["EIO", "EEXIST"]),
      (["unlink", "unlinkat", "rmdir"], ["EIO"]),
      (["mkdir", "mkdirat"], ["ENOSPC", "EACCES"]),
      (["connect"], ["ECONNREFUSED", "ETIMEDOUT"]),
      (["recvfrom", "recvmsg", "recvmmsg"], ["ECONNRESET"]),
      (["sendto", "sendmsg", "sendmmsg"], ["ECONNRESET", "EPIPE"]),
      (["accept", "accept4"], ["EMFILE", "ECONNABORTED"]),
      (["bind", "listen"], ["EADDRINUSE"]),
      (["socket", "socketpair"], ["EMFILE"]),
      (["shutdown", "getpeername"], ["ENOTCONN"]),
      (["getsockname"], ["ENOBUFS"]),
      (["getsockopt", "setsockopt"], ["ENOMEM"]),
      (["clone", "clone3", "fork", "vfork"], ["EAGAIN"]),
      (["execve", "execveat"], ["EACCES"]),
      (["getrandom"], ["ENOSYS"]),
      (["dup2", "dup3"], ["EBUSY"]),
      (
        [
          "dup", "pipe", "pipe2", "eventfd", "eventfd2", "epoll_create",
          "epoll_create1", "inotify_init", "inotify_init1", "memfd_create", "timerfd_create",
        ], ["EMFILE"]
      ),
    ]
    var table: [String: [String]] = [:]
    for (calls, errors) in lists {
      for call in calls { table[call] = errors }
    }
    return table
  }()
}
