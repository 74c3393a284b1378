/// Calls by which threads turn in circles: reads of the clock, and yields.
final class SpinCalls: Interceptor {
  private let spinners: SpinDetector

  let calls: Set<Int>? = [
    SystemCallNumber.clockGettime, SystemCallNumber.gettimeofday, SystemCallNumber.time,
    SystemCallNumber.schedYield,
  ]
  let filterRules: [Int: FilterRule]

  /// - Parameters:
  ///   - spinners: holds the threads.
  ///   - holdsYields: true if a thread that yields may be held; where time flows none need be, and a yield shall cost
  ///     nothing.
  init(spinners: SpinDetector, holdsYields: Bool) {
    self.spinners = spinners
    var rules: [Int: FilterRule] = [
      SystemCallNumber.clockGettime: .traceClockRead,
      SystemCallNumber.gettimeofday: .trace,
      SystemCallNumber.time: .trace,
    ]
    if holdsYields { rules[SystemCallNumber.schedYield] = .trace }
    filterRules = rules
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    if call.number == SystemCallNumber.schedYield {
      spinners.handleYield(of: call.tracee, call.registers)
    } else {
      spinners.handleClockRead(of: call.tracee, call.registers)
    }
    return .taken
  }

  func threadEnded(_ thread: ThreadIdentifier) { spinners.forget(thread) }
}
