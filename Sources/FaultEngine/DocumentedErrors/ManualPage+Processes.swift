extension ManualPage {
  /// Calls that start, end, wait for and restrict processes.
  static let processes: [ManualPage] = [
    ManualPage(
      name: "execve", calls: ["execve"],
      common: "ENOENT EACCES ENOMEM",
      possible: "E2BIG EAGAIN EIO ENOEXEC EMFILE ENFILE EPERM ETXTBSY "
        + "ENOTDIR EISDIR ELOOP ENAMETOOLONG ELIBBAD",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "execveat", calls: ["execveat"],
      common: "ENOENT", possible: "ENOTDIR ELOOP", caller: "EINVAL", unlisted: "EBADF",
      included: ["execve"]),
    ManualPage(
      name: "fork", calls: ["fork"], common: "EAGAIN ENOMEM", possible: "ENOSYS"),
    // vfork(2) refers to fork(2) and clone(2) for everything it does not say.
    ManualPage(name: "vfork", calls: ["vfork"], included: ["fork"]),
    ManualPage(
      name: "clone", calls: ["clone", "clone3"],
      common: "EAGAIN ENOMEM", possible: "EPERM ENOSPC EUSERS",
      caller: "EACCES EBUSY EEXIST EINVAL EOPNOTSUPP", unlisted: "ENOSYS",
      absent: ["clone": "EACCES EBUSY EEXIST EOPNOTSUPP"]),
    ManualPage(
      name: "wait", calls: ["waitid"],
      common: "EINTR ECHILD", nonBlocking: "EAGAIN", caller: "EINVAL ESRCH",
      unlisted: "EFAULT EBADF"),
    // wait4(2) is wait(2) with a struct of times; its page has no errors of its own.
    ManualPage(
      name: "wait4", calls: ["wait4"], included: ["wait"], absent: ["wait4": "EAGAIN EBADF"]),
    ManualPage(
      name: "kill", calls: ["kill"], common: "ESRCH EPERM", caller: "EINVAL"),
    ManualPage(
      name: "tkill", calls: ["tkill", "tgkill"],
      common: "ESRCH EPERM", possible: "EAGAIN", caller: "EINVAL"),
    ManualPage(
      name: "pidfd_open", calls: ["pidfd_open"],
      common: "ESRCH EMFILE", possible: "ENFILE ENODEV ENOMEM", caller: "EINVAL", unlisted: "ENOSYS"
    ),
    ManualPage(
      name: "pidfd_send_signal", calls: ["pidfd_send_signal"],
      common: "ESRCH EPERM", caller: "EBADF EINVAL", unlisted: "ENOSYS"),
    ManualPage(
      name: "rt_sigqueueinfo", calls: ["rt_sigqueueinfo"],
      common: "EAGAIN ESRCH EPERM", caller: "EINVAL", unlisted: "EFAULT"),
    ManualPage(
      name: "sigwaitinfo", calls: ["rt_sigtimedwait"],
      common: "EAGAIN EINTR", caller: "EINVAL", unlisted: "EFAULT"),
    ManualPage(
      name: "sigsuspend", calls: ["rt_sigsuspend"], common: "EINTR", caller: "EFAULT",
      unlisted: "EINVAL"),
    ManualPage(name: "pause", calls: ["pause"], common: "EINTR"),
    ManualPage(name: "sigaction", calls: ["rt_sigaction"], caller: "EFAULT EINVAL"),
    ManualPage(name: "sigprocmask", calls: ["rt_sigprocmask"], caller: "EFAULT EINVAL"),
    ManualPage(
      name: "sigaltstack", calls: ["sigaltstack"], caller: "EFAULT EINVAL ENOMEM EPERM"),
    ManualPage(
      name: "setuid", calls: ["setuid"], common: "EPERM", possible: "EAGAIN", caller: "EINVAL"),
    ManualPage(name: "setgid", calls: ["setgid"], common: "EPERM", caller: "EINVAL"),
    ManualPage(
      name: "getgroups", calls: ["setgroups"],
      common: "EPERM", possible: "ENOMEM", caller: "EFAULT EINVAL"),
    ManualPage(name: "setsid", calls: ["setsid"], possible: "EPERM"),
    ManualPage(
      name: "setpgid", calls: ["setpgid"], possible: "EACCES EPERM ESRCH", caller: "EINVAL"),
    ManualPage(
      name: "getrlimit", calls: ["getrlimit", "setrlimit", "prlimit64"],
      common: "EPERM", possible: "ESRCH", caller: "EFAULT EINVAL",
      absent: ["getrlimit": "EPERM ESRCH", "setrlimit": "ESRCH"]),
    ManualPage(
      name: "getpriority", calls: ["getpriority", "setpriority"],
      common: "EACCES EPERM", possible: "ESRCH", caller: "EINVAL",
      absent: ["getpriority": "EACCES EPERM"]),
    ManualPage(
      name: "unshare", calls: ["unshare"],
      common: "EPERM ENOSPC", possible: "ENOMEM EUSERS", caller: "EINVAL"),
    ManualPage(
      name: "setns", calls: ["setns"],
      common: "EPERM", possible: "ENOMEM ESRCH", caller: "EBADF EINVAL"),
    ManualPage(
      name: "prctl", calls: ["prctl"],
      possible: "EPERM EOPNOTSUPP", caller: "EACCES EBADF EBUSY EFAULT EINVAL ENODEV ENXIO ERANGE"),
    ManualPage(
      name: "ptrace", calls: ["ptrace"],
      common: "EPERM ESRCH", possible: "EBUSY", caller: "EFAULT EINVAL EIO"),
    ManualPage(
      name: "seccomp", calls: ["seccomp"],
      possible: "EACCES ENOMEM", caller: "EBUSY EFAULT EINVAL EOPNOTSUPP ESRCH", unlisted: "ENOSYS"),
  ]
}
