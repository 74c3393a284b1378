extension ManualPage {
  /// Calls on sockets.
  ///
  /// connect(2) and the pages of sending and receiving say that protocols add errors
  /// of their own: those of ip(7), tcp(7) and unix(7) stand under `unlisted`.
  static let sockets: [ManualPage] = [
    ManualPage(
      name: "socket", calls: ["socket"],
      common: "EMFILE EACCES EAFNOSUPPORT", possible: "ENFILE ENOBUFS ENOMEM EPROTONOSUPPORT",
      caller: "EINVAL", unlisted: "EPERM EPROTOTYPE ESOCKTNOSUPPORT"),
    ManualPage(
      name: "socketpair", calls: ["socketpair"],
      common: "EMFILE", possible: "ENFILE",
      caller: "EAFNOSUPPORT EFAULT EOPNOTSUPP EPROTONOSUPPORT",
      unlisted: "ENOMEM ENOBUFS EINVAL EACCES"),
    ManualPage(
      name: "bind", calls: ["bind"],
      common: "EADDRINUSE EACCES EADDRNOTAVAIL",
      possible: "ENOMEM EROFS ENOENT ENOTDIR ELOOP ENAMETOOLONG",
      caller: "EBADF EFAULT EINVAL ENOTSOCK", unlisted: "EAFNOSUPPORT EPERM ENOSPC"),
    ManualPage(
      name: "listen", calls: ["listen"],
      common: "EADDRINUSE", caller: "EBADF ENOTSOCK EOPNOTSUPP", unlisted: "EINVAL"),
    ManualPage(
      name: "connect", calls: ["connect"],
      common: "ECONNREFUSED ETIMEDOUT ENETUNREACH",
      possible: "EADDRNOTAVAIL EACCES EPERM EAGAIN EINTR",
      nonBlocking: "EINPROGRESS EALREADY",
      caller: "EADDRINUSE EAFNOSUPPORT EBADF EFAULT EISCONN ENOTSOCK EPROTOTYPE",
      unlisted: "EHOSTUNREACH ECONNRESET ENETDOWN EHOSTDOWN EINVAL ENOENT ENOBUFS ECONNABORTED"),
    ManualPage(
      name: "accept", calls: ["accept", "accept4"],
      common: "EMFILE ECONNABORTED", possible: "ENFILE ENOBUFS ENOMEM EPERM EPROTO EINTR",
      nonBlocking: "EAGAIN EWOULDBLOCK", caller: "EBADF EFAULT EINVAL ENOTSOCK EOPNOTSUPP",
      unlisted: "ENETDOWN ENOPROTOOPT EHOSTDOWN ENONET EHOSTUNREACH ENETUNREACH ETIMEDOUT ENOSR "
        + "ESOCKTNOSUPPORT EPROTONOSUPPORT"),
    ManualPage(
      name: "send", calls: ["sendto", "sendmsg"],
      common: "ECONNRESET EPIPE", possible: "ENOBUFS ENOMEM EACCES EINTR EMSGSIZE",
      nonBlocking: "EAGAIN EWOULDBLOCK EALREADY",
      caller: "EBADF EDESTADDRREQ EFAULT EINVAL EISCONN ENOTCONN ENOTSOCK EOPNOTSUPP",
      unlisted: "ECONNREFUSED ENETUNREACH EHOSTUNREACH ENETDOWN ETIMEDOUT EPERM EAFNOSUPPORT "
        + "EADDRNOTAVAIL ENOENT"),
    ManualPage(name: "sendmmsg", calls: ["sendmmsg"], included: ["send"]),
    ManualPage(
      name: "recv", calls: ["recvfrom", "recvmsg"],
      common: "ECONNREFUSED", possible: "ENOMEM EINTR", nonBlocking: "EAGAIN EWOULDBLOCK",
      caller: "EBADF EFAULT EINVAL ENOTCONN ENOTSOCK",
      unlisted: "ECONNRESET ETIMEDOUT EHOSTUNREACH ENETUNREACH EPROTO EIO EOPNOTSUPP"),
    ManualPage(name: "recvmmsg", calls: ["recvmmsg"], caller: "EINVAL", included: ["recv"]),
    ManualPage(
      name: "getsockopt", calls: ["getsockopt", "setsockopt"],
      caller: "EBADF EFAULT EINVAL ENOPROTOOPT ENOTSOCK",
      unlisted: "ENOMEM EPERM EACCES EDOM EADDRINUSE EADDRNOTAVAIL EBUSY ENODEV EOPNOTSUPP ENOTCONN"
    ),
    ManualPage(
      name: "getsockname", calls: ["getsockname"],
      possible: "ENOBUFS", caller: "EBADF EFAULT EINVAL ENOTSOCK"),
    ManualPage(
      name: "getpeername", calls: ["getpeername"],
      common: "ENOTCONN", possible: "ENOBUFS", caller: "EBADF EFAULT EINVAL ENOTSOCK"),
    ManualPage(
      name: "shutdown", calls: ["shutdown"],
      common: "ENOTCONN", caller: "EBADF EINVAL ENOTSOCK"),
  ]

  /// Calls that wait until something is ready.
  static let readiness: [ManualPage] = [
    ManualPage(
      name: "epoll_create", calls: ["epoll_create", "epoll_create1"],
      common: "EMFILE", possible: "ENFILE ENOMEM", caller: "EINVAL"),
    ManualPage(
      name: "epoll_ctl", calls: ["epoll_ctl"],
      common: "ENOSPC ENOMEM", caller: "EBADF EEXIST EINVAL ELOOP ENOENT EPERM", unlisted: "EFAULT"),
    ManualPage(
      name: "epoll_wait", calls: ["epoll_wait", "epoll_pwait", "epoll_pwait2"],
      common: "EINTR", caller: "EBADF EFAULT EINVAL"),
    ManualPage(
      name: "poll", calls: ["poll", "ppoll"],
      common: "EINTR", possible: "ENOMEM", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "select", calls: ["select", "pselect6"],
      common: "EINTR", possible: "ENOMEM", caller: "EBADF EINVAL", unlisted: "EFAULT"),
    ManualPage(
      name: "eventfd", calls: ["eventfd", "eventfd2"],
      common: "EMFILE", possible: "ENFILE ENODEV ENOMEM", caller: "EINVAL"),
    ManualPage(
      name: "timerfd_create", calls: ["timerfd_create", "timerfd_settime", "timerfd_gettime"],
      common: "EMFILE", possible: "ENFILE ENODEV ENOMEM EPERM ECANCELED",
      caller: "EBADF EFAULT EINVAL",
      absent: [
        "timerfd_create": "EBADF ECANCELED EFAULT",
        "timerfd_settime": "EMFILE ENFILE ENODEV ENOMEM EPERM",
        "timerfd_gettime": "EMFILE ENFILE ENODEV ENOMEM EPERM ECANCELED",
      ]),
    ManualPage(
      name: "signalfd", calls: ["signalfd", "signalfd4"],
      common: "EMFILE", possible: "ENFILE ENODEV ENOMEM", caller: "EBADF EINVAL"),
    ManualPage(
      name: "inotify_init", calls: ["inotify_init", "inotify_init1"],
      common: "EMFILE", possible: "ENFILE ENOMEM", caller: "EINVAL",
      absent: ["inotify_init": "EINVAL"]),
    ManualPage(
      name: "inotify_rm_watch", calls: ["inotify_rm_watch"], caller: "EBADF EINVAL"),
    ManualPage(
      name: "fanotify_init", calls: ["fanotify_init"],
      common: "EPERM EMFILE", possible: "ENOMEM ENOSYS", caller: "EINVAL"),
    ManualPage(
      name: "futex", calls: ["futex"],
      common: "EAGAIN EINTR ETIMEDOUT", possible: "ENOMEM ENFILE EDEADLK ESRCH",
      caller: "EACCES EFAULT EINVAL ENOSYS EPERM"),
    ManualPage(
      name: "nanosleep", calls: ["nanosleep"], common: "EINTR", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "clock_nanosleep", calls: ["clock_nanosleep"],
      common: "EINTR", caller: "EFAULT EINVAL ENOTSUP"),
    ManualPage(
      name: "io_setup", calls: ["io_setup"],
      common: "EAGAIN", possible: "ENOMEM ENOSYS", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "io_submit", calls: ["io_submit"],
      common: "EAGAIN", possible: "ENOSYS", caller: "EBADF EFAULT EINVAL EPERM"),
    ManualPage(
      name: "io_getevents", calls: ["io_getevents"],
      common: "EINTR", possible: "ENOSYS", caller: "EFAULT EINVAL"),
  ]
}
