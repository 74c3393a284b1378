extension ManualPage {
  /// Reading, writing, and copying between descriptors.
  static let transfer: [ManualPage] = [
    ManualPage(
      name: "read", calls: ["read"],
      common: "EIO", interrupted: "EINTR", nonBlocking: "EAGAIN EWOULDBLOCK",
      caller: "EBADF EFAULT EINVAL EISDIR", unlisted: "ECONNRESET ETIMEDOUT ENOMEM ENXIO"),
    ManualPage(
      name: "write", calls: ["write"],
      common: "ENOSPC EIO EPIPE", possible: "EDQUOT EFBIG", interrupted: "EINTR",
      nonBlocking: "EAGAIN EWOULDBLOCK", caller: "EBADF EDESTADDRREQ EFAULT EINVAL EPERM",
      unlisted: "ECONNRESET ENOMEM EROFS ENXIO ETIMEDOUT"),
    ManualPage(name: "pread", calls: ["pread64"], included: ["read", "lseek"]),
    ManualPage(name: "pread", calls: ["pwrite64"], included: ["write", "lseek"]),
    ManualPage(name: "readv", calls: ["readv"], caller: "EINVAL EOPNOTSUPP", included: ["read"]),
    ManualPage(name: "readv", calls: ["writev"], caller: "EINVAL EOPNOTSUPP", included: ["write"]),
    ManualPage(
      name: "readv", calls: ["preadv", "preadv2"], caller: "EINVAL EOPNOTSUPP",
      included: ["read", "lseek"]),
    ManualPage(
      name: "readv", calls: ["pwritev", "pwritev2"], caller: "EINVAL EOPNOTSUPP",
      included: ["write", "lseek"]),
    ManualPage(
      name: "lseek", calls: ["lseek"], caller: "EBADF EINVAL ENXIO EOVERFLOW ESPIPE"),
    ManualPage(
      name: "copy_file_range", calls: ["copy_file_range"],
      common: "ENOSPC EIO EXDEV", possible: "EOPNOTSUPP EFBIG ENOMEM EPERM ETXTBSY",
      caller: "EBADF EINVAL EISDIR EOVERFLOW", unlisted: "EDQUOT EINTR ENOSYS"),
    ManualPage(
      name: "sendfile", calls: ["sendfile"],
      common: "EIO", possible: "ENOMEM", nonBlocking: "EAGAIN",
      caller: "EBADF EFAULT EINVAL EOVERFLOW ESPIPE",
      unlisted: "EPIPE ECONNRESET ENOSPC EDQUOT EFBIG EINTR"),
    ManualPage(
      name: "splice", calls: ["splice"],
      possible: "ENOMEM", nonBlocking: "EAGAIN", caller: "EBADF EINVAL ESPIPE",
      unlisted: "EIO EPIPE ENOSPC ECONNRESET EINTR"),
    ManualPage(
      name: "tee", calls: ["tee"], possible: "ENOMEM", nonBlocking: "EAGAIN", caller: "EINVAL",
      unlisted: "EPIPE EBADF EINTR"),
    ManualPage(
      name: "vmsplice", calls: ["vmsplice"], possible: "ENOMEM", nonBlocking: "EAGAIN",
      caller: "EBADF EINVAL", unlisted: "EPIPE EFAULT EINTR"),
    ManualPage(
      name: "getdents", calls: ["getdents", "getdents64"],
      common: "ENOENT", caller: "EBADF EFAULT EINVAL ENOTDIR", unlisted: "EIO EINTR"),
    ManualPage(
      name: "getrandom", calls: ["getrandom"],
      common: "ENOSYS", possible: "EINTR", nonBlocking: "EAGAIN", caller: "EFAULT EINVAL",
      unlisted: "EIO"),
    ManualPage(name: "readahead", calls: ["readahead"], caller: "EBADF EINVAL", unlisted: "EIO"),
    ManualPage(
      name: "posix_fadvise", calls: ["fadvise64"], caller: "EBADF EINVAL ESPIPE"),
  ]

  /// The calls that bring data to the disk, or take it from there.
  static let synchronization: [ManualPage] = [
    ManualPage(
      name: "fsync", calls: ["fsync", "fdatasync"],
      common: "EIO ENOSPC", possible: "EDQUOT", interrupted: "EINTR", caller: "EBADF EROFS EINVAL"),
    // sync(2) is always successful.
    ManualPage(
      name: "sync", calls: ["syncfs"], common: "EIO ENOSPC", possible: "EDQUOT", caller: "EBADF"),
    ManualPage(
      name: "sync_file_range", calls: ["sync_file_range"],
      common: "EIO ENOSPC", possible: "ENOMEM", caller: "EBADF EINVAL ESPIPE"),
    ManualPage(
      name: "msync", calls: ["msync"], possible: "EBUSY", caller: "EINVAL ENOMEM", unlisted: "EIO"),
    ManualPage(
      name: "truncate", calls: ["truncate", "ftruncate"],
      common: "EACCES EIO ENOENT", possible: "EFBIG EPERM EROFS ETXTBSY ELOOP ENAMETOOLONG ENOTDIR",
      interrupted: "EINTR", caller: "EBADF EFAULT EINVAL EISDIR", unlisted: "ENOSPC EDQUOT ENOMEM",
      absent: [
        "truncate": "EBADF",
        "ftruncate": "EACCES EFAULT EISDIR ELOOP ENAMETOOLONG ENOENT ENOTDIR EROFS ETXTBSY",
      ]),
    ManualPage(
      name: "fallocate", calls: ["fallocate"],
      common: "ENOSPC EIO", possible: "EFBIG EOPNOTSUPP ENOSYS EPERM ETXTBSY", interrupted: "EINTR",
      caller: "EBADF EINVAL ENODEV ESPIPE", unlisted: "EDQUOT ENOMEM"),
    ManualPage(
      name: "close", calls: ["close"],
      common: "EIO ENOSPC", possible: "EDQUOT", interrupted: "EINTR", caller: "EBADF"),
  ]
}
