/// A stage on a call's way whose state the loop holds.
final class LoopStage: Interceptor {
  /// What it does.
  let name: String
  let calls: Set<Int>?
  let filterRules: [Int: FilterRule] = [:]
  private let body: (InterceptedCall) -> Bool

  /// - Parameter body: whether it has dealt with the thread, so that nothing is left to do.
  init(_ name: String, calls: Set<Int>? = nil, _ body: @escaping (InterceptedCall) -> Bool) {
    self.name = name
    self.calls = calls
    self.body = body
  }

  func enter(_ call: InterceptedCall) -> CallDisposition { body(call) ? .taken : .pass }
}
