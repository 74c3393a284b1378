internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// A call that a limit may let fail.
struct LimitedCall {
  /// Its number.
  var number: Int
  /// What is limited that it wants.
  var resource: LimitAccount.Resource
  /// How much memory it wants: bytes, or for brk(2) the new break.
  var bytes: UInt64
}

/// The calls that fail where a limit is met.
enum LimitedCalls {
  private static func numbers(_ names: [String]) -> [Int] {
    names.compactMap { SystemCallTable.current.number(of: $0) }
  }

  /// mremap(2).
  static let mremap = SystemCallTable.current.number(of: "mremap") ?? -1

  /// Those that take memory (getrlimit(2), RLIMIT_DATA).
  static let ofMemory = Set(numbers(["mmap", "brk", "mremap", "mprotect", "pkey_mprotect"]))

  /// Those that make a descriptor, or fail with EMFILE; timerfd_create(2) is the supervisor's own matter.
  static let ofFiles = Set(
    numbers([
      "open", "openat", "openat2", "creat", "socket", "socketpair", "pipe", "pipe2", "dup", "fcntl",
      "accept", "accept4", "epoll_create", "epoll_create1", "eventfd", "eventfd2", "signalfd",
      "signalfd4", "inotify_init", "inotify_init1", "memfd_create", "pidfd_open",
    ]))

  /// Those of them that are nothing else's matter.
  static let plain = Set(
    numbers([
      "brk", "mremap", "mprotect", "pkey_mprotect", "mmap", "creat", "socketpair", "pipe", "pipe2",
      "dup", "fcntl", "epoll_create", "epoll_create1", "eventfd", "eventfd2", "signalfd",
      "signalfd4", "inotify_init", "inotify_init1", "memfd_create", "pidfd_open",
    ]))

  /// What a filter must show of them.
  static func filterRules(for limits: TargetLimits) -> [Int: FilterRule] {
    var rules: [Int: FilterRule] = [:]
    if limits.memory != nil { for number in ofMemory { rules[number] = .trace } }
    guard limits.files != nil else { return rules }
    for number in ofFiles { rules[number] = .trace }
    if let fcntl = numbers(["fcntl"]).first {
      rules[fcntl] = .traceIfAmong([
        ArgumentValues(argument: 1, values: [UInt32(F_DUPFD), duplicateClosing])
      ])
    }
    return rules
  }

  /// F_DUPFD_CLOEXEC of `linux/fcntl.h`.
  private static let duplicateClosing: UInt32 = 1_030
}

extension SupervisorLoop {
  /// A thread is about to make a call that is not skipped: its result is looked at if a limit may let it fail.
  func watchLimits(before registers: Registers, of tracee: Tracee) {
    tracee.limitedCall = nil
    guard let limits = configuration.limits, tracee.process.hasEntered else { return }
    let number = registers.systemCall
    if limits.memory != nil, LimitedCalls.ofMemory.contains(number) {
      let bytes: UInt64 =
        switch number {
        case SystemCallNumber.brk: registers[argument: 0]
        case LimitedCalls.mremap:
          registers[argument: 2] &- min(registers[argument: 1], registers[argument: 2])
        default: registers[argument: 1]
        }
      tracee.limitedCall = LimitedCall(number: number, resource: .memory, bytes: bytes)
    } else if limits.files != nil, LimitedCalls.ofFiles.contains(number) {
      tracee.limitedCall = LimitedCall(number: number, resource: .files, bytes: 0)
    }
  }

  /// Such a call is over, or another stop has come.
  func endLimitedCall(of tracee: Tracee) {
    guard let call = tracee.limitedCall else { return }
    guard let registers = try? Registers.read(from: tracee.identifier),
      registers.systemCall == call.number
    else {
      tracee.limitedCall = nil
      return
    }
    // At the entry of a call the result is this.
    guard registers.result != -KernelError.notSupported else { return }
    tracee.limitedCall = nil
    guard let limits = configuration.limits else { return }
    switch call.resource {
    case .memory:
      guard let limit = limits.memory, lacksMemory(call, registers, of: tracee, limit) else {
        return
      }
      strike(.memory, limit, by: tracee, call.number)
    case .files:
      guard let limit = limits.files, registers.result == -Int(EMFILE),
        Self.limit("Max open files", of: tracee.process) == UInt64(limit)
      else { return }
      strike(.files, limit, by: tracee, call.number)
    case .processes:
      break
    }
  }

  /// A call has failed at a limit.
  func strike(
    _ resource: LimitAccount.Resource, _ limit: Int, by tracee: Tracee, _ number: Int
  ) {
    let process = tracee.process
    let call = SystemCallTable.current.name(of: number)
    let isNews = limitLedger.strike(
      resource, limit: limit, by: call, in: process.programName, process: process.ordinal)
    guard isNews else { return }
    report(
      .limitStruck(
        process: process.identifier.number,
        LimitAccount(
          resource: resource, limit: limit, struck: 1, systemCall: call,
          program: process.programName)))
  }

  /// Whether a call has failed because its process has as much memory as it may have.
  ///
  /// ENOMEM has other reasons as well (mmap(2)), and brk(2) of the kernel returns the break that stays.
  private func lacksMemory(
    _ call: LimitedCall, _ registers: Registers, of tracee: Tracee, _ limit: Int
  ) -> Bool {
    var wanted = call.bytes
    if call.number == SystemCallNumber.brk {
      let current = UInt64(bitPattern: Int64(registers.result))
      guard call.bytes > current else { return false }
      wanted = call.bytes - current
    } else {
      guard registers.result == -Int(ENOMEM) else { return false }
    }
    guard Self.limit("Max data size", of: tracee.process) == UInt64(limit) else { return false }
    let page: UInt64 = 4_096
    let (rounded, overflow) = wanted.addingReportingOverflow(page - 1)
    guard !overflow, let used = Self.dataBytes(of: tracee.process) else { return true }
    let (sum, exceeds) = used.addingReportingOverflow(rounded / page * page)
    return exceeds || sum > UInt64(limit)
  }

  /// How much memory counts for RLIMIT_DATA: `VmData` (proc_pid_status(5)).
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
