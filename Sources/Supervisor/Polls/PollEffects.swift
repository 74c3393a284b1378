internal import CSupervisor

/// The calls that change nothing that others than the caller could see.
enum PollEffects {
  /// Returns whether a call that a thread has made was such a one, by what it is or by what it has returned.
  static func isWithout(_ exit: Registers, of tracee: Tracee) -> Bool {
    // A call that fails does nothing, but for one that has only begun (connect(2)).
    if exit.result < 0 { return exit.result != -KernelError.inProgress }
    switch exit.systemCall {
    case let number where quiet.contains(number): return true
    // Nothing was there, and no thread was woken.
    case let number where quietAtZero.contains(number): return exit.result == 0
    case SystemCallNumber.fcntl: return [1, 2, 3].contains(exit[argument: 1])
    case SystemCallNumber.futex:
      return !handsOn(exit) && (exit.result == 0 || !wakes(exit))
    case SystemCallNumber.kill, SystemCallNumber.tgkill:
      return exit[argument: exit.systemCall == SystemCallNumber.kill ? 1 : 2] == 0
    case let number where reads.contains(number):
      let descriptor = Int32(truncatingIfNeeded: exit[argument: 0])
      // What is read from a file is there still.
      return exit.result == 0 || DescriptorTable(of: tracee).isFile(descriptor)
    case let number where opens.contains(number):
      let flags = exit[argument: number == SystemCallNumber.openat ? 2 : 1]
      return flags & changingFlags == 0
    default: return false
    }
  }

  /// FUTEX_UNLOCK_PI of futex(2), which hands the lock on and says nothing of it.
  private static func handsOn(_ exit: Registers) -> Bool { exit[argument: 1] & 127 == 7 }

  /// Returns whether a call is an operation of futex(2) other than FUTEX_WAIT, FUTEX_LOCK_PI,
  /// FUTEX_WAIT_BITSET and FUTEX_LOCK_PI2.
  private static func wakes(_ exit: Registers) -> Bool {
    ![0, 6, 9, 13].contains(exit[argument: 1] & 127)
  }

  /// O_WRONLY, O_RDWR, O_CREAT and O_TRUNC of open(2).
  private static let changingFlags: UInt64 = 0o1103

  /// The calls without effects; those that the runner itself has a thread make, where it answers a
  /// call, are among them (memfd_create(2)).
  private static let quiet = numbers(
    """
    access brk capget clock_getres clock_gettime close dup dup2 dup3 epoll_create epoll_create1 faccessat \
    faccessat2 fstat fstatfs getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername \
    getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid \
    getsockname getsockopt gettid gettimeofday getuid lseek lstat madvise membarrier memfd_create mincore mlock \
    mmap mprotect mremap munmap newfstatat readlink readlinkat restart_syscall rseq rt_sigaction rt_sigpending \
    rt_sigprocmask rt_sigreturn sched_getaffinity sched_yield set_robust_list sigaltstack socket stat statfs statx \
    sysinfo time times uname
    """)
  private static let quietAtZero = numbers(
    """
    epoll_pwait epoll_pwait2 epoll_wait poll ppoll pselect6 select wait4
    """)
  private static let reads = numbers("pread64 preadv read readv")
  private static let opens = numbers("open openat")

  private static func numbers(_ names: String) -> Set<Int> {
    Set(names.split(separator: " ").compactMap { SystemCallTable.current.number(of: String($0)) })
  }
}
