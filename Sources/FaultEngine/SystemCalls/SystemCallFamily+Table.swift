internal import ScenarioPlan

extension SystemCallFamily {
  /// Families of calls on files, sockets, memory and processes.
  ///
  /// A family gathers the calls that do the same thing: programs, languages and versions of the C
  /// library differ in which of them they use.
  static let common: [SystemCallFamily] = [
    SystemCallFamily(
      "accept",
      [
        SystemCall("accept", .socket(argument: 0)),
        SystemCall("accept4", .socket(argument: 0)),
      ]),
    SystemCallFamily(
      "access",
      [
        SystemCall("access", .path(argument: 0)),
        SystemCall("faccessat", .path(argument: 1, directory: 0)),
        SystemCall("faccessat2", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "bind",
      [
        SystemCall("bind", .address(argument: 1))
      ]),
    SystemCallFamily(
      "chdir",
      [
        SystemCall("chdir", .path(argument: 0)),
        SystemCall("fchdir", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "chmod",
      [
        SystemCall("chmod", .path(argument: 0)),
        SystemCall("fchmod", .descriptor(argument: 0)),
        SystemCall("fchmodat", .path(argument: 1, directory: 0)),
        SystemCall("fchmodat2", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "chown",
      [
        SystemCall("chown", .path(argument: 0)),
        SystemCall("fchown", .descriptor(argument: 0)),
        SystemCall("lchown", .path(argument: 0)),
        SystemCall("fchownat", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "clone",
      [
        SystemCall("clone"),
        SystemCall("clone3"),
        SystemCall("fork"),
        SystemCall("vfork"),
      ]),
    SystemCallFamily(
      "close",
      [
        SystemCall("close", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "connect",
      [
        SystemCall("connect", .address(argument: 1))
      ]),
    SystemCallFamily(
      "copy_file_range",
      [
        SystemCall("copy_file_range", .descriptor(argument: 0), .descriptor(argument: 2))
      ]),
    SystemCallFamily(
      "dup",
      [
        SystemCall("dup", .descriptor(argument: 0)),
        SystemCall("dup2", .descriptor(argument: 0)),
        SystemCall("dup3", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "eventfd",
      [
        SystemCall("eventfd"),
        SystemCall("eventfd2"),
      ]),
    SystemCallFamily(
      "exec",
      [
        SystemCall("execve", .path(argument: 0)),
        SystemCall("execveat", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "fallocate",
      [
        SystemCall("fallocate", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "fcntl",
      [
        SystemCall("fcntl", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "fdatasync",
      [
        SystemCall("fdatasync", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "flock",
      [
        SystemCall("flock", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "fsync",
      [
        SystemCall("fsync", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "getdents",
      [
        SystemCall("getdents", .descriptor(argument: 0)),
        SystemCall("getdents64", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "getrandom",
      [
        SystemCall("getrandom")
      ]),
    SystemCallFamily(
      "getxattr",
      [
        SystemCall("getxattr", .path(argument: 0)),
        SystemCall("lgetxattr", .path(argument: 0)),
        SystemCall("fgetxattr", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "inotify_add_watch",
      [
        SystemCall("inotify_add_watch", .path(argument: 1))
      ]),
    SystemCallFamily(
      "ioctl",
      [
        SystemCall("ioctl", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "kill",
      [
        SystemCall("kill"),
        SystemCall("tkill"),
        SystemCall("tgkill"),
        SystemCall("pidfd_send_signal"),
      ]),
    SystemCallFamily(
      "link",
      [
        SystemCall("link", .path(argument: 0), .path(argument: 1)),
        SystemCall("linkat", .path(argument: 1, directory: 0), .path(argument: 3, directory: 2)),
      ]),
    SystemCallFamily(
      "listen",
      [
        SystemCall("listen", .socket(argument: 0))
      ]),
    SystemCallFamily(
      "lseek",
      [
        SystemCall("lseek", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "madvise",
      [
        SystemCall("madvise")
      ]),
    SystemCallFamily(
      "mkdir",
      [
        SystemCall("mkdir", .path(argument: 0)),
        SystemCall("mkdirat", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "mknod",
      [
        SystemCall("mknod", .path(argument: 0)),
        SystemCall("mknodat", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "mlock",
      [
        SystemCall("mlock"),
        SystemCall("mlock2"),
        SystemCall("mlockall"),
      ]),
    SystemCallFamily(
      "mmap",
      [
        SystemCall("mmap", .descriptor(argument: 4))
      ]),
    SystemCallFamily(
      "mprotect",
      [
        SystemCall("mprotect")
      ]),
    SystemCallFamily(
      "mremap",
      [
        SystemCall("mremap")
      ]),
    SystemCallFamily(
      "msync",
      [
        SystemCall("msync")
      ]),
    SystemCallFamily(
      "munmap",
      [
        SystemCall("munmap")
      ]),
    SystemCallFamily(
      "open",
      [
        SystemCall("open", .path(argument: 0)),
        SystemCall("openat", .path(argument: 1, directory: 0)),
        SystemCall("openat2", .path(argument: 1, directory: 0)),
        SystemCall("creat", .path(argument: 0)),
      ]),
    SystemCallFamily(
      "pipe",
      [
        SystemCall("pipe"),
        SystemCall("pipe2"),
      ]),
    SystemCallFamily(
      "read",
      [
        SystemCall("read", .descriptor(argument: 0)),
        SystemCall("pread64", .descriptor(argument: 0)),
        SystemCall("readv", .descriptor(argument: 0)),
        SystemCall("preadv", .descriptor(argument: 0)),
        SystemCall("preadv2", .descriptor(argument: 0)),
      ] + SystemCall.transfers(at: .source)),
    SystemCallFamily(
      "readlink",
      [
        SystemCall("readlink", .path(argument: 0)),
        SystemCall("readlinkat", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "recv",
      [
        SystemCall("recvfrom", .socket(argument: 0)),
        SystemCall("recvmsg", .socket(argument: 0)),
        SystemCall("recvmmsg", .socket(argument: 0)),
      ]),
    SystemCallFamily(
      "rename",
      [
        SystemCall("rename", .path(argument: 0), .path(argument: 1)),
        SystemCall("renameat", .path(argument: 1, directory: 0), .path(argument: 3, directory: 2)),
        SystemCall("renameat2", .path(argument: 1, directory: 0), .path(argument: 3, directory: 2)),
      ]),
    SystemCallFamily(
      "rmdir",
      [
        SystemCall("rmdir", .path(argument: 0)),
        SystemCall("unlinkat", .path(argument: 1, directory: 0), setFlags: removesFolder),
      ]),
    SystemCallFamily(
      "send",
      [
        SystemCall("sendto", .socket(argument: 0), .address(argument: 4)),
        SystemCall("sendmsg", .socket(argument: 0), .message(argument: 1)),
        SystemCall("sendmmsg", .socket(argument: 0), .message(argument: 1)),
      ]),
    SystemCallFamily(
      "sendfile",
      [
        SystemCall("sendfile", .descriptor(argument: 1), .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "setsockopt",
      [
        SystemCall("setsockopt", .socket(argument: 0))
      ]),
    SystemCallFamily(
      "setxattr",
      [
        SystemCall("setxattr", .path(argument: 0)),
        SystemCall("lsetxattr", .path(argument: 0)),
        SystemCall("fsetxattr", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "shutdown",
      [
        SystemCall("shutdown", .socket(argument: 0))
      ]),
    SystemCallFamily(
      "socket",
      [
        SystemCall("socket")
      ]),
    SystemCallFamily(
      "socketpair",
      [
        SystemCall("socketpair")
      ]),
    SystemCallFamily(
      "splice",
      [
        SystemCall("splice", .descriptor(argument: 0), .descriptor(argument: 2))
      ]),
    SystemCallFamily(
      "stat",
      [
        SystemCall("stat", .path(argument: 0)),
        SystemCall("lstat", .path(argument: 0)),
        SystemCall("fstat", .descriptor(argument: 0)),
        SystemCall("newfstatat", .path(argument: 1, directory: 0)),
        SystemCall("statx", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "statfs",
      [
        SystemCall("statfs", .path(argument: 0)),
        SystemCall("fstatfs", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "symlink",
      [
        SystemCall("symlink", .path(argument: 1)),
        SystemCall("symlinkat", .path(argument: 2, directory: 1)),
      ]),
    SystemCallFamily(
      "sync",
      [
        SystemCall("sync"),
        SystemCall("syncfs", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "sync_file_range",
      [
        SystemCall("sync_file_range", .descriptor(argument: 0))
      ]),
    SystemCallFamily(
      "truncate",
      [
        SystemCall("truncate", .path(argument: 0)),
        SystemCall("ftruncate", .descriptor(argument: 0)),
      ]),
    SystemCallFamily(
      "unlink",
      [
        SystemCall("unlink", .path(argument: 0)),
        SystemCall("unlinkat", .path(argument: 1, directory: 0), clearFlags: removesFolder),
      ]),
    SystemCallFamily(
      "utime",
      [
        SystemCall("utime", .path(argument: 0)),
        SystemCall("utimes", .path(argument: 0)),
        SystemCall("futimesat", .path(argument: 1, directory: 0)),
        SystemCall("utimensat", .path(argument: 1, directory: 0)),
      ]),
    SystemCallFamily(
      "write",
      [
        SystemCall("write", .descriptor(argument: 0)),
        SystemCall("pwrite64", .descriptor(argument: 0)),
        SystemCall("writev", .descriptor(argument: 0)),
        SystemCall("pwritev", .descriptor(argument: 0)),
        SystemCall("pwritev2", .descriptor(argument: 0)),
      ] + SystemCall.transfers(at: .target)),
  ]

  /// `AT_REMOVEDIR` of unlinkat(2).
  private static let removesFolder: UInt64 = 0x200
}
