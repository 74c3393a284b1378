/// Which calls a scenario's world needs to see.
enum FilterRules {
  /// The rules, by system call number.
  static func rules(
    for configuration: SupervisorConfiguration, faults: FaultInjector
  ) -> [Int: FilterRule] {
    // io_uring makes system calls without the filter seeing them; programs fall back without it.
    var rules: [Int: FilterRule] = [SystemCall.ioUringSetup: .refuse(KernelError.notSupported)]
    if configuration.clock != nil {
      rules.merge(time) { _, new in new }
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
    SystemCall.clockGettime: .traceClockRead,
    SystemCall.gettimeofday: .trace,
    SystemCall.time: .trace,
    SystemCall.nanosleep: .trace,
    SystemCall.clockNanosleep: .trace,
    SystemCall.futex: .traceTimedFutex,
    SystemCall.poll: .traceIfPositive(argument: 2),
    SystemCall.ppoll: .traceIfPointer(argument: 2),
    SystemCall.select: .traceIfPointer(argument: 4),
    SystemCall.pselect6: .traceIfPointer(argument: 4),
    SystemCall.epollWait: .traceIfPositive(argument: 3),
    SystemCall.epollPwait: .traceIfPositive(argument: 3),
    SystemCall.epollPwait2: .traceIfPointer(argument: 3),
  ]

  private static let network: [Int: FilterRule] = [
    SystemCall.connect: .trace,
    SystemCall.sendto: .traceIfPointer(argument: 4),
    SystemCall.sendmsg: .trace,
    SystemCall.sendmmsg: .trace,
  ]

  private static let files: [Int: FilterRule] = [
    SystemCall.open: .trace,
    SystemCall.openat: .trace,
    SystemCall.openat2: .trace,
  ]
}
