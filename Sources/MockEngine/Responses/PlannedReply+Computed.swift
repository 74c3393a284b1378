internal import Foundations
package import ScenarioPlan

extension PlannedReply {
  /// Returns the reply with the status and the delay that a request gives it.
  ///
  /// - Parameters:
  ///   - use: the number of the request among those that the reply's entry answers, from 1: chance
  ///     decides by it, and by the seed.
  ///   - scope: what its expressions may ask.
  /// - Throws: `RunScopeError` if an expression has no value, or one that cannot stand there.
  package func settled(use: Int, in scope: some RunScope) throws(RunScopeError) -> PlannedReply {
    guard let computation else { return self }
    var reply = self
    reply.computation = nil
    if let status = computation.status {
      reply.status = try status.value(in: scope) { text throws(ValueGrammarError) in
        try PlannedReplyComputation.status(of: text)
      }
    }
    if let delay = computation.delay { reply.delay = try delay.length(use: use, in: scope) }
    return reply
  }
}

extension PlannedReplyComputation.Delay {
  /// Returns the length for one use of what it delays.
  ///
  /// - Throws: `RunScopeError` if an expression has no value, or one that is no duration.
  func length(use: Int, in scope: some RunScope) throws(RunScopeError) -> Nanoseconds {
    switch self {
    case .computed(let part):
      try part.value(in: scope) { text throws(ValueGrammarError) in
        try PlannedReplyComputation.delay(of: text)
      }
    case .drawn(let distribution, let seed): distribution.delay(ofUse: use, seed: seed)
    }
  }
}

extension PlannedReplyComputation.Part {
  fileprivate func value<Value>(
    in scope: some RunScope, _ read: (String) throws(ValueGrammarError) -> Value
  ) throws(RunScopeError) -> Value {
    let text = try self.text.resolve(in: scope)
    do throws(ValueGrammarError) {
      return try read(text)
    } catch {
      throw RunScopeError(error.message, at: range, help: error.help)
    }
  }
}
