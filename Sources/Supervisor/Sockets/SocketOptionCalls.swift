/// Calls that set and read those options of sockets that are about time.
final class SocketOptionCalls: Interceptor {
  private unowned let sockets: SocketTimeouts
  private let times: ConnectionTimesReporter

  let calls: Set<Int>? = [SystemCallNumber.setsockopt, SystemCallNumber.getsockopt]
  let filterRules: [Int: FilterRule]

  /// - Parameters:
  ///   - sockets: who keeps timeouts.
  ///   - times: who knows what happened when on connections.
  ///   - isVirtual: true if time is other than the machine's.
  init(sockets: SocketTimeouts, times: ConnectionTimesReporter, isVirtual: Bool) {
    self.sockets = sockets
    self.times = times
    let timeouts = FilterRule.traceIfAmong(SocketTimeout.options)
    filterRules =
      isVirtual
      ? [
        SystemCallNumber.setsockopt: timeouts,
        SystemCallNumber.getsockopt: timeouts.or(.traceIfAmong(ConnectionTimes.options)),
      ] : [:]
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let isTimeout = call.registers.isAmong(SocketTimeout.options)
    if call.number == SystemCallNumber.setsockopt {
      guard isTimeout else { return .proceed }
      sockets.setTimeout(for: call.tracee, call.registers)
    } else if call.registers.isAmong(ConnectionTimes.options) {
      times.report(to: call.tracee, call.registers)
    } else if isTimeout {
      sockets.readTimeout(for: call.tracee, call.registers)
    } else {
      return .proceed
    }
    return .taken
  }
}
