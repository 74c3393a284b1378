internal import CSupervisor

/// What is known of the tree since everything was last seen asleep.
///
/// A look at every thread costs as much as there are threads. Where only one thread has run since, and has
/// made no call that could wake another, all others still sleep.
struct QuiescenceSnapshot {
  /// The thread that was woken since; `nil` if none was.
  var runner: Tracee?
  /// How often each companion had been given a processor.
  var externalRuns: [UInt64]
  /// Those whom the end of a thread may wake.
  var onlookers: [Onlooker] = []
  /// The thread that makes its last call, and of whose end nobody has heard.
  var leaver: Tracee?
  /// Whether a thread has made its last call since the onlookers were seen asleep.
  var mayHaveWokenOnlookers = false

  /// What a look has found.
  enum Look {
    case asleep
    case awake
    /// Every thread must be looked at.
    case unknown
  }
}

extension TracerLoop {
  /// Whether everything sleeps, where it is known who may have run since everything slept.
  func look(since quiescence: QuiescenceSnapshot) -> QuiescenceSnapshot.Look {
    guard quiescence.leaver == nil else { return .awake }
    if let runner = quiescence.runner {
      // At first it has hardly begun to fall asleep.
      guard runner.isHeld else {
        // It waits in a call that nobody watches, such as a read from a pipe.
        return isIdle && runner.isSeenAsleep ? .unknown : .awake
      }
      guard runner.sleepsInWatchedCall(thoroughly: isIdle) else { return .awake }
    }
    if quiescence.mayHaveWokenOnlookers {
      let look = lookAtOnlookers(since: quiescence)
      guard case .asleep = look else { return look }
    } else if quiescence.runner == nil {
      return .unknown
    }
    return externalParticipantsAreQuiescent(since: quiescence) ? .asleep : .awake
  }

  /// Whether no companion has run since everything slept, and nobody wants anything.
  func externalParticipantsAreQuiescent(since quiescence: QuiescenceSnapshot) -> Bool {
    for (sampler, runs) in zip(externalProbes, quiescence.externalRuns)
    where sampler.runCount() != runs {
      forgetQuiescence()
      return false
    }
    return mailbox.isEmpty
  }

  /// Anybody may run from here.
  func forgetQuiescence() {
    guard let runner = quiescence?.runner else {
      quiescence = nil
      return
    }
    runner.following = nil
    quiescence = nil
  }

  /// A wait is over: if its thread alone has been woken, what it does next is looked at.
  func follow(_ tracee: Tracee) {
    // Two stops for a call are dearer than a look at a few threads.
    let calls = min(tracees.count / Self.threadsPerCall, Self.followedCalls)
    guard calls > 0, quiescence?.runner === tracee else { return forgetQuiescence() }
    tracee.following = Tracee.Following(callsLeft: calls)
  }

  /// How many looks at a thread cost as much as one call that is followed.
  static let threadsPerCall = 3
  /// How many calls between two waits are followed at most.
  static let followedCalls = 16

  /// A thread that is followed stands at the entry or the exit of a call.
  func handleFollowedCall(of tracee: Tracee) {
    guard var following = tracee.following,
      let registers = try? Registers.read(from: tracee.identifier)
    else { return }
    if following.isInCall {
      following.isInCall = false
      tracee.following = following
      if !HarmlessCall.wakesNobody(registers) { forgetQuiescence() }
      return resume(tracee)
    }
    // Made untimed here, the next wait does not stop once more for the filter.
    if let decoder = decoder(for: tracee),
      case .wait(let wait, let untimed)? = decoder.decide(registers)
    {
      tracee.following = nil
      tracee.interruptedWait = nil
      return begin(wait, of: tracee, untimed: untimed)
    }
    if beginJoin(registers, of: tracee) || beginEnd(registers, of: tracee) { return }
    following.callsLeft -= 1
    following.isInCall = true
    tracee.following = following
    if following.callsLeft < 0
      || !(HarmlessCall.mayBeFollowed(registers) || closesEventSet(registers, tracee))
    {
      forgetQuiescence()
    }
    resume(tracee)
  }
}

extension TracerLoop {
  /// Whether the call that a thread is about to make closes a descriptor of an epoll set: there is nobody at its other
  /// end.
  private func closesEventSet(_ registers: Registers, _ tracee: Tracee) -> Bool {
    guard registers.systemCall == SystemCallNumber.close else { return false }
    let number = Int32(truncatingIfNeeded: registers[argument: 0])
    return DescriptorTable(of: tracee)[number] == .anonymous("[eventpoll]")
  }
}

/// Calls that wake no other thread, by what they are or by what they return.
enum HarmlessCall {
  /// Whether it may turn out so that the call that a thread is about to make wakes nobody.
  static func mayBeFollowed(_ entry: Registers) -> Bool {
    switch entry.systemCall {
    case SystemCallNumber.futex: isWake(entry)
    default: quiet.contains(entry.systemCall)
    }
  }

  /// Whether the call that a thread has made has woken nobody.
  static func wakesNobody(_ exit: Registers) -> Bool {
    switch exit.systemCall {
    case SystemCallNumber.futex: exit.result == 0
    // A read of bytes makes room for a writer; one that finds nothing does not.
    case SystemCallNumber.read: exit.result == -KernelError.again
    default: true
    }
  }

  /// FUTEX_WAKE and FUTEX_WAKE_BITSET: they tell how many they have woken (futex(2)).
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
