internal import Glibc
internal import ScenarioModel

/// Limits what the target may have of memory, descriptors and processes.
///
/// Memory and descriptors are limited by the kernel, in each process by itself: RLIMIT_DATA counts the private
/// writable mappings of a process (mmap, brk, mremap, mprotect) and RLIMIT_NOFILE bounds its descriptors
/// (getrlimit(2)). RLIMIT_NPROC counts all processes of a user and none of root's, so those of the target are
/// counted here.
final class ResourceLimits: Interceptor {
  private unowned let kernel: any TraceKernel
  private let limits: TargetLimits
  private var statistics = LimitStatistics()
  /// Threads that are making a thread or a process.
  private var makers: Set<ThreadIdentifier> = []
  /// Threads that are about to end: who waits for them may be woken before they are gone.
  private var leavers: Set<ThreadIdentifier> = []

  init(kernel: any TraceKernel, limits: TargetLimits) {
    self.kernel = kernel
    self.limits = limits
  }

  /// The limits that calls have met.
  var accounts: [LimitAccount] { statistics.accounts }

  var filterRules: [Int: FilterRule] {
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

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let number = call.number
    if number == SystemCallNumber.setrlimit || number == SystemCallNumber.prlimit64 {
      return setLimit(call)
    }
    if limits.processes != nil {
      if SystemCallNumber.births.contains(number) { return admitBirth(call) }
      if SystemCallNumber.ends.contains(number) { return recordLeaving(call) }
    }
    return watch(call)
  }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    makers.remove(maker)
  }

  func threadEnded(_ thread: ThreadIdentifier) {
    makers.remove(thread)
    leavers.remove(thread)
  }

  // MARK: - Raising limits

  /// Admits a limit that is no wider than the scenario's; root's process could widen it.
  private func setLimit(_ call: InterceptedCall) -> CallDisposition {
    let isOwn = call.number == SystemCallNumber.setrlimit
    let number = call.integer(isOwn ? 0 : 1)
    let place = call.registers[argument: isOwn ? 1 : 2]
    guard let resource = LimitedResource.all(in: limits).first(where: { $0.number == number }),
      place != 0, let memory = call.tracee.process.memory,
      let current = memory.read(UInt64.self, at: place),
      let maximum = memory.read(UInt64.self, at: place &+ 8),
      // The kernel finds that to be invalid before it looks whether it is permitted.
      current <= maximum, maximum > resource.limit
    else { return .proceed }
    return .skip(result: -Int(EPERM))
  }

  // MARK: - Processes and threads

  /// A thread is about to make another one, or a process, if it may.
  private func admitBirth(_ call: InterceptedCall) -> CallDisposition {
    guard let limit = limits.processes else { return .pass }
    let maker = call.tracee.identifier
    // One that has failed for another reason is over.
    makers.remove(maker)
    guard kernel.tracees.count - leavers.count + makers.count < limit else {
      strike(.processes, limit, in: call.tracee.process, call.number)
      return .skip(result: -Int(EAGAIN))
    }
    makers.insert(maker)
    return .watch { [self] _ in makers.remove(maker) }
  }

  /// A thread ends itself, or its whole process.
  private func recordLeaving(_ call: InterceptedCall) -> CallDisposition {
    if call.number == SystemCallNumber.exitGroup {
      leavers.formUnion(call.tracee.process.threads)
    } else {
      leavers.insert(call.tracee.identifier)
    }
    return .pass
  }

  // MARK: - Memory and descriptors

  /// Counts a failure of a call that a limit may make fail.
  private func watch(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    guard process.hasEntered, let limited = limitedCall(call) else { return .pass }
    return .watch { [self] exit in
      guard let exit, exit.systemCall == limited.number else { return }
      judge(limited, exit, in: process)
    }
  }

  private func limitedCall(_ call: InterceptedCall) -> LimitedCall? {
    let registers = call.registers
    let number = call.number
    if limits.memory != nil, LimitedCalls.ofMemory.contains(number) {
      let bytes: UInt64 =
        switch number {
        case SystemCallNumber.brk: registers[argument: 0]
        case LimitedCalls.mremap:
          registers[argument: 2] &- min(registers[argument: 1], registers[argument: 2])
        default: registers[argument: 1]
        }
      return LimitedCall(number: number, resource: .memory, bytes: bytes)
    }
    guard limits.files != nil, LimitedCalls.ofFiles.contains(number) else { return nil }
    return LimitedCall(number: number, resource: .files, bytes: 0)
  }

  private func judge(_ call: LimitedCall, _ exit: Registers, in process: TargetProcess) {
    switch call.resource {
    case .memory:
      guard let limit = limits.memory, lacksMemory(call, exit, of: process, limit) else { return }
      strike(.memory, limit, in: process, call.number)
    case .files:
      guard let limit = limits.files, exit.result == -Int(EMFILE),
        Self.limit("Max open files", of: process) == UInt64(limit)
      else { return }
      strike(.files, limit, in: process, call.number)
    case .processes:
      break
    }
  }

  /// A call has failed at a limit.
  private func strike(
    _ resource: LimitAccount.Resource, _ limit: Int, in process: TargetProcess, _ number: Int
  ) {
    let call = SystemCallTable.current.name(of: number)
    let isNews = statistics.strike(
      resource, limit: limit, by: call, in: process.programName, process: process.ordinal)
    guard isNews else { return }
    kernel.report(
      .limitStruck(
        process: process.identifier.number,
        LimitAccount(
          resource: resource, limit: limit, struck: 1, systemCall: call,
          program: process.programName)))
  }

  /// Returns whether a call has failed because its process has as much memory as it may have.
  ///
  /// ENOMEM has other reasons as well (mmap(2)), and brk(2) of the kernel returns the break that stays.
  private func lacksMemory(
    _ call: LimitedCall, _ registers: Registers, of process: TargetProcess, _ limit: Int
  ) -> Bool {
    var wanted = call.bytes
    if call.number == SystemCallNumber.brk {
      let current = UInt64(bitPattern: Int64(registers.result))
      guard call.bytes > current else { return false }
      wanted = call.bytes - current
    } else {
      guard registers.result == -Int(ENOMEM) else { return false }
    }
    guard Self.limit("Max data size", of: process) == UInt64(limit) else { return false }
    let page: UInt64 = 4_096
    let (rounded, overflow) = wanted.addingReportingOverflow(page - 1)
    guard !overflow, let used = Self.dataBytes(of: process) else { return true }
    let (sum, exceeds) = used.addingReportingOverflow(rounded / page * page)
    return exceeds || sum > UInt64(limit)
  }

  /// Returns the memory that counts for RLIMIT_DATA, in bytes: `VmData` (proc_pid_status(5)).
  private static func dataBytes(of process: TargetProcess) -> UInt64? {
    let path = "/proc/\(process.identifier.number)/status"
    guard let text = SmallFile.read(path),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmData:") }),
      let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    else { return nil }
    return UInt64(kibibytes).map { $0 << 10 }
  }

  /// The limit that holds for a process, which may have lowered its own (proc_pid_limits(5)).
  private static func limit(_ name: String, of process: TargetProcess) -> UInt64? {
    let text = SmallFile.read("/proc/\(process.identifier.number)/limits")
    let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.utf8.count).split(separator: " ").first.flatMap { UInt64($0) }
  }
}

/// A limit that the kernel keeps.
struct LimitedResource {
  /// The number by which getrlimit(2) knows it.
  var number: Int32
  /// The limit.
  var limit: UInt64

  /// Returns the resources that a scenario limits.
  static func all(in limits: TargetLimits) -> [LimitedResource] {
    [
      limits.memory.map { LimitedResource(number: 2, limit: UInt64($0)) },
      limits.files.map { LimitedResource(number: 7, limit: UInt64($0)) },
    ].compactMap { $0 }
  }
}
