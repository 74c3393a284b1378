/// The calls that no interceptor has taken and that are no timed waits: they are made as they are.
final class UntimedCalls: Interceptor {
  private let spinners: SpinDetector

  /// Calls that do something which others may see.
  private static let visible: Set<Int> = OpenCall.numbers.union([
    SystemCallNumber.connect, SystemCallNumber.sendto, SystemCallNumber.sendmsg,
    SystemCallNumber.sendmmsg, SystemCallNumber.getpeername,
    SystemCallNumber.schedSetaffinity, SystemCallNumber.schedGetaffinity,
  ])

  let calls: Set<Int>? = visible.union(PathQuery.pathArguments.keys)
    .union(SignalSources.filterRules.keys).union(CounterFlag.filterRules.keys)
  let filterRules: [Int: FilterRule] = [:]

  /// - Parameter spinners: counts the stops of which others may see anything.
  init(spinners: SpinDetector) {
    self.spinners = spinners
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    if !Self.visible.contains(call.number), SignalSources.effect(of: call.registers) == .none {
      spinners.discountStops(1)
    }
    return .proceed
  }
}
