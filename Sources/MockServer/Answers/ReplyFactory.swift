internal import MockEngine
internal import NIOHTTP1
internal import ScenarioPlan

/// Makes replies of stubs, and records what they answer.
///
/// Lives on the event loop.
final class ReplyFactory {
  private let recorder: RequestRecorder
  private let clock: VirtualClock
  /// The values that expressions may use besides the request.
  let scope: CaseScope
  /// The number of requests that no stub has answered, and the scenario's own reply has.
  private var unmatchedCount = 0
  private let webhooks: WebhookSender?

  init(
    recorder: RequestRecorder, clock: VirtualClock, scope: CaseScope, webhooks: WebhookSender?
  ) {
    self.webhooks = webhooks
    self.recorder = recorder
    self.clock = clock
    self.scope = scope
  }

  /// The answer of a stub.
  func answer(_ request: IncomingRequest, with claimed: MatchedReply) -> Answer {
    do {
      let scope = try requestScope(request, claimed)
      if case .handler(let handler) = claimed.reply.body {
        let call = try HandlerCall(handler, request, count: claimed.count, in: scope)
        let record = recorder.open(
          request, entry: claimed.name, delay: claimed.reply.delay, changes: claimed.changes)
        return Answer(reply: PreparedReply(status: 502), record: record, handler: call)
      }
      let reply = try PreparedReply(
        claimed.reply, in: scope, replyClock(for: request), types: recorder.calls)
      let record = record(request, claimed, status: status(of: reply, to: request))
      connect(reply.content, to: record)
      recorder.reportExchange(record, reply)
      fileWebhooks(
        of: claimed.reply, named: claimed.name, use: claimed.count, for: request, in: scope)
      var answer = Answer(reply: reply, record: record, encoding: claimed.reply.encoding)
      answer.isWritten = true
      return answer
    } catch {
      return broken(request, claimed, error)
    }
  }

  /// The answer of the scenario to requests that match no stub.
  func answer(_ request: IncomingRequest, unmatched planned: PlannedReply) -> Answer {
    unmatchedCount += 1
    let scope = RequestScope(request: request, captures: [:], count: unmatchedCount, base: scope)
    do {
      let planned = try settled(planned, in: scope)
      if case .handler(let handler) = planned.body {
        let call = try HandlerCall(handler, request, count: unmatchedCount, in: scope)
        let record = recorder.open(request, delay: planned.delay)
        return Answer(reply: PreparedReply(status: 502), record: record, handler: call)
      }
      let reply = try PreparedReply(
        planned, in: scope, replyClock(for: request), types: recorder.calls)
      let record = recorder.record(
        request, status: status(of: reply, to: request), delay: planned.delay,
        fault: planned.fault)
      recorder.reportExchange(record, reply)
      fileWebhooks(
        of: planned, named: "unmatched", use: unmatchedCount, for: request, in: scope)
      return Answer(reply: reply, record: record, encoding: planned.encoding)
    } catch {
      let record = recorder.record(request, status: error.status)
      return broken(record, "the reply", error)
    }
  }

  /// The answer where the stub's own cannot be made.
  func broken(
    _ request: IncomingRequest, _ claimed: MatchedReply, _ error: PreparationError
  ) -> Answer {
    let record = recorder.record(
      request, status: error.status, entry: claimed.name, changes: claimed.changes)
    return broken(record, "the reply of \"\(claimed.name)\"", error)
  }

  /// Reports that a reply cannot be made, and answers so.
  func broken(_ record: RecordedRequest?, _ subject: String, _ error: PreparationError) -> Answer {
    if let record { recorder.report(.brokenReply(record, message: error.message)) }
    let lines = ["\(subject) cannot be made: \(error.message)"]
    return Answer(
      reply: PreparedReply(status: error.status, mark: "broken", lines: lines), record: record)
  }

  /// The answer to a call of gRPC whose bytes are not what the .proto files say: INTERNAL, and the scenario fails.
  func answer(undecodable request: IncomingRequest, _ problem: String) -> Answer {
    var reply = PreparedReply(status: 200)
    reply.headers.add(name: "content-type", value: "application/grpc")
    reply.headers.add(name: "grpc-status", value: "13")
    reply.headers.add(name: "grpc-message", value: "the request is not what the .proto files say")
    let record = recorder.record(request, status: reply.status)
    recorder.reportMismatch(record, "the request cannot be decoded: \(problem)")
    recorder.reportExchange(record, reply)
    return Answer(reply: reply, record: record)
  }

  /// The status that the client gets: a WebSocket is not for each request.
  private func status(of reply: PreparedReply, to request: IncomingRequest) -> Int {
    guard case .webSocket(let offer) = reply.content else { return reply.status }
    return WebSocketHandshake.refusedStatus(of: request, offer) ?? 101
  }

  /// Records the request that a stub answers.
  func record(
    _ request: IncomingRequest, _ claimed: MatchedReply, status: Int
  ) -> RecordedRequest {
    recorder.record(
      request, status: status, entry: claimed.name, delay: claimed.reply.delay,
      fault: claimed.reply.fault, changes: claimed.changes)
  }

  private func fileWebhooks(
    of reply: PlannedReply, named entry: String, use: Int, for request: IncomingRequest,
    in scope: some RunScope
  ) {
    guard let planned = reply.webhooks, let webhooks else { return }
    webhooks.file(
      planned, of: entry, use: use, at: request.instant, after: reply.delay, in: scope)
  }

  private func settled(
    _ planned: PlannedReply, in scope: some RunScope
  ) throws(PreparationError) -> PlannedReply {
    do throws(RunScopeError) {
      return try planned.settled(use: unmatchedCount, in: scope)
    } catch {
      throw PreparationError(error)
    }
  }

  // MARK: - What replies ask

  /// The values that the expressions of a stub's reply may use.
  ///
  /// - Throws: `PreparationError` if the stub could not make its reply, or set the state.
  func requestScope(
    _ request: IncomingRequest, _ claimed: MatchedReply
  ) throws(PreparationError) -> RequestScope<CaseScope> {
    if let problem = claimed.problem {
      throw PreparationError(problem)
    }
    return RequestScope(
      request: request, captures: claimed.captures, count: claimed.count, state: claimed.state,
      base: scope)
  }

  /// The times that the reply to a request shows.
  func replyClock(for request: IncomingRequest) -> ReplyClock {
    ReplyClock(request: request.instant, now: { [clock] in clock.now })
  }

  // MARK: - Conversations

  /// Leads what the script of a reply says and what happens to it to the record of its request.
  private func connect(_ content: ReplyContent, to record: RecordedRequest) {
    switch content {
    case .webSocket(let offer):
      (offer.session as? ScriptedSession)?.report = { [recorder] news in
        switch news {
        case .mismatch(let message): recorder.reportMismatch(record, message)
        case .message(let message, let isFromClient):
          recorder.record(message, isFromClient: isFromClient, of: record)
        }
      }
    case .conversation(let conversation):
      conversation.schedule = { [clock] delay, work in clock.schedule(after: delay, work) }
      conversation.reportMismatch = { [recorder] in recorder.reportMismatch(record, $0) }
      conversation.reportMessage = { [recorder] in
        recorder.reportPiece($0, isFromClient: $1, of: record)
      }
      conversation.begin()
    default: break
    }
  }
}
