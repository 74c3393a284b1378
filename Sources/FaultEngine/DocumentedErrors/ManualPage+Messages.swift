extension ManualPage {
  /// Queues, semaphores and memory that processes share.
  static let messages: [ManualPage] = [
    ManualPage(
      name: "shmget", calls: ["shmget"],
      common: "ENOSPC ENOMEM EACCES", possible: "ENFILE ENOENT EEXIST EPERM", caller: "EINVAL"),
    ManualPage(
      name: "shmop", calls: ["shmat", "shmdt"],
      common: "ENOMEM EACCES", possible: "EIDRM", caller: "EINVAL",
      absent: ["shmdt": "ENOMEM EACCES EIDRM"]),
    ManualPage(
      name: "shmctl", calls: ["shmctl"],
      common: "EACCES EPERM", possible: "EIDRM ENOMEM EOVERFLOW", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "semget", calls: ["semget"],
      common: "ENOSPC ENOMEM EACCES", possible: "ENOENT EEXIST", caller: "EINVAL"),
    ManualPage(
      name: "semop", calls: ["semop", "semtimedop"],
      common: "EINTR EIDRM", possible: "EACCES ENOMEM", nonBlocking: "EAGAIN",
      caller: "E2BIG EFAULT EFBIG EINVAL ERANGE"),
    ManualPage(
      name: "semctl", calls: ["semctl"],
      common: "EACCES EPERM", possible: "EIDRM", caller: "EFAULT EINVAL ERANGE"),
    ManualPage(
      name: "msgget", calls: ["msgget"],
      common: "ENOSPC ENOMEM EACCES", possible: "ENOENT EEXIST"),
    ManualPage(
      name: "msgop", calls: ["msgsnd", "msgrcv"],
      common: "EINTR EIDRM", possible: "EACCES ENOMEM", nonBlocking: "EAGAIN ENOMSG",
      caller: "E2BIG EFAULT EINVAL ENOSYS",
      absent: ["msgsnd": "E2BIG ENOMSG ENOSYS", "msgrcv": "EAGAIN ENOMEM"]),
    ManualPage(
      name: "msgctl", calls: ["msgctl"],
      common: "EACCES EPERM", possible: "EIDRM", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "mq_open", calls: ["mq_open"],
      common: "EMFILE ENOENT EACCES ENOSPC", possible: "ENFILE ENOMEM EEXIST ENAMETOOLONG",
      caller: "EINVAL"),
    ManualPage(
      name: "mq_unlink", calls: ["mq_unlink"],
      common: "ENOENT EACCES", possible: "ENAMETOOLONG"),
    ManualPage(
      name: "mq_send", calls: ["mq_timedsend"],
      common: "EINTR ETIMEDOUT", nonBlocking: "EAGAIN", caller: "EBADF EINVAL EMSGSIZE"),
    ManualPage(
      name: "mq_receive", calls: ["mq_timedreceive"],
      common: "EINTR ETIMEDOUT", nonBlocking: "EAGAIN", caller: "EBADF EINVAL EMSGSIZE"),
    ManualPage(
      name: "mq_notify", calls: ["mq_notify"],
      common: "EBUSY", possible: "ENOMEM", caller: "EBADF EINVAL"),
  ]

  /// Calls that make descriptors, or do something else with one; and the clocks.
  static let descriptors: [ManualPage] = [
    ManualPage(
      name: "pipe", calls: ["pipe", "pipe2"],
      common: "EMFILE", possible: "ENFILE", caller: "EFAULT EINVAL ENOPKG",
      absent: ["pipe": "EINVAL ENOPKG"]),
    ManualPage(
      name: "dup", calls: ["dup", "dup2", "dup3"],
      common: "EMFILE", possible: "EBUSY EINTR", caller: "EBADF EINVAL",
      absent: ["dup": "EBUSY EINTR EINVAL", "dup2": "EINVAL EMFILE", "dup3": "EMFILE"]),
    ManualPage(
      name: "close_range", calls: ["close_range"],
      possible: "EMFILE ENOMEM", caller: "EINVAL", unlisted: "ENOSYS"),
    ManualPage(
      name: "fcntl", calls: ["fcntl"],
      possible: "EAGAIN EACCES EDEADLK EMFILE ENOLCK EPERM EBUSY", interrupted: "EINTR",
      caller: "EBADF EFAULT EINVAL ENOTDIR"),
    ManualPage(
      name: "flock", calls: ["flock"],
      common: "EINTR", possible: "ENOLCK", nonBlocking: "EWOULDBLOCK", caller: "EBADF EINVAL"),
    ManualPage(
      name: "ioctl", calls: ["ioctl"],
      possible: "ENOTTY", caller: "EBADF EFAULT EINVAL",
      unlisted: "EIO EINTR EAGAIN EPERM ENODEV EOPNOTSUPP ENOSPC EXDEV EBUSY EACCES ENXIO ENOMEM"),
    ManualPage(
      name: "clock_getres", calls: ["clock_gettime", "clock_settime"],
      possible: "ENODEV EPERM", caller: "EACCES EFAULT EINVAL ENOTSUP",
      absent: ["clock_gettime": "EPERM EACCES"]),
    ManualPage(name: "getitimer", calls: ["getitimer", "setitimer"], caller: "EFAULT EINVAL"),
    ManualPage(
      name: "timer_create", calls: ["timer_create"],
      common: "EAGAIN", possible: "ENOMEM", caller: "EINVAL ENOTSUP EPERM"),
    ManualPage(name: "timer_settime", calls: ["timer_settime"], caller: "EFAULT EINVAL"),
    ManualPage(
      name: "sched_setaffinity", calls: ["sched_setaffinity"],
      common: "EPERM", possible: "ESRCH", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "sched_setscheduler", calls: ["sched_setscheduler"],
      common: "EPERM", possible: "ESRCH", caller: "EINVAL"),
    ManualPage(name: "sysinfo", calls: ["sysinfo"], caller: "EFAULT"),
    ManualPage(name: "uname", calls: ["uname"], caller: "EFAULT"),
    ManualPage(name: "getrusage", calls: ["getrusage"], caller: "EFAULT EINVAL"),
    ManualPage(name: "times", calls: ["times"], caller: "EFAULT"),
  ]
}
