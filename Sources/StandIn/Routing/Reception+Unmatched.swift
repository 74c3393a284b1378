internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  private var base: CaseScope { environment.scope }

  /// The answer that the scenario has for requests which no entry answers; `nil` if they are failures.
  ///
  /// One that matches an entry whose queue is empty is always a failure, unless the entry says otherwise.
  func agreedAnswer(to request: IncomingRequest) -> Answer? {
    switch network.unmatched {
    case .fail: return nil
    case .refuse: return agreedAnswer(to: request, fault: .reset)
    case .hang: return agreedAnswer(to: request, fault: .hang)
    case .reply(let planned): return agreedAnswer(to: request, planned)
    }
  }

  private func agreedAnswer(to request: IncomingRequest, fault: ReplyFault) -> Answer? {
    guard !log.hasSpentEntry(for: request, scope: base) else { return nil }
    var reply = PreparedReply(status: 200)
    // Neither of the two breaks a body.
    try? reply.apply(fault)
    return Answer(reply: reply, record: record(request, status: 200, fault: fault))
  }

  private func agreedAnswer(to request: IncomingRequest, _ planned: PlannedReply) -> Answer? {
    guard !log.hasSpentEntry(for: request, scope: base) else { return nil }
    let scope = RequestScope(request: request, captures: [:], count: 1, base: base)
    do {
      let reply = try PreparedReply(planned, in: scope, clock(of: request))
      let record = record(
        request, status: reply.status, delay: planned.delay, fault: planned.fault)
      recordExchange(record, reply)
      return Answer(reply: reply, record: record, encoding: planned.encoding)
    } catch {
      let record = record(request, status: 500)
      environment.record(.brokenReply(record, message: error.message))
      return Answer(
        reply: PreparedReply(
          status: 500, mark: "broken", lines: ["the reply cannot be made: \(error.message)"]),
        record: record)
    }
  }
}
