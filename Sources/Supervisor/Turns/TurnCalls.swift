/// A system call of a thread that takes turns, as it is made.
struct TurnCall {
  /// Its number.
  let number: Int
  /// Whether whoever it wakes must be done with that before its caller goes on.
  let carries: Bool
  /// Whether what it returns is the same in each run: a number of bytes, of descriptors, of threads that were woken, and
  /// no number of a process, nor the length of what the kernel tells of itself.
  let isResultRepeatable: Bool

  /// A thread stands at the call's entry.
  init(_ registers: Registers, of tracee: Tracee) {
    number = registers.systemCall
    guard TurnCalls.transfers.contains(number) else {
      carries = TurnCalls.deliveries.contains(number)
      isResultRepeatable = TurnCalls.waits.contains(number) && !TurnCalls.children.contains(number)
      return
    }
    switch DescriptorTable(of: tracee)[Int32(truncatingIfNeeded: registers[argument: 0])] {
    // A file wakes nobody.
    case .path(let path):
      carries = path.hasPrefix("/dev/") && path != "/dev/null"
      isResultRepeatable = !path.hasPrefix("/proc/") && !path.hasPrefix("/sys/")
    case .pipe, .socket, .anonymous, nil: (carries, isResultRepeatable) = (true, true)
    }
  }
}

/// What system calls mean to threads that take turns.
enum TurnCalls {
  /// Calls in which a thread may wait for another one.
  ///
  /// The filter shows them, so that whoever is woken stops at the call's exit, before it does anything else.
  fileprivate static let waits = numbers([
    "accept", "accept4", "epoll_pwait", "epoll_pwait2", "epoll_wait", "flock", "futex", "futex_wait", "futex_waitv",
    "io_getevents", "io_pgetevents", "mq_timedreceive", "msgrcv", "pause", "poll", "ppoll", "pselect6",
    "rt_sigsuspend", "rt_sigtimedwait", "select", "semop", "semtimedop", "wait4", "waitid",
  ])
  /// Calls that carry data from one thread to another, or wake one, of which the first argument is a descriptor.
  ///
  /// Whoever is woken takes what is there then: its call must be over before the caller goes on.
  fileprivate static let transfers = numbers([
    "close", "connect", "dup2", "dup3", "read", "readv", "recvfrom", "recvmmsg", "recvmsg", "sendfile", "sendmmsg",
    "sendmsg", "sendto", "shutdown", "splice", "tee", "vmsplice", "write", "writev",
  ])
  /// The same of those of which none is.
  fileprivate static let deliveries = numbers([
    "kill", "mq_timedsend", "msgsnd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tgkill", "tkill",
  ])
  /// Those of the waits that return the number of a process.
  fileprivate static let children = numbers(["wait4", "waitid"])
  private static let openings = numbers(["open", "openat", "openat2"])
  private static let lockCommands: [UInt32] = [7, 38]

  /// What the filter must show: F_SETLKW and F_OFD_SETLKW of fcntl(2) wait, and so does open(2) of a FIFO.
  static let filterRules: [Int: FilterRule] = {
    var rules: [Int: FilterRule] = [
      SystemCallNumber.fcntl: .traceIfAmong([ArgumentValues(argument: 1, values: lockCommands)]),
      SystemCallNumber.schedYield: .trace,
    ]
    for number in waits.union(transfers).union(deliveries).union(openings) { rules[number] = .trace }
    return rules
  }()

  private static func numbers(_ names: [String]) -> Set<Int> {
    Set(names.compactMap { SystemCallTable.current.number(of: $0) })
  }
}
