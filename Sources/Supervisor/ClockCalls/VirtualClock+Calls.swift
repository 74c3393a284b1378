internal import CSupervisor
internal import Foundations
internal import Glibc

extension VirtualClock {
  /// Answers clock_gettime, gettimeofday and time as the replacement vDSO would; returns the result.
  func answer(_ tracee: Tracee, _ registers: Registers) -> Int {
    guard let memory = tracee.process.memory else { return -KernelError.badAddress }
    let real = RealClock.monotonic()
    let number = tracee.process.wall(on: self)
    let wall = self.wall(of: number, real: real)
    switch registers.systemCall {
    case SystemCallNumber.time:
      let address = registers[argument: 0]
      guard address == 0 || memory.writeAsKernel(wall.seconds, at: address) else {
        return -KernelError.badAddress
      }
      return Int(wall.seconds)
    case SystemCallNumber.gettimeofday:
      var time = TimeValue(wall)
      time.fraction /= 1_000
      let isWritten =
        (registers[argument: 0] == 0 || memory.writeAsKernel(time, at: registers[argument: 0]))
        && (registers[argument: 1] == 0
          || memory.writeAsKernel(UInt64(0), at: registers[argument: 1]))
      return isWritten ? 0 : -KernelError.badAddress
    default:
      let time: TimeValue
      switch ClockKind(number: registers[argument: 0]) {
      case .realtime: time = TimeValue(wall)
      case .internationalAtomic:
        time = TimeValue(atomic(of: number, real: real) + .seconds(ClockKind.atomicOffset))
      case .boottime: time = TimeValue(boot(real: real))
      case .monotonic, nil: time = TimeValue(monotonic(real: real))
      }
      return memory.writeAsKernel(time, at: registers[argument: 1]) ? 0 : -KernelError.badAddress
    }
  }
}
