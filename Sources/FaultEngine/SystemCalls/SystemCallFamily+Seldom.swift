extension SystemCallFamily {
  /// Families of calls that seldom fail, or that few programs make.
  ///
  /// Missing are those that a thread cannot do without (exit, rt_sigreturn, rseq and what the C library's
  /// start asks for), those that the kernel has no more, and reading the clock.
  static let seldom: [SystemCallFamily] =
    [
      SystemCallFamily("acct", [SystemCall("acct", .path(argument: 0))]),
      SystemCallFamily("chroot", [SystemCall("chroot", .path(argument: 0))]),
      SystemCallFamily("fadvise", [SystemCall("fadvise64", .descriptor(argument: 0))]),
      SystemCallFamily(
        "fanotify_mark",
        [
          SystemCall(
            "fanotify_mark", .path(argument: 4, directory: 3), .descriptor(argument: 0))
        ]),
      SystemCallFamily(
        "inotify_rm_watch", [SystemCall("inotify_rm_watch", .descriptor(argument: 0))]),
      SystemCallFamily(
        "mount",
        [
          SystemCall("mount", .path(argument: 1)),
          SystemCall(
            "move_mount", .path(argument: 1, directory: 0), .path(argument: 3, directory: 2)),
        ]),
      SystemCallFamily("mq_notify", [SystemCall("mq_notify", .descriptor(argument: 0))]),
      SystemCallFamily("mq_receive", [SystemCall("mq_timedreceive", .descriptor(argument: 0))]),
      SystemCallFamily("mq_send", [SystemCall("mq_timedsend", .descriptor(argument: 0))]),
      SystemCallFamily(
        "name_to_handle_at", [SystemCall("name_to_handle_at", .path(argument: 1, directory: 0))]),
      SystemCallFamily("open_tree", [SystemCall("open_tree", .path(argument: 1, directory: 0))]),
      SystemCallFamily("pivot_root", [SystemCall("pivot_root", .path(argument: 0))]),
      SystemCallFamily("quotactl", [SystemCall("quotactl", .path(argument: 1))]),
      SystemCallFamily("readahead", [SystemCall("readahead", .descriptor(argument: 0))]),
      SystemCallFamily("setns", [SystemCall("setns", .descriptor(argument: 0))]),
      SystemCallFamily("swapoff", [SystemCall("swapoff", .path(argument: 0))]),
      SystemCallFamily("swapon", [SystemCall("swapon", .path(argument: 0))]),
      SystemCallFamily(
        "tee", [SystemCall("tee", .descriptor(argument: 0), .descriptor(argument: 1))]),
      SystemCallFamily(
        "timerfd_gettime", [SystemCall("timerfd_gettime", .descriptor(argument: 0))]),
      SystemCallFamily(
        "timerfd_settime", [SystemCall("timerfd_settime", .descriptor(argument: 0))]),
      SystemCallFamily("umount", [SystemCall("umount2", .path(argument: 0))]),
      SystemCallFamily("vmsplice", [SystemCall("vmsplice", .descriptor(argument: 0))]),
    ] + plain

  /// Families of calls that name nothing: the family and its members, or the one call of that name.
  private static let plain: [SystemCallFamily] = plainText.split(separator: "\n").flatMap { line in
    let parts = line.split(separator: ":")
    let words = parts.last?.split(separator: " ").map(String.init) ?? []
    guard parts.count == 2, let name = parts.first else {
      return words.map { SystemCallFamily($0, [SystemCall($0)]) }
    }
    return [SystemCallFamily(String(name), words.map { SystemCall($0) })]
  }

  private static let plainText = """
    adjtimex: adjtimex clock_adjtime
    clock_settime: clock_settime settimeofday
    futex: futex futex_waitv
    io_getevents: io_getevents io_pgetevents
    munlock: munlock munlockall
    process_vm_read: process_vm_readv
    process_vm_write: process_vm_writev
    sched_setscheduler: sched_setscheduler sched_setparam sched_setattr
    sched_getscheduler: sched_getscheduler sched_getparam sched_getattr
    semop: semop semtimedop
    setgid: setgid setregid setresgid setfsgid
    setuid: setuid setreuid setresuid setfsuid
    sigaction: rt_sigaction
    signalfd: signalfd signalfd4
    sigpending: rt_sigpending
    sigprocmask: rt_sigprocmask
    sigqueue: rt_sigqueueinfo rt_tgsigqueueinfo
    sigsuspend: rt_sigsuspend
    sigwait: rt_sigtimedwait
    add_key alarm bpf capget capset close_range delete_module fanotify_init finit_module fsconfig
    fsmount fsopen fspick get_mempolicy getegid geteuid getgid getgroups getitimer getpgid getpgrp
    getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid
    init_module io_cancel io_destroy io_setup io_submit io_uring_enter io_uring_register
    io_uring_setup ioperm iopl ioprio_get ioprio_set kcmp keyctl landlock_add_rule
    landlock_create_ruleset landlock_restrict_self mbind membarrier memfd_secret migrate_pages
    mincore mount_setattr move_pages mq_getsetattr mq_open mq_unlink msgctl msgget msgrcv msgsnd
    open_by_handle_at pause perf_event_open personality pidfd_getfd pkey_alloc pkey_free
    pkey_mprotect prctl process_madvise process_mrelease ptrace quotactl_fd reboot
    remap_file_pages request_key sched_get_priority_max sched_get_priority_min sched_getaffinity
    sched_rr_get_interval sched_setaffinity sched_yield seccomp semctl semget set_mempolicy
    set_mempolicy_home_node setdomainname setgroups sethostname setitimer setpgid setpriority
    setsid shmat shmctl shmdt shmget sigaltstack sysinfo syslog timer_create timer_delete
    timer_getoverrun timer_gettime timer_settime times umask uname unshare userfaultfd vhangup
    """

  /// Calls that hardly any program makes, as the vDSO does their work (vdso(7)).
  static let clockReads: Set<String> = [
    "clock_getres", "clock_gettime", "getcpu", "gettimeofday", "time",
  ]

  /// Functions of the C library that make calls of other names, and so would be taken for calls
  /// that are never made.
  static let aliases: [SystemCallFamily] = [
    SystemCallFamily(
      "fork",
      [
        SystemCall("fork"), SystemCall("vfork"), SystemCall("clone", clearFlags: thread),
        SystemCall("clone3", clearFlags: thread),
      ]),
    SystemCallFamily(
      "fstat",
      [
        SystemCall("fstat", .descriptor(argument: 0)),
        SystemCall("newfstatat", .path(argument: 1, directory: 0), setFlags: 0x1000),
        SystemCall("statx", .path(argument: 1, directory: 0), setFlags: 0x1000),
      ]),
    SystemCallFamily(
      "lstat",
      [
        SystemCall("lstat", .path(argument: 0)),
        SystemCall("newfstatat", .path(argument: 1, directory: 0), setFlags: 0x100),
        SystemCall("statx", .path(argument: 1, directory: 0), setFlags: 0x100),
      ]),
    alias("mkfifo", of: "mknod mknodat"),
    alias("nanosleep", of: "nanosleep clock_nanosleep"),
    alias("posix_fadvise", of: "fadvise64"),
    alias("posix_fallocate", of: "fallocate"),
    alias("pread", of: "pread64 preadv preadv2"),
    alias("pwrite", of: "pwrite64 pwritev pwritev2"),
    alias("setrlimit", of: "setrlimit prlimit64"),
    alias("statvfs", of: "statfs fstatfs"),
    SystemCallFamily(
      "thread",
      [SystemCall("clone", setFlags: thread), SystemCall("clone3", setFlags: thread)]),
    alias("umount2", of: "umount2"),
    alias("usleep", of: "nanosleep clock_nanosleep"),
    alias("utimensat", of: "utime utimes futimesat utimensat"),
    alias("waitpid", of: "wait4 waitid"),
  ]

  /// `CLONE_THREAD` of clone(2).
  private static let thread: UInt64 = 0x10000

  private static func alias(_ name: String, of calls: String) -> SystemCallFamily {
    SystemCallFamily(
      name, calls.split(separator: " ").compactMap { SystemCall.named(String($0)) })
  }
}
