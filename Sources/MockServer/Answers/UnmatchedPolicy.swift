internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Decides about requests that no stub answers.
///
/// Lives on the event loop.
final class UnmatchedPolicy {
  private let network: PlannedNetwork
  private let log: ExchangeLog
  private let factory: ReplyFactory
  private let recorder: RequestRecorder

  init(
    network: PlannedNetwork, log: ExchangeLog, factory: ReplyFactory, recorder: RequestRecorder
  ) {
    self.network = network
    self.log = log
    self.factory = factory
    self.recorder = recorder
  }

  /// True if unmatched requests are failures.
  var isFailure: Bool { network.unmatched == .fail }

  /// Decides the answer to a request that no stub matches; one that nothing answers is reported as a failure.
  ///
  /// - Parameters:
  ///   - nearMisses: what came closest, line by line.
  ///   - spentEntry: the entry that matches, and has no replies left.
  func decide(
    _ request: IncomingRequest, _ nearMisses: [String], spentEntry: String?
  ) -> AnswerSource {
    if log.substitute(for: request) == .realHost { return .realHost }
    if let answer = agreedAnswer(to: request) { return .mockServer(answer) }
    var record = recorder.record(request, status: 501)
    record.spentEntry = spentEntry
    recorder.report(.unmatched(record, nearMisses: nearMisses))
    let lines = ["no response answers \(record.method) \(record.url)"] + nearMisses
    let reply = PreparedReply(status: 501, mark: "unmatched", lines: lines)
    recorder.reportExchange(record, reply)
    return .mockServer(Answer(reply: reply, record: record))
  }

  /// The answer that the scenario has for unmatched requests; `nil` if they are failures.
  ///
  /// A request that matches a stub whose queue is empty is a failure, unless the stub says otherwise.
  func agreedAnswer(to request: IncomingRequest) -> Answer? {
    guard !isFailure, !log.hasSpentEntry(for: request) else { return nil }
    switch network.unmatched {
    case .fail: return nil
    case .refuse: return answer(request, .reset)
    case .hang: return answer(request, .hang)
    case .reply(let planned): return factory.answer(request, unmatched: planned)
    }
  }

  private func answer(_ request: IncomingRequest, _ fault: ReplyFault) -> Answer {
    var reply = PreparedReply(status: 200)
    // Neither of the two breaks a body.
    try? reply.apply(fault)
    return Answer(reply: reply, record: recorder.record(request, status: 200, fault: fault))
  }
}
