internal import ScenarioModel
internal import ScenarioPlan

/// Which calls a scenario's world needs to see.
enum FilterRules {
  /// The rules, by system call number.
  static func rules(
    for configuration: SupervisorConfiguration, faults: FaultInjector
  ) -> [Int: FilterRule] {
    // io_uring makes system calls without the filter seeing them; programs fall back without it.
    var rules: [Int: FilterRule] = [
      SystemCallNumber.ioUringSetup: .refuse(KernelError.notSupported),
      // clone3(2) has its flags in memory, where a filter does not see them.
      SystemCallNumber.clone: .traceIfAnyBit(argument: 0, mask: CloneFlags.untraced),
      SystemCallNumber.clone3: .trace,
    ]
    if configuration.clock != nil {
      rules.merge(time) { _, new in new }
      // Where time flows nobody need be held, and a yield shall cost nothing.
      if configuration.clock?.flow != .real { rules[SystemCallNumber.schedYield] = .trace }
    }
    if configuration.router != nil {
      rules.merge(network) { _, new in new }
    }
    if configuration.fileReplacement != nil {
      rules.merge(files) { _, new in new }
    }
    for number in faults.systemCalls {
      rules[number] = .trace
    }
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
  ]

  private static let network: [Int: FilterRule] = [
    SystemCallNumber.connect: .trace,
    SystemCallNumber.sendto: .traceIfPointer(argument: 4),
    SystemCallNumber.sendmsg: .trace,
    SystemCallNumber.sendmmsg: .trace,
  ]

  private static let files: [Int: FilterRule] = [
    SystemCallNumber.open: .trace,
    SystemCallNumber.openat: .trace,
    SystemCallNumber.openat2: .trace,
  ]
}
