extension SystemCallFamily {
  /// Families of calls that wait, that query, and that make descriptors.
  static let further: [SystemCallFamily] = [
    SystemCallFamily("brk", [SystemCall("brk")]),
    SystemCallFamily(
      "epoll_create", [SystemCall("epoll_create"), SystemCall("epoll_create1")]),
    SystemCallFamily("epoll_ctl", [SystemCall("epoll_ctl", .descriptor(argument: 2))]),
    SystemCallFamily(
      "epoll_wait",
      [
        SystemCall("epoll_wait", .descriptor(argument: 0)),
        SystemCall("epoll_pwait", .descriptor(argument: 0)),
        SystemCall("epoll_pwait2", .descriptor(argument: 0)),
      ]),
    SystemCallFamily("getcwd", [SystemCall("getcwd")]),
    SystemCallFamily("getpeername", [SystemCall("getpeername", .socket(argument: 0))]),
    SystemCallFamily("getsockname", [SystemCall("getsockname", .socket(argument: 0))]),
    SystemCallFamily("getsockopt", [SystemCall("getsockopt", .socket(argument: 0))]),
    SystemCallFamily(
      "inotify_init", [SystemCall("inotify_init"), SystemCall("inotify_init1")]),
    SystemCallFamily(
      "listxattr",
      [
        SystemCall("listxattr", .path(argument: 0)),
        SystemCall("llistxattr", .path(argument: 0)),
        SystemCall("flistxattr", .descriptor(argument: 0)),
      ]),
    SystemCallFamily("memfd_create", [SystemCall("memfd_create")]),
    SystemCallFamily("pidfd_open", [SystemCall("pidfd_open")]),
    SystemCallFamily("poll", [SystemCall("poll"), SystemCall("ppoll")]),
    SystemCallFamily("prlimit", [SystemCall("prlimit64"), SystemCall("setrlimit")]),
    SystemCallFamily(
      "removexattr",
      [
        SystemCall("removexattr", .path(argument: 0)),
        SystemCall("lremovexattr", .path(argument: 0)),
        SystemCall("fremovexattr", .descriptor(argument: 0)),
      ]),
    SystemCallFamily("select", [SystemCall("select"), SystemCall("pselect6")]),
    SystemCallFamily(
      "sleep", [SystemCall("nanosleep"), SystemCall("clock_nanosleep")]),
    SystemCallFamily("timerfd_create", [SystemCall("timerfd_create")]),
    SystemCallFamily("wait", [SystemCall("wait4"), SystemCall("waitid")]),
  ]

  /// Every family, by name, as Linux on x86-64 has its system calls.
  package static let all = (common + further + seldom).sorted { $0.name < $1.name }
}
