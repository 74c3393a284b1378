extension ManualPage {
  /// The machine, its time, its modules and keys, and who a process is: the second half, by name.
  static let systemRest: [ManualPage] = [
    ManualPage(
      name: "open_by_handle_at", calls: ["open_by_handle_at"],
      common: "EPERM",
      possible: "ENOENT EOPNOTSUPP ELOOP",
      caller: "EFAULT EINVAL ENOTDIR EOVERFLOW EBADF ESTALE"),
    ManualPage(
      name: "perf_event_open", calls: ["perf_event_open"],
      common: "EACCES EMFILE ENOSPC EPERM",
      possible: "EBUSY EINTR ENODEV ENOENT ENOSYS EOPNOTSUPP ESRCH",
      caller: "E2BIG EBADF EFAULT EINVAL EOVERFLOW"),
    ManualPage(
      name: "personality", calls: ["personality"],
      caller: "EINVAL"),
    ManualPage(
      name: "pidfd_getfd", calls: ["pidfd_getfd"],
      common: "EMFILE EPERM",
      possible: "ENFILE ESRCH",
      caller: "EBADF EINVAL"),
    ManualPage(
      name: "pivot_root", calls: ["pivot_root"],
      common: "EPERM",
      possible: "EBUSY",
      caller: "EINVAL ENOTDIR"),
    ManualPage(
      name: "pkey_alloc", calls: ["pkey_alloc"],
      common: "ENOSPC",
      caller: "EINVAL"),
    ManualPage(
      name: "pkey_free", calls: ["pkey_free"],
      common: "ENOSPC",
      caller: "EINVAL"),
    ManualPage(
      name: "process_madvise", calls: ["process_madvise"],
      common: "ENOMEM EPERM",
      possible: "ESRCH",
      caller: "EBADF EFAULT EINVAL"),
    ManualPage(
      name: "quotactl", calls: ["quotactl"],
      common: "EACCES EPERM",
      possible: "EBUSY ENOENT ENOSYS ESRCH",
      caller: "EFAULT EINVAL ENOTBLK ERANGE"),
    ManualPage(
      name: "reboot", calls: ["reboot"],
      common: "EPERM",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "remap_file_pages", calls: ["remap_file_pages"],
      caller: "EINVAL"),
    ManualPage(
      name: "request_key", calls: ["request_key"],
      common: "EACCES ENOMEM EPERM",
      possible: "EDQUOT EINTR EKEYEXPIRED EKEYREJECTED EKEYREVOKED ENOKEY",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "rt_sigpending", calls: ["rt_sigpending"],
      caller: "EFAULT"),
    ManualPage(
      name: "rt_tgsigqueueinfo", calls: ["rt_tgsigqueueinfo"],
      common: "EPERM",
      possible: "EAGAIN ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "sched_get_priority_max", calls: ["sched_get_priority_max"],
      caller: "EINVAL"),
    ManualPage(
      name: "sched_get_priority_min", calls: ["sched_get_priority_min"],
      caller: "EINVAL"),
    ManualPage(
      name: "sched_getaffinity", calls: ["sched_getaffinity"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "sched_getattr", calls: ["sched_getattr"],
      common: "EPERM",
      possible: "ESRCH EBUSY",
      caller: "EINVAL E2BIG"),
    ManualPage(
      name: "sched_getparam", calls: ["sched_getparam"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "sched_getscheduler", calls: ["sched_getscheduler"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "sched_rr_get_interval", calls: ["sched_rr_get_interval"],
      possible: "ENOSYS ESRCH",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "sched_setattr", calls: ["sched_setattr"],
      common: "EPERM",
      possible: "ESRCH EBUSY",
      caller: "EINVAL E2BIG"),
    ManualPage(
      name: "sched_setparam", calls: ["sched_setparam"],
      common: "EPERM",
      possible: "ESRCH",
      caller: "EINVAL"),
    ManualPage(
      name: "set_mempolicy", calls: ["set_mempolicy"],
      common: "ENOMEM",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "setdomainname", calls: ["setdomainname"],
      common: "EPERM",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "sethostname", calls: ["sethostname"],
      common: "EPERM",
      possible: "ENAMETOOLONG",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "setregid", calls: ["setregid"],
      common: "EPERM",
      possible: "EAGAIN",
      caller: "EINVAL"),
    ManualPage(
      name: "setresgid", calls: ["setresgid"],
      common: "EPERM",
      possible: "EAGAIN",
      caller: "EINVAL"),
    ManualPage(
      name: "setresuid", calls: ["setresuid"],
      common: "EPERM",
      possible: "EAGAIN",
      caller: "EINVAL"),
    ManualPage(
      name: "setreuid", calls: ["setreuid"],
      common: "EPERM",
      possible: "EAGAIN",
      caller: "EINVAL"),
    ManualPage(
      name: "settimeofday", calls: ["settimeofday"],
      common: "EPERM",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "swapoff", calls: ["swapoff"],
      common: "ENOMEM EPERM",
      possible: "EBUSY ENFILE ENOENT",
      caller: "EINVAL"),
    ManualPage(
      name: "swapon", calls: ["swapon"],
      common: "ENOMEM EPERM",
      possible: "EBUSY ENFILE ENOENT",
      caller: "EINVAL"),
    ManualPage(
      name: "syslog", calls: ["syslog"],
      common: "EPERM",
      possible: "ENOSYS",
      caller: "EINVAL"),
    ManualPage(
      name: "timer_delete", calls: ["timer_delete"],
      caller: "EINVAL"),
    ManualPage(
      name: "timer_getoverrun", calls: ["timer_getoverrun"],
      caller: "EINVAL"),
    ManualPage(
      name: "timer_gettime", calls: ["timer_gettime"],
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "vhangup", calls: ["vhangup"],
      common: "EPERM"),
  ]
}
