internal import CSupervisor

extension TimedWaits {
  /// Begins to follow a thread whose wait has ended, if it is the only one that was woken.
  func follow(_ tracee: Tracee) {
    // Two stops for a call are dearer than a look at a few threads.
    let calls = min(tracees.count / Self.threadsPerCall, Self.followedCalls)
    guard calls > 0, !kernel.takesTurns, quiescence.snapshot?.runner === tracee else {
      return kernel.forgetQuiescence()
    }
    tracee.following = Tracee.Following(callsLeft: calls)
  }

  /// The number of threads whose examination costs as much as one call that is followed.
  static let threadsPerCall = 3
  /// The largest number of calls between two waits that are followed.
  static let followedCalls = 16

  /// Examines a followed thread at the entry or the exit of a call.
  func handleFollowedCall(of tracee: Tracee) {
    guard var following = tracee.following,
      let registers = try? Registers.read(from: tracee.identifier)
    else { return }
    if following.isInCall {
      following.isInCall = false
      tracee.following = following
      if !HarmlessCall.wakesNobody(registers) { kernel.forgetQuiescence() }
      return kernel.resume(tracee)
    }
    // Made untimed here, the next wait does not stop once more for the filter.
    if let decoder = decoder(for: tracee),
      case .wait(let wait, let untimed)? = decoder.decide(registers)
    {
      tracee.following = nil
      self[tracee] = nil
      return begin(wait, of: tracee, untimed: untimed)
    }
    if beginJoin(registers, of: tracee) || beginEnd(registers, of: tracee) { return }
    following.callsLeft -= 1
    following.isInCall = true
    tracee.following = following
    if following.callsLeft < 0
      || !(HarmlessCall.mayBeFollowed(registers) || closesEventSet(registers, tracee))
    {
      kernel.forgetQuiescence()
    }
    kernel.resume(tracee)
  }
}

extension TimedWaits {
  /// Returns whether the call that a thread is about to make closes a descriptor of an epoll set,
  /// which has no other end.
  private func closesEventSet(_ registers: Registers, _ tracee: Tracee) -> Bool {
    guard registers.systemCall == SystemCallNumber.close else { return false }
    let number = Int32(truncatingIfNeeded: registers[argument: 0])
    return DescriptorTable(of: tracee)[number] == .anonymous("[eventpoll]")
  }
}

/// Calls that wake no other thread, by what they are or by what they return.
enum HarmlessCall {
  /// Returns whether the call that a thread is about to make may prove to wake no thread.
  static func mayBeFollowed(_ entry: Registers) -> Bool {
    switch entry.systemCall {
    case SystemCallNumber.futex: isWake(entry)
    default: quiet.contains(entry.systemCall)
    }
  }

  /// Returns whether the call that a thread has made has woken no thread.
  static func wakesNobody(_ exit: Registers) -> Bool {
    switch exit.systemCall {
    case SystemCallNumber.futex: exit.result == 0
    // A read of bytes makes room for a writer; one that finds nothing does not.
    case SystemCallNumber.read: exit.result == -KernelError.again
    default: true
    }
  }

  /// Returns whether a call is FUTEX_WAKE or FUTEX_WAKE_BITSET, which return the number of threads
  /// that they have woken (futex(2)).
  private static func isWake(_ registers: Registers) -> Bool {
    let operation = registers[argument: 1] & 127
    return operation == 1 || operation == 10
  }

  private static let quiet: Set<Int> = {
    let names = [
      "brk", "epoll_create", "epoll_create1", "fstat", "getpid", "getppid", "getrandom",
      "getrusage", "gettid", "getuid", "lseek", "lstat", "madvise", "mmap", "mprotect", "munmap",
      "newfstatat", "read", "rt_sigaction", "rt_sigprocmask", "stat", "statx", "uname",
    ]
    return Set(names.compactMap { SystemCallTable.current.number(of: $0) })
  }()
}
