extension SystemCallTraits {
  /// Returns the number of arguments of a call, from its manual page; `nil` where it is not known.
  ///
  /// The registers behind the last one mean nothing.
  package static func argumentCount(of systemCall: String) -> Int? {
    counts[systemCall]
  }

  private static let counts: [String: Int] = {
    var counts: [String: Int] = [:]
    for (count, names) in namesByCount {
      for name in names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        counts[String(name)] = count
      }
    }
    return counts
  }()

  private static let namesByCount: [(Int, String)] = [
    (
      0,
      """
      fork vfork getpid getppid gettid getuid geteuid getgid getegid getpgrp pause sched_yield
      setsid sync munlockall inotify_init vhangup
      """
    ),
    (
      1,
      """
      close chdir fchdir rmdir fsync fdatasync syncfs dup unlink chroot umask brk alarm acct
      epoll_create epoll_create1 inotify_init1 eventfd pipe mlockall getpgid getsid setuid setgid
      setfsuid setfsgid personality uname sysinfo times shmdt timer_delete timer_getoverrun unshare
      mq_unlink swapoff io_destroy userfaultfd memfd_secret pkey_free sched_getscheduler
      sched_get_priority_max sched_get_priority_min iopl adjtimex
      """
    ),
    (
      2,
      """
      access creat rename mkdir link symlink chmod fchmod stat fstat lstat statfs fstatfs truncate
      ftruncate listen shutdown dup2 eventfd2 pipe2 memfd_create pidfd_open munmap mlock munlock
      flock kill tkill getcwd removexattr lremovexattr fremovexattr utime utimes inotify_rm_watch
      nanosleep clone3 setrlimit getrlimit setpgid setreuid setregid getgroups setgroups
      sethostname setdomainname getrusage getpriority getitimer timerfd_create timerfd_gettime
      timer_gettime capget capset setns pivot_root umount2 fanotify_init rt_sigpending
      rt_sigsuspend sigaltstack io_setup msgget swapon fsopen pkey_alloc ioprio_get
      sched_rr_get_interval sched_setparam sched_getparam clock_adjtime clock_settime
      settimeofday mq_notify process_mrelease membarrier landlock_restrict_self delete_module
      """
    ),
    (
      3,
      """
      read write readv writev open getdents getdents64 socket connect bind accept getsockname
      getpeername recvmsg sendmsg dup3 mprotect msync mincore madvise mlock2 mkdirat mknod
      unlinkat symlinkat chown fchown lchown fchmodat faccessat lseek ioctl fcntl poll execve
      readlink listxattr llistxattr flistxattr inotify_add_watch futimesat tgkill getrandom
      setpriority setitimer setresuid setresgid getresuid getresgid readahead semop semget shmget
      shmat shmctl close_range signalfd fsmount fspick pidfd_getfd open_tree open_by_handle_at
      sched_setscheduler sched_setaffinity sched_getaffinity sched_setattr ioperm ioprio_set
      io_submit io_cancel mq_getsetattr syslog seccomp bpf finit_module init_module msgctl
      rt_sigqueueinfo timer_create set_mempolicy landlock_create_ruleset
      """
    ),
    (
      4,
      """
      openat openat2 accept4 pread64 pwrite64 fallocate sendfile tee vmsplice sync_file_range
      newfstatat mknodat readlinkat renameat faccessat2 fchmodat2 utimensat getxattr lgetxattr
      fgetxattr socketpair epoll_ctl epoll_wait prlimit64 wait4 clock_nanosleep rt_sigaction
      rt_sigprocmask rt_sigtimedwait rt_tgsigqueueinfo pidfd_send_signal timer_settime
      timerfd_settime ptrace semctl semtimedop fadvise64 msgsnd quotactl quotactl_fd reboot
      request_key signalfd4 sendmmsg mq_open migrate_pages pkey_mprotect landlock_add_rule
      sched_getattr set_mempolicy_home_node
      """
    ),
    (
      5,
      """
      preadv pwritev mremap linkat renameat2 fchownat select setsockopt getsockopt ppoll setxattr
      lsetxattr fsetxattr execveat statx recvmmsg prctl waitid clone mount name_to_handle_at
      fanotify_mark msgrcv mq_timedsend mq_timedreceive add_key keyctl kcmp fsconfig move_mount
      io_getevents perf_event_open process_madvise get_mempolicy remap_file_pages futex_waitv
      mount_setattr
      """
    ),
    (
      6,
      """
      mmap sendto recvfrom copy_file_range splice preadv2 pwritev2 pselect6 epoll_pwait epoll_pwait2
      futex process_vm_readv process_vm_writev io_pgetevents mbind move_pages io_uring_enter
      """
    ),
  ]
}
