internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// Which calls a scenario's world needs to see.
enum FilterRules {
  /// The rules, by system call number.
  static func rules(
    for configuration: SupervisorConfiguration, interceptors: Interceptors,
    faults: FaultRules, disks: DiskWatch? = nil
  ) -> [Int: FilterRule] {
    guard configuration.changesWorld else { return interceptors.filterRules }
    return world(of: configuration, faults, disks).merging(interceptors.filterRules) { $0.or($1) }
  }

  /// The rules of a world that is not the machine's own.
  private static func world(
    of configuration: SupervisorConfiguration, _ faults: FaultRules, _ disks: DiskWatch?
  ) -> [Int: FilterRule] {
    var rules: [Int: FilterRule] = [
      SystemCallNumber.ioUringSetup: .trace,
      SystemCallNumber.execve: .trace,
      SystemCallNumber.execveat: .trace,
      SystemCallNumber.ptrace: .traceIfAmong([
        ArgumentValues(argument: 0, values: TraceRequest.beginnings)
      ]),
    ]
    rules.merge(CloneFlags.filterRules) { _, new in new }
    rules.merge(DumpableFlag.filterRules) { _, new in new }
    if configuration.clock != nil {
      rules.merge(time) { _, new in new }
      rules.merge(SignalSources.filterRules) { $0.or($1) }
      // Where time flows nobody need be held, and a yield shall cost nothing.
      if configuration.clock?.flow != .real { rules[SystemCallNumber.schedYield] = .trace }
    }
    if let router = configuration.router {
      if router.confines {
        rules[SystemCallNumber.socket] = .refuseForeignSockets
        rules[SystemCallNumber.setsockopt] = .answerPathOptions(
          otherwise: rules[SystemCallNumber.setsockopt])
      }
    }
    if configuration.watchesFunctions {
      rules[SystemCallNumber.mmap] = .traceIfAnySet(argument: 2, bits: UInt32(PROT_EXEC))
      rules[SystemCallNumber.getpid] = .traceIfAmong([
        ArgumentValues(argument: 0, values: [FunctionStub.cookie])
      ])
    }
    if let disks {
      rules[SystemCallNumber.ioSetup] = .trace
      rules.merge(disks.filterRules(faults.table.entries)) { $0.or($1) }
    }
    for number in faults.systemCallsOfCalls {
      rules[number] = .trace
    }
    if configuration.survey?.branches != nil { BranchCalls.add(to: &rules) }
    return rules
  }

  private static let time: [Int: FilterRule] = [
    SystemCallNumber.clockGettime: .traceClockRead,
    SystemCallNumber.gettimeofday: .trace,
    SystemCallNumber.time: .trace,
    SystemCallNumber.nanosleep: .trace,
    SystemCallNumber.clockNanosleep: .trace,
    SystemCallNumber.futex: .traceTimedFutex,
    SystemCallNumber.poll: .traceIfPositive(argument: 2),
    SystemCallNumber.ppoll: .traceIfPointer(argument: 2),
    SystemCallNumber.select: .traceIfPointer(argument: 4),
    SystemCallNumber.pselect6: .traceIfPointer(argument: 4),
    SystemCallNumber.epollWait: .traceIfPositive(argument: 3),
    SystemCallNumber.epollPwait: .traceIfPositive(argument: 3),
    SystemCallNumber.epollPwait2: .traceIfPointer(argument: 3),
    SystemCallNumber.schedSetaffinity: .trace,
    SystemCallNumber.schedGetaffinity: .trace,
    SystemCallNumber.futexWaitv: .traceIfPointer(argument: 3),
    SystemCallNumber.futexWait: .traceIfPointer(argument: 4),
    SystemCallNumber.mqTimedsend: .traceIfPointer(argument: 4),
    SystemCallNumber.mqTimedreceive: .traceIfPointer(argument: 4),
    SystemCallNumber.semtimedop: .traceIfPointer(argument: 3),
    SystemCallNumber.rtSigtimedwait: .traceIfPointer(argument: 2),
    SystemCallNumber.recvmmsg: .traceIfPointer(argument: 4),
    SystemCallNumber.recvfrom: .traceIfAnySet(argument: 3, bits: ReceiptOfAll.flag),
    SystemCallNumber.recvmsg: .traceIfAnySet(argument: 2, bits: ReceiptOfAll.flag),
    SystemCallNumber.ioGetevents: .traceIfPointer(argument: 4),
    SystemCallNumber.ioPgetevents: .traceIfPointer(argument: 4),
    SystemCallNumber.ioctl: .traceIfAmong([
      ArgumentValues(
        argument: 1, values: [TerminalRequest.unlock] + PacketTimes.requests.keys.sorted())
    ]),
    SystemCallNumber.setsockopt: .traceIfAmong(SocketTimeout.options).or(
      .traceIfAmong(PacketTimes.options)),
    SystemCallNumber.getsockopt: .traceIfAmong(SocketTimeout.options).or(
      .traceIfAmong(ConnectionTimes.options)),
  ]
}
