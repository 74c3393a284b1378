internal import Glibc

/// Keeps processes accessible to the supervisor, and answers calls by which they would trace each
/// other or make calls unseen.
final class TracedProcesses: Interceptor {
  private unowned let kernel: any TraceKernel

  let calls: Set<Int>? = Set([
    SystemCallNumber.ptrace, SystemCallNumber.ioUringSetup, SystemCallNumber.prctl,
  ]).union(CredentialCalls.numbers)
  let filterRules: [Int: FilterRule]

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - isAsking: true if the calls are to be seen; false if they are answered where they are seen anyway.
  init(kernel: any TraceKernel, isAsking: Bool) {
    self.kernel = kernel
    let rules: [Int: FilterRule] = [
      SystemCallNumber.ioUringSetup: .trace,
      SystemCallNumber.ptrace: .traceIfAmong([
        ArgumentValues(argument: 0, values: TraceRequest.beginnings)
      ]),
    ]
    filterRules = isAsking ? rules.merging(DumpableFlag.filterRules) { $0.or($1) } : [:]
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.ptrace: reportTraceRequest(call)
    case SystemCallNumber.ioUringSetup: refuseRing(call)
    case SystemCallNumber.prctl: answerDumpableFlag(call)
    default: keepOpen(call)
    }
  }

  /// A program wants to trace a process of the tree; the kernel refuses, as for whatever is traced.
  private func reportTraceRequest(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    kernel.notice(
      "\"\(process.programName)\" tries to trace a process: a process can have only one tracer, so"
        + " debuggers and strace cannot work inside a scenario", of: process)
    return .proceed
  }

  /// Refuses an io_uring to a program, as a kernel without does.
  ///
  /// An io_uring makes system calls that no filter sees, and waits that could not be ended.
  /// Programs look for one and do without (io_uring_setup(2): ENOSYS).
  private func refuseRing(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    kernel.notice(
      "\"\(process.programName)\" requests an io_uring, which is refused: its calls would bypass"
        + " control, so io_uring_setup fails with ENOSYS", of: process)
    return .skip(result: -Int(KernelError.notSupported))
  }

  /// Answers calls that clear or read a process's dumpable flag, which the supervisor needs.
  private func answerDumpableFlag(_ call: InterceptedCall) -> CallDisposition {
    let operation = UInt32(truncatingIfNeeded: call.registers[argument: 0])
    let process = call.tracee.process
    // Who watches prctl(2) for another reason sees what is none of this as well.
    guard DumpableFlag.mustBeKept, DumpableFlag.operations.contains(operation) else {
      return .proceed
    }
    if operation == DumpableFlag.get {
      return .skip(result: Int(truncatingIfNeeded: process.program.dumpableFlag))
    }
    // The kernel takes these two from programs, and no others.
    let value = call.registers[argument: 1]
    guard value == DumpableFlag.off || value == DumpableFlag.on else {
      return .skip(result: -Int(EINVAL))
    }
    process.program.dumpableFlag = value
    return .skip(result: 0)
  }

  /// A process becomes another user, and stays open to the supervisor: it gets back the flag that the kernel takes.
  private func keepOpen(_ call: InterceptedCall) -> CallDisposition {
    guard CredentialCalls.closeProcesses else { return .proceed }
    let tracee = call.tracee
    return .make(call.registers) { [unowned self] registers in
      // The thread has just made a call by this instruction.
      let instruction =
        registers.instructionPointer - UInt64(Architecture.systemCallInstruction.count)
      let arguments = [UInt64(DumpableFlag.set), DumpableFlag.on, 0, 0, 0, 0]
      _ = kernel.makeCall(
        SystemCallNumber.prctl, arguments, in: tracee, registers, at: instruction)
      kernel.sendPostponedSignals(to: tracee)
    }
  }
}

extension CloneFlags {
  /// The rules of calls that make a thread or a process which is not traced, or whose end a
  /// descriptor announces.
  static let filterRules: [Int: FilterRule] = [
    // clone3(2) has its flags in memory, where a filter does not see them.
    SystemCallNumber.clone: .traceIfAnySet(
      argument: 0, bits: untraced | descriptor),
    SystemCallNumber.clone3: .trace,
  ]
}

extension DumpableFlag {
  /// Calls by which a process closes its files of /proc to the supervisor.
  static var filterRules: [Int: FilterRule] {
    guard mustBeKept else { return [:] }
    var rules: [Int: FilterRule] = [
      SystemCallNumber.prctl: .traceIfAmong([
        ArgumentValues(argument: 0, values: operations)
      ])
    ]
    guard CredentialCalls.closeProcesses else { return rules }
    for number in CredentialCalls.numbers { rules[number] = .trace }
    return rules
  }
}
