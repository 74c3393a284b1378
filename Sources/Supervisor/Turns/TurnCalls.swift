internal import Glibc

/// A system call of a thread that takes turns, as it is made.
struct TurnCall {
  /// Its number.
  let number: Int
  /// Whether it may wake another thread, which is to be chosen then as well.
  let wakes: Bool
  /// Whether whoever it wakes must be done with that before its caller goes on.
  let carries: Bool
  /// Whether its exit must be seen: the caller may sleep in it, and is to wait for its turn then.
  let isWatched: Bool

  /// A thread stands at the call's entry.
  init(_ registers: Registers, of tracee: Tracee) {
    number = registers.systemCall
    switch TurnCalls.kinds[number] {
    case .transfer(let argument):
      let descriptor = argument.map { Int32(truncatingIfNeeded: registers[argument: $0]) }
      let isPlain = descriptor.map { Self.isPlain($0, of: tracee) } ?? false
      (wakes, carries, isWatched) = (!isPlain, !isPlain, !isPlain)
    case .look: (wakes, carries, isWatched) = (false, false, true)
    case .wait: (wakes, carries, isWatched) = (true, false, true)
    case nil: (wakes, carries, isWatched) = (true, false, false)
    }
  }

  /// Whether what the call returns is the same in each run: a number of bytes, of descriptors, of threads that were
  /// woken, and no number of a process.
  var isResultRepeatable: Bool { !TurnCalls.children.contains(number) }

  /// Whether nobody sleeps in a call on a descriptor, nor is woken by it: it leads to a file, or to a device of the
  /// kernel's memory such as /dev/null (null(4)).
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

/// What system calls mean to threads that take turns.
enum TurnCalls {
  /// A kind of call.
  enum Kind {
    /// It carries something from one thread to another by a descriptor, which is one of its arguments, or `nil` if it
    /// does so in any case. Whoever is woken takes what is there then.
    case transfer(Int?)
    /// A thread may sleep in it, and wakes nobody by it.
    case look
    /// A thread may sleep in it, or wake another one by it.
    case wait
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
        close_range kill mq_timedsend msgsnd pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo sendfile splice tee \
        tgkill tkill vmsplice
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
        accept accept4 fcntl flock futex futex_wait futex_waitv io_getevents io_pgetevents mq_timedreceive msgrcv open \
        openat openat2 semop semtimedop
        """
      ),
    ]
    var kinds: [Int: Kind] = [:]
    for (kind, calls) in names {
      for number in numbers(calls) { kinds[number] = kind }
    }
    return kinds
  }()
  /// Those of them that return the number of a process.
  fileprivate static let children = numbers("wait4 waitid")
  /// F_SETLKW and F_OFD_SETLKW of fcntl(2).
  private static let lockCommands: [UInt32] = [7, 38]

  /// What the filter must show, so that whoever is woken stops at the call's exit, before it does anything else.
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
