internal import Foundations
internal import ScenarioModel
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
    if computation.isInBody == true { reply.body = try body.settled(use: use, in: scope) }
    if let fault = computation.fault {
      reply.fault = try fault.value(in: scope) { text throws(ValueGrammarError) in
        try PlannedReplyComputation.fault(of: text)
      }
      if let made = reply.fault { try reply.check(made, at: fault.range) }
    }
    return reply
  }

  /// Checks that a computed fault can befall the reply, as `check` does for one that is written out.
  private mutating func check(
    _ fault: ReplyFault, at range: SourceRange
  ) throws(RunScopeError) {
    guard fault.sendsReply else {
      body = .empty
      return
    }
    guard fault.needsBody else { return }
    switch body {
    case .empty:
      throw RunScopeError(
        "\"fault: \(fault.text)\" needs a body, but the reply has none", at: range)
    case .stream, .webSocket, .grpc, .graphQLStream, .handler:
      throw RunScopeError(
        "\"fault: \(fault.text)\" applies only to a body that is sent in one piece", at: range)
    default: break
    }
  }
}

extension PlannedReply.Body {
  /// The body with the delays, codes and statuses that a request gives it.
  fileprivate func settled(
    use: Int, in scope: some RunScope
  ) throws(RunScopeError) -> PlannedReply.Body {
    switch self {
    case .stream(let steps): return .stream(try Self.settled(steps, use: use, in: scope))
    case .webSocket(var steps):
      for index in steps.indices {
        if let delay = steps[index].computedDelay {
          steps[index].delay = try delay.length(use: use, in: scope)
        }
      }
      return .webSocket(steps)
    case .grpc(var call):
      call.messages = try Self.settled(call.messages, use: use, in: scope)
      for index in call.conversation.indices {
        guard let delay = call.conversation[index].computedDelay else { continue }
        call.conversation[index].delay = try delay.length(use: use, in: scope)
      }
      if let status = call.computedStatus {
        call.status = try status.value(in: scope) { text throws(ValueGrammarError) in
          try PlannedReplyComputation.callStatus(of: text)
        }
      }
      return .grpc(call)
    default: return self
    }
  }

  private static func settled(
    _ steps: [PlannedStreamStep], use: Int, in scope: some RunScope
  ) throws(RunScopeError) -> [PlannedStreamStep] {
    var steps = steps
    for index in steps.indices {
      guard let delay = steps[index].computedDelay else { continue }
      steps[index].delay = try delay.length(use: use, in: scope)
    }
    return steps
  }
}

extension PlannedWebSocketStep {
  /// Returns a code and a reason that the request decides, with which the connection is closed.
  ///
  /// - Throws: `RunScopeError` if an expression has no value, or one that cannot stand there.
  package func close(
    _ code: PlannedReplyComputation.Part, _ reason: PlannedText?, in scope: some RunScope
  ) throws(RunScopeError) -> (code: Int, reason: String) {
    let number = try code.value(in: scope) { text throws(ValueGrammarError) in
      try PlannedReplyComputation.closeCode(of: text)
    }
    guard let text = try reason?.resolve(in: scope) else { return (number, "") }
    // RFC 6455, section 5.5: a control frame has at most 125 bytes, two of them the code.
    guard text.utf8.count <= 123 else {
      throw RunScopeError(
        "the reason has \(text.utf8.count) bytes, but a reason has at most 123", at: range)
    }
    return (number, text)
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
