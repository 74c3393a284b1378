extension ManualPage {
  /// The machine, its time, its modules and keys, and who a process is: the first half, by name.
  static let system: [ManualPage] = [
    ManualPage(
      name: "acct", calls: ["acct"],
      common: "EACCES ENOMEM EPERM",
      possible: "EIO ELOOP ENAMETOOLONG ENFILE ENOENT ENOSYS EROFS EUSERS",
      caller: "EFAULT EISDIR ENOTDIR"),
    ManualPage(
      name: "add_key", calls: ["add_key"],
      common: "EACCES ENOMEM EPERM",
      possible: "EDQUOT EKEYEXPIRED EKEYREVOKED ENOKEY",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "adjtimex", calls: ["adjtimex"],
      common: "EPERM",
      possible: "ENODEV EOPNOTSUPP",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "bpf", calls: ["bpf"],
      common: "EACCES ENOMEM EPERM",
      possible: "ENOENT",
      caller: "E2BIG EBADF EFAULT EINVAL"),
    ManualPage(
      name: "capget", calls: ["capget"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "capset", calls: ["capset"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "clock_adjtime", calls: ["clock_adjtime"],
      common: "EPERM",
      possible: "ENODEV EOPNOTSUPP",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "delete_module", calls: ["delete_module"],
      common: "EPERM",
      possible: "EBUSY ENOENT",
      caller: "EFAULT EWOULDBLOCK"),
    ManualPage(
      name: "fanotify_mark", calls: ["fanotify_mark"],
      common: "ENOMEM ENOSPC EPERM",
      possible: "EEXIST ENODEV ENOENT ENOSYS EOPNOTSUPP",
      caller: "EBADF EINVAL EISDIR ENOTDIR EXDEV"),
    ManualPage(
      name: "finit_module", calls: ["finit_module"],
      common: "ENOMEM EPERM",
      possible: "EBUSY ENOKEY EEXIST ETXTBSY",
      caller: "EBADMSG EFAULT EINVAL ENOEXEC EBADF EFBIG"),
    ManualPage(
      name: "get_mempolicy", calls: ["get_mempolicy"],
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "getgroups", calls: ["getgroups"],
      common: "ENOMEM EPERM",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "getpgid", calls: ["getpgid"],
      common: "EACCES EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "getpgrp", calls: ["getpgrp"],
      common: "EACCES EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "getresgid", calls: ["getresgid"],
      caller: "EFAULT"),
    ManualPage(
      name: "getresuid", calls: ["getresuid"],
      caller: "EFAULT"),
    ManualPage(
      name: "getsid", calls: ["getsid"],
      common: "EPERM",
      possible: "ESRCH"),
    ManualPage(
      name: "init_module", calls: ["init_module"],
      common: "ENOMEM EPERM",
      possible: "EBUSY ENOKEY EEXIST ETXTBSY",
      caller: "EBADMSG EFAULT EINVAL ENOEXEC EBADF EFBIG"),
    ManualPage(
      name: "io_cancel", calls: ["io_cancel"],
      possible: "EAGAIN ENOSYS",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "io_destroy", calls: ["io_destroy"],
      possible: "ENOSYS",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "io_uring_enter", calls: ["io_uring_enter"],
      possible: "EAGAIN EBUSY ENXIO EOPNOTSUPP EINTR",
      caller: "EBADF EBADFD EBADR EINVAL EFAULT"),
    ManualPage(
      name: "io_uring_setup", calls: ["io_uring_setup"],
      common: "EMFILE ENOMEM EPERM",
      possible: "ENFILE",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "ioperm", calls: ["ioperm"],
      common: "ENOMEM EPERM",
      possible: "EIO",
      caller: "EINVAL"),
    ManualPage(
      name: "iopl", calls: ["iopl"],
      common: "EPERM",
      possible: "ENOSYS",
      caller: "EINVAL"),
    ManualPage(
      name: "ioprio_get", calls: ["ioprio_get"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "ioprio_set", calls: ["ioprio_set"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "kcmp", calls: ["kcmp"],
      common: "EPERM",
      possible: "ENOENT ESRCH",
      caller: "EBADF EFAULT EINVAL"),
    ManualPage(
      name: "keyctl", calls: ["keyctl"],
      common: "EACCES ENOMEM EPERM",
      possible:
        "EAGAIN EDQUOT EEXIST EKEYEXPIRED EKEYREJECTED EKEYREVOKED ELOOP ENFILE ENOENT ENOKEY EOPNOTSUPP",
      caller: "EDEADLK EFAULT EINVAL EMSGSIZE ENOTDIR ETIMEDOUT"),
    ManualPage(
      name: "landlock_add_rule", calls: ["landlock_add_rule"],
      common: "EPERM",
      possible: "EOPNOTSUPP",
      caller: "EINVAL ENOMSG EBADF EBADFD EFAULT"),
    ManualPage(
      name: "landlock_create_ruleset", calls: ["landlock_create_ruleset"],
      possible: "EOPNOTSUPP",
      caller: "EINVAL E2BIG EFAULT ENOMSG"),
    ManualPage(
      name: "landlock_restrict_self", calls: ["landlock_restrict_self"],
      common: "EPERM",
      possible: "EOPNOTSUPP",
      caller: "EINVAL EBADF EBADFD E2BIG"),
    ManualPage(
      name: "mbind", calls: ["mbind"],
      common: "ENOMEM EPERM",
      possible: "EIO",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "membarrier", calls: ["membarrier"],
      common: "EPERM",
      possible: "ENOSYS",
      caller: "EINVAL"),
    ManualPage(
      name: "memfd_secret", calls: ["memfd_secret"],
      common: "EMFILE ENOMEM",
      possible: "ENOSYS",
      caller: "EINVAL"),
    ManualPage(
      name: "migrate_pages", calls: ["migrate_pages"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "mount_setattr", calls: ["mount_setattr"],
      common: "ENOMEM ENOSPC EPERM",
      possible: "EBUSY ENOENT",
      caller: "EBADF EINVAL"),
    ManualPage(
      name: "move_pages", calls: ["move_pages"],
      common: "EACCES EPERM",
      possible: "ENODEV ESRCH",
      caller: "E2BIG EFAULT EINVAL"),
  ]
}
