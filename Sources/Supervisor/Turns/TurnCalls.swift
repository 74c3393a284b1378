internal import Glibc

/// A system call of a thread that takes turns, as it is made.
struct TurnCall {
  /// Its number.
  let number: Int
  /// True if it counts as news for threads that poll: it may change something.
  let isNews: Bool
  /// True if a thread that it wakes must run before the caller continues.
  let carries: Bool
  /// True if its exit must be seen: the caller may sleep in it, and is to wait for its turn then.
  let isWatched: Bool

  /// Decodes a call at its entry.
  ///
  /// - Parameter hasLocks: whether any thread has used a lock on a file, which the end of a
  ///   descriptor may free.
  init(_ registers: Registers, of tracee: Tracee, hasLocks: Bool) {
    number = registers.systemCall
    switch TurnCalls.kinds[number] {
    case .transfer(let argument):
      let descriptor = argument.map { Int32(truncatingIfNeeded: registers[argument: $0]) }
      let mayFree = hasLocks && TurnCalls.endings.contains(number)
      let isPlain = !mayFree && (descriptor.map { Self.isPlain($0, of: tracee) } ?? false)
      (isNews, carries, isWatched) = (!isPlain, !isPlain, !isPlain)
    case .look: (isNews, carries, isWatched) = (false, false, !TurnCalls.isInstant(registers))
    case .wait: (isNews, carries, isWatched) = (true, false, true)
    case .point: (isNews, carries, isWatched) = (false, false, false)
    case nil: (isNews, carries, isWatched) = (true, false, false)
    }
  }

  /// True if it is about a lock on a file.
  var locks: Bool { TurnCalls.locks.contains(number) }

  /// True if it returns the number of a process.
  var returnsProcess: Bool { TurnCalls.children.contains(number) }

  /// Returns whether no thread sleeps in a call on a descriptor, nor is woken by it: it leads to a
  /// file, or to a device of the kernel's memory such as /dev/null (null(4)).
  private static func isPlain(_ descriptor: Int32, of tracee: Tracee) -> Bool {
    var status = stat()
    guard stat(DescriptorTable(of: tracee).path(of: descriptor), &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR, S_IFBLK: return true
    case S_IFCHR: return status.st_rdev >> 8 == memoryDevices
    default: return false
    }
  }

  /// The major number of such devices.
  private static let memoryDevices: dev_t = 1
}

/// The meaning of system calls for threads that take turns.
enum TurnCalls {
  /// A kind of call.
  enum Kind {
    /// The call transfers something from one thread to another by a descriptor, which is one of its
    /// arguments, or `nil` if it does so in any case. A thread that is woken takes what is there
    /// then.
    case transfer(Int?)
    /// The call may sleep, and wakes no thread.
    case look
    /// A thread may sleep in it, or wake another one by it.
    case wait
    /// No thread sleeps in the call; another thread may run between it and the one before.
    case point
  }

  /// The kinds of calls, by number.
  static let kinds: [Int: Kind] = {
    let names: [(Kind, String)] = [
      (
        .transfer(0),
        """
        close connect read readv recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto shutdown write writev
        """
      ),
      (.transfer(1), "dup2 dup3"),
      (
        .transfer(nil),
        """
        close_range fcntl flock kill mq_timedsend msgsnd pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo semctl semop \
        semtimedop sendfile splice tee tgkill tkill vmsplice
        """
      ),
      (
        .look,
        """
        epoll_pwait epoll_pwait2 epoll_wait pause poll ppoll pselect6 rt_sigsuspend rt_sigtimedwait select wait4 waitid
        """
      ),
      (
        .wait,
        """
        accept accept4 epoll_ctl futex futex_requeue futex_wait futex_waitv futex_wake io_getevents io_pgetevents \
        mq_timedreceive msgctl msgrcv open openat openat2
        """
      ),
      (
        .point,
        """
        access faccessat faccessat2 ftruncate getdents64 link linkat lstat mkdir mkdirat newfstatat pread64 preadv \
        pwrite64 pwritev rename renameat renameat2 rmdir stat statx symlink symlinkat truncate unlink unlinkat
        """
      ),
    ]
    var kinds: [Int: Kind] = [:]
    for (kind, calls) in names {
      for number in numbers(calls) { kinds[number] = kind }
    }
    return kinds
  }()
  /// The calls among them that return the number of a process.
  fileprivate static let children = numbers("wait4 waitid")
  /// The calls that take locks on files, and those by which a lock may end.
  fileprivate static let locks = numbers("fcntl flock")
  fileprivate static let endings = numbers("close dup2 dup3")
  /// Returns whether a look for events does not wait: poll(2) and epoll_wait(2) with a timeout of nought.
  fileprivate static func isInstant(_ registers: Registers) -> Bool {
    switch registers.systemCall {
    case SystemCallNumber.poll: Int32(truncatingIfNeeded: registers[argument: 2]) == 0
    case SystemCallNumber.epollWait, SystemCallNumber.epollPwait:
      Int32(truncatingIfNeeded: registers[argument: 3]) == 0
    default: false
    }
  }

  /// F_SETLK, F_SETLKW, F_OFD_SETLK and F_OFD_SETLKW of fcntl(2).
  private static let lockCommands: [UInt32] = [6, 7, 37, 38]

  /// The rules by which a thread that is woken stops at the call's exit, before it does anything
  /// else.
  static let filterRules: [Int: FilterRule] = {
    var rules = kinds.mapValues { _ in FilterRule.trace }
    rules[SystemCallNumber.schedYield] = .trace
    rules[SystemCallNumber.fcntl] = .traceIfAmong([
      ArgumentValues(argument: 1, values: lockCommands)
    ])
    return rules
  }()

  private static func numbers(_ names: String) -> Set<Int> {
    Set(names.split(separator: " ").compactMap { SystemCallTable.current.number(of: String($0)) })
  }
}
