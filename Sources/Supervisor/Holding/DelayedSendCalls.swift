/// Calls by which packets, or news of them, come later than the call: quiescence waits for them.
final class DelayedSendCalls: Interceptor {
  private let waits: TimedWaits
  private(set) var seen = DelayedSends()

  let filterRules = DelayedSends.filterRules

  /// - Parameter waits: the waits of those who sleep.
  init(waits: TimedWaits) {
    self.waits = waits
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    record(DelayedSends(of: call.registers))
    return .pass
  }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? DelayedSendCalls else { return }
    record(trunk.seen)
  }

  private func record(_ kinds: DelayedSends) {
    guard !kinds.isEmpty else { return }
    seen.formUnion(kinds)
    waits.quiescence.recordDelayedSends(kinds)
  }
}
