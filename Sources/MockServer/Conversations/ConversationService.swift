internal import Foundations
internal import MockEngine
internal import NIOCore
internal import Patterns
internal import ScenarioPlan

/// Gives connections the scripts that the author wrote for their hosts.
///
/// Lives on the event loop.
final class ConversationService {
  private let log: ExchangeLog
  private let recorder: RequestRecorder
  private let reporter: ConnectionReporter
  private let clock: VirtualClock
  private let scope: CaseScope

  init(
    log: ExchangeLog, recorder: RequestRecorder, reporter: ConnectionReporter,
    clock: VirtualClock, scope: CaseScope
  ) {
    self.log = log
    self.recorder = recorder
    self.reporter = reporter
    self.clock = clock
    self.scope = scope
  }

  /// Returns whether a script is left for a connection.
  func expects(_ connection: ClientConnection) -> Bool {
    log.hasConversation(Self.names(of: connection), port: connection.destination.port)
  }

  /// Takes the script of a connection; `nil` if none is left.
  func claim(for connection: ClientConnection) -> Conversations.Claim? {
    log.claimConversation(Self.names(of: connection), port: connection.destination.port)
  }

  private static func names(of connection: ClientConnection) -> [String] {
    [connection.destination.host, connection.destination.address].compactMap { $0 }
  }

  /// Makes what follows a script, and reports the connection.
  func makeSession(
    _ claim: Conversations.Claim, for connection: ClientConnection,
    on line: ConversationSession.Line
  ) -> ConversationSession {
    let target = RequestTarget(
      scheme: "tcp", host: connection.destination.name, port: connection.destination.port, path: "")
    var request = IncomingRequest(
      method: RecordedRequest.conversationMethod, target: target, headers: [], body: [],
      protocolVersion: "")
    request.origin = reporter.origin(of: connection)
    request.time = clock.elapsed
    let record = recorder.record(request, status: 0, entry: claim.conversation.name)
    return ConversationSession(
      claim.conversation.steps.map { step(of: $0, target, claim.count) }, line: line
    ) { [recorder] news in
      switch news {
      case .piece(let bytes, let isFromClient):
        recorder.record(bytes, isFromClient: isFromClient, of: record)
      case .mismatch(let message, let range):
        recorder.reportMismatch(record, message, at: range)
      }
    }
  }

  /// Runs the work once that much virtual time has passed.
  func schedule(after delay: Nanoseconds, _ work: @escaping () -> Void) {
    clock.schedule(after: delay, work)
  }

  /// Reports that a connection cannot be served.
  func reportMalformed(_ message: String, on connection: ClientConnection) {
    reporter.reportMalformed(connection, message)
  }

  // MARK: - Steps

  private func step(
    of planned: PlannedConversationStep, _ target: RequestTarget, _ count: Int
  ) -> ConversationSession.Step {
    ConversationSession.Step(
      delay: planned.delay, action: action(of: planned, target, count), range: planned.range)
  }

  private func action(
    of step: PlannedConversationStep, _ target: RequestTarget, _ count: Int
  ) -> ConversationSession.Action {
    switch step.action {
    case .expect(let matcher, let end):
      .expect(
        { [scope] bytes in
          let text = String(validating: bytes, as: UTF8.self)
          return matcher.check(text.map(MatchSubject.text) ?? .bytes(bytes), scope: scope)
        }, upTo: end)
    case .expectBytes(let bytes): .expectBytes(bytes)
    case .expectEnd: .expectEnd
    case .send(let piece):
      .send { [scope, clock] lastPiece throws(PreparationError) in
        var request = IncomingRequest(
          method: RecordedRequest.conversationMethod, target: target, headers: [], body: lastPiece)
        request.instant = clock.now
        let own = RequestScope(request: request, captures: [:], count: count, base: scope)
        return try PreparedReply.maker(
          of: piece, in: own, ReplyClock(request: clock.now, now: { clock.now }))()
      }
    case .startTLS: .startTLS
    case .close(let ending): .close(ending)
    }
  }
}
