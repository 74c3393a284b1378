extension ManualPage {
  /// Calls that make, find, move and remove names in folders.
  static let names: [ManualPage] = [
    ManualPage(
      name: "open", calls: ["open", "openat", "creat"],
      common: "ENOENT EACCES EMFILE ENOSPC EEXIST ENOTDIR",
      possible:
        "ENFILE EROFS EDQUOT ENOMEM EPERM ELOOP EISDIR ENAMETOOLONG ENXIO ENODEV ETXTBSY EBUSY",
      interrupted: "EINTR", nonBlocking: "EWOULDBLOCK",
      caller: "EBADF EFAULT EFBIG EINVAL EOPNOTSUPP EOVERFLOW", unlisted: "EIO",
      absent: ["open": "EBADF", "creat": "EBADF EEXIST"]),
    ManualPage(
      name: "openat2", calls: ["openat2"],
      possible: "EXDEV EAGAIN ELOOP", caller: "E2BIG EINVAL", unlisted: "ENOSYS",
      included: ["open"]),
    ManualPage(
      name: "rename", calls: ["rename", "renameat", "renameat2"],
      common: "ENOENT EACCES ENOSPC EXDEV EEXIST",
      possible:
        "EBUSY EDQUOT EMLINK ENOMEM ENOTEMPTY EPERM EROFS EISDIR ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL", unlisted: "EIO",
      absent: ["rename": "EBADF"]),
    ManualPage(
      name: "link", calls: ["link", "linkat"],
      common: "ENOENT EACCES EEXIST ENOSPC EPERM EXDEV EIO",
      possible: "EDQUOT EMLINK ENOMEM EROFS ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL",
      absent: ["link": "EBADF EINVAL"]),
    ManualPage(
      name: "symlink", calls: ["symlink", "symlinkat"],
      common: "ENOENT EACCES EEXIST ENOSPC EIO",
      possible: "EDQUOT ENOMEM EPERM EROFS ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT",
      absent: ["symlink": "EBADF"]),
    ManualPage(
      name: "unlink", calls: ["unlink", "unlinkat"],
      common: "ENOENT EACCES EIO",
      possible: "EBUSY EISDIR ENOMEM EPERM EROFS ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL",
      absent: ["unlink": "EBADF EINVAL"]),
    ManualPage(
      name: "mkdir", calls: ["mkdir", "mkdirat"],
      common: "EEXIST ENOENT EACCES ENOSPC",
      possible: "EDQUOT EMLINK ENOMEM EPERM EROFS ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL", unlisted: "EIO",
      absent: ["mkdir": "EBADF"]),
    ManualPage(
      name: "rmdir", calls: ["rmdir"],
      common: "ENOENT ENOTEMPTY EACCES",
      possible: "EBUSY ENOMEM EPERM EROFS ENOTDIR ELOOP ENAMETOOLONG", caller: "EFAULT EINVAL",
      unlisted: "EIO EEXIST"),
    ManualPage(
      name: "mknod", calls: ["mknod", "mknodat"],
      common: "EEXIST ENOENT EACCES ENOSPC",
      possible: "EDQUOT ENOMEM EPERM EROFS ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL", unlisted: "EIO",
      absent: ["mknod": "EBADF"]),
    ManualPage(
      name: "readlink", calls: ["readlink", "readlinkat"],
      common: "ENOENT EACCES EIO", possible: "ENOMEM ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL",
      absent: ["readlink": "EBADF"]),
    ManualPage(
      name: "access", calls: ["access", "faccessat", "faccessat2"],
      common: "ENOENT EACCES",
      possible: "EIO ENOMEM EROFS ENOTDIR ELOOP ENAMETOOLONG ETXTBSY EPERM",
      caller: "EBADF EFAULT EINVAL", unlisted: "ENOSYS",
      absent: ["access": "EBADF EPERM"]),
    ManualPage(
      name: "chdir", calls: ["chdir", "fchdir"],
      common: "ENOENT EACCES EIO", possible: "ENOTDIR ENOMEM ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT",
      absent: ["chdir": "EBADF", "fchdir": "ENOENT EFAULT ELOOP ENAMETOOLONG"]),
    ManualPage(
      name: "chroot", calls: ["chroot"],
      common: "ENOENT EACCES EPERM EIO", possible: "ENOTDIR ENOMEM ELOOP ENAMETOOLONG",
      caller: "EFAULT"),
    ManualPage(
      name: "getcwd", calls: ["getcwd"],
      common: "ENOENT", possible: "EACCES ENOMEM", caller: "EFAULT EINVAL ENAMETOOLONG ERANGE"),
    ManualPage(
      name: "inotify_add_watch", calls: ["inotify_add_watch"],
      common: "ENOSPC ENOENT EACCES", possible: "ENOMEM ENOTDIR ENAMETOOLONG EEXIST",
      caller: "EBADF EFAULT EINVAL", unlisted: "ELOOP"),
    ManualPage(
      name: "open_by_handle_at", calls: ["name_to_handle_at"],
      common: "ENOENT EOPNOTSUPP", possible: "ENOTDIR ELOOP EOVERFLOW",
      caller: "EBADF EFAULT EINVAL EPERM ESTALE",
      absent: ["name_to_handle_at": "EPERM ESTALE"]),
  ]

  /// Calls that read and change what is known of a file.
  static let attributes: [ManualPage] = [
    ManualPage(
      name: "stat", calls: ["stat", "lstat", "fstat", "newfstatat"],
      common: "ENOENT EACCES", possible: "ENOMEM ENOTDIR ELOOP ENAMETOOLONG EOVERFLOW",
      caller: "EBADF EFAULT EINVAL", unlisted: "EIO ESTALE",
      absent: [
        "stat": "EBADF EINVAL", "lstat": "EBADF EINVAL",
        "fstat": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG EINVAL",
      ]),
    ManualPage(
      name: "statx", calls: ["statx"],
      common: "ENOENT EACCES", possible: "ENOMEM ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL", unlisted: "EIO ESTALE ENOSYS"),
    ManualPage(
      name: "statfs", calls: ["statfs", "fstatfs"],
      common: "ENOENT EACCES EIO",
      possible: "ENOMEM ENOSYS ENOTDIR ELOOP ENAMETOOLONG EOVERFLOW", interrupted: "EINTR",
      caller: "EBADF EFAULT",
      absent: ["statfs": "EBADF", "fstatfs": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG"]),
    ManualPage(
      name: "chmod", calls: ["chmod", "fchmod", "fchmodat", "fchmodat2"],
      common: "EPERM ENOENT EACCES EIO", possible: "EROFS ENOMEM ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL ENOTSUP",
      absent: [
        "chmod": "EBADF EINVAL ENOTSUP",
        "fchmod": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG EFAULT EINVAL ENOTSUP",
      ]),
    ManualPage(
      name: "chown", calls: ["chown", "fchown", "lchown", "fchownat"],
      common: "EPERM ENOENT EACCES EIO", possible: "EROFS ENOMEM ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL", unlisted: "EDQUOT",
      absent: [
        "chown": "EBADF EINVAL", "lchown": "EBADF EINVAL",
        "fchown": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG EFAULT EINVAL",
      ]),
    ManualPage(
      name: "utime", calls: ["utime", "utimes"], common: "ENOENT EACCES", possible: "EPERM EROFS",
      unlisted: "EIO ENOTDIR ELOOP ENAMETOOLONG ENOMEM EFAULT EINVAL"),
    ManualPage(
      name: "futimesat", calls: ["futimesat"], possible: "ENOTDIR", caller: "EBADF",
      included: ["utime"]),
    ManualPage(
      name: "utimensat", calls: ["utimensat"],
      common: "ENOENT EACCES", possible: "EPERM EROFS ENOTDIR ELOOP ENAMETOOLONG ESRCH",
      caller: "EBADF EFAULT EINVAL", unlisted: "EIO ENOMEM"),
    ManualPage(
      name: "getxattr", calls: ["getxattr", "lgetxattr", "fgetxattr"],
      common: "ENODATA ENOTSUP", possible: "E2BIG", caller: "ERANGE", unlisted: "EIO ENOMEM",
      included: ["stat"],
      absent: ["fgetxattr": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG"]),
    ManualPage(
      name: "setxattr", calls: ["setxattr", "lsetxattr", "fsetxattr"],
      common: "ENOTSUP ENOSPC", possible: "EDQUOT EPERM", caller: "EEXIST ENODATA ERANGE",
      unlisted: "EIO EROFS E2BIG", included: ["stat"],
      absent: ["fsetxattr": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG"]),
    ManualPage(
      name: "listxattr", calls: ["listxattr", "llistxattr", "flistxattr"],
      common: "ENOTSUP", possible: "E2BIG", caller: "ERANGE", unlisted: "EIO", included: ["stat"],
      absent: ["flistxattr": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG"]),
    ManualPage(
      name: "removexattr", calls: ["removexattr", "lremovexattr", "fremovexattr"],
      common: "ENODATA ENOTSUP", unlisted: "EIO EROFS EPERM", included: ["stat"],
      absent: ["fremovexattr": "ENOENT EACCES ENOTDIR ELOOP ENAMETOOLONG"]),
    ManualPage(
      name: "mount", calls: ["mount"],
      common: "EPERM ENOENT EBUSY",
      possible: "EACCES ENODEV ENOMEM EMFILE EROFS ENXIO ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EFAULT EINVAL ENOTBLK", unlisted: "EIO ENOSPC"),
    ManualPage(
      name: "umount", calls: ["umount2"],
      common: "EBUSY EPERM ENOENT", possible: "EAGAIN ENOMEM ENAMETOOLONG", caller: "EFAULT EINVAL"),
  ]
}
