/// Calls that may wake others, now or later: sleepers are examined again.
final class WakingCalls: Interceptor {
  private let waits: TimedWaits
  private let isVirtual: Bool
  /// True if a call has been made by which the kernel may send a signal later, unseen.
  private(set) var maySignalLater = false

  // Which calls wake threads by their futexes, a filter says that some processes have for themselves.
  let calls: Set<Int>? = nil

  /// - Parameters:
  ///   - waits: the waits of those who sleep.
  ///   - isVirtual: true if time is other than the machine's.
  init(waits: TimedWaits, isVirtual: Bool) {
    self.waits = waits
    self.isVirtual = isVirtual
  }

  var filterRules: [Int: FilterRule] {
    isVirtual ? SignalSources.filterRules : SignalSources.laterRules
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    if !maySignalLater {
      maySignalLater = SignalSources.maySignalLater(call.registers, keepsTime: isVirtual)
    }
    waits.quiescence.recordSignalSource(call.registers)
    waits.recordFutexWake(call.registers, by: call.tracee)
    return .pass
  }
}
