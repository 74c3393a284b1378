/// Calls that may wake others: sleepers are examined again.
final class WakingCalls: Interceptor {
  private let waits: TimedWaits
  private let isVirtual: Bool

  // Which calls wake threads by their futexes, a filter says that some processes have for themselves.
  let calls: Set<Int>? = nil

  /// - Parameters:
  ///   - waits: the waits of those who sleep.
  ///   - isVirtual: true if time is other than the machine's.
  init(waits: TimedWaits, isVirtual: Bool) {
    self.waits = waits
    self.isVirtual = isVirtual
  }

  var filterRules: [Int: FilterRule] { isVirtual ? SignalSources.filterRules : [:] }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    waits.quiescence.recordSignalSource(call.registers)
    waits.recordFutexWake(call.registers, by: call.tracee)
    return .pass
  }
}
