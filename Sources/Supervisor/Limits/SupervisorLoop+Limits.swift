internal import CSupervisor
internal import Glibc
internal import ScenarioModel

// Memory and descriptors are limited by the kernel, in each process by itself: RLIMIT_DATA counts the private
// writable mappings of a process (mmap, brk, mremap, mprotect) and RLIMIT_NOFILE bounds its descriptors
// (getrlimit(2)). RLIMIT_NPROC counts all processes of a user and none of root's, so those of the target are
// counted here.

extension SupervisorLoop {
  // MARK: - Raising limits

  /// Which calls must be seen for the sake of limits.
  static func filterRules(for limits: TargetLimits) -> [Int: FilterRule] {
    var rules = LimitedCalls.filterRules(for: limits)
    let resources = LimitedResource.all(in: limits).map { UInt32($0.number) }
    if !resources.isEmpty {
      rules[SystemCallNumber.setrlimit] = .traceIfAmong([
        ArgumentValues(argument: 0, values: resources)
      ])
      rules[SystemCallNumber.prlimit64] = .traceIfAmong([
        ArgumentValues(argument: 1, values: resources)
      ])
    }
    if limits.processes != nil {
      for number in SystemCallNumber.births + SystemCallNumber.ends { rules[number] = .trace }
    }
    return rules
  }

  /// Lets a limit be set that is no wider than the scenario's; root's process could widen it.
  func setLimit(for tracee: Tracee, _ registers: Registers) {
    let isOwn = registers.systemCall == SystemCallNumber.setrlimit
    let number = Int32(truncatingIfNeeded: registers[argument: isOwn ? 0 : 1])
    let place = registers[argument: isOwn ? 1 : 2]
    guard let limits = configuration.limits,
      let resource = LimitedResource.all(in: limits).first(where: { $0.number == number }),
      place != 0, let memory = tracee.process.memory,
      let current = memory.read(UInt64.self, at: place),
      let maximum = memory.read(UInt64.self, at: place &+ 8),
      // The kernel finds that to be invalid before it looks whether it is permitted.
      current <= maximum, maximum > resource.limit
    else { return resume(tracee) }
    var changed = registers
    changed.skipSystemCall(returning: -Int(EPERM))
    finish(tracee, with: changed)
  }

  // MARK: - Processes and threads

  /// A thread is about to make another one, or a process: true if it may.
  func admitsBirth(by tracee: Tracee, _ registers: Registers) -> Bool {
    guard let limit = configuration.limits?.processes else { return true }
    // One that has failed for another reason is over.
    birthsUnderWay.remove(tracee.identifier)
    guard liveThreadCount + birthsUnderWay.count < limit else {
      strike(.processes, limit, by: tracee, registers.systemCall)
      var changed = registers
      changed.skipSystemCall(returning: -Int(EAGAIN))
      finish(tracee, with: changed)
      return false
    }
    birthsUnderWay.insert(tracee.identifier)
    return true
  }

  /// How many threads live: those that are on their way out are not counted, as who waits for them may be
  /// woken before they are gone.
  private var liveThreadCount: Int {
    tracees.count - leavingThreads.count
  }

  /// A thread ends itself, or its whole process.
  func noteLeaving(of tracee: Tracee, _ registers: Registers) {
    if registers.systemCall == SystemCallNumber.exitGroup {
      leavingThreads.formUnion(tracee.process.threads)
    } else {
      leavingThreads.insert(tracee.identifier)
    }
    resume(tracee)
  }

  // MARK: - Too little to start with

  /// A process has ended: tells if the target has not even come to its own code, for want of what limits allow.
  func noteEndBeforeEntry(of process: TargetProcess) {
    guard let limits = configuration.limits, !process.hasEntered, !process.isDoomed, !isStopping,
      targets.begun(by: process.identifier) != nil,
      !pendingLaunches.contains(where: { $0.process == process.identifier })
    else { return }
    report(
      .limitsTooSmall(
        process: process.identifier.number, program: process.programName, limits: limits.summary))
  }
}

/// A limit that the kernel keeps.
struct LimitedResource {
  /// The number by which getrlimit(2) knows it.
  var number: Int32
  /// The limit.
  var limit: UInt64

  /// Those that a scenario sets.
  static func all(in limits: TargetLimits) -> [LimitedResource] {
    [
      limits.memory.map { LimitedResource(number: 2, limit: UInt64($0)) },
      limits.files.map { LimitedResource(number: 7, limit: UInt64($0)) },
    ].compactMap { $0 }
  }
}
