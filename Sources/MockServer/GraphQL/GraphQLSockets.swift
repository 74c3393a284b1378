internal import Foundations
internal import GraphQL
internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Answers GraphQL operations over WebSockets.
///
/// Lives on the event loop.
final class GraphQLSockets {
  private let network: PlannedNetwork
  private let log: ExchangeLog
  private let factory: ReplyFactory
  private let unmatched: UnmatchedPolicy
  private let recorder: RequestRecorder
  private let replies: GraphQLReplies
  private let clock: VirtualClock

  init(
    network: PlannedNetwork, log: ExchangeLog, factory: ReplyFactory, unmatched: UnmatchedPolicy,
    recorder: RequestRecorder, replies: GraphQLReplies, clock: VirtualClock
  ) {
    self.network = network
    self.log = log
    self.factory = factory
    self.unmatched = unmatched
    self.recorder = recorder
    self.replies = replies
    self.clock = clock
  }

  /// Offers a WebSocket to a client that requests one of GraphQL's subprotocols.
  func offer(_ request: IncomingRequest) -> Answer? {
    guard request.method == "GET", request.header("upgrade")?.lowercased() == "websocket" else {
      return nil
    }
    let names = (request.header("sec-websocket-protocol") ?? "").split(separator: ",").map {
      String($0.filter { $0 != " " && $0 != "\t" })
    }
    let dialect = GraphQLSocket.dialect(among: names)
    let isOwn = network.mode(ofHost: request.target.host) == .offline
    guard dialect != nil || isOwn && replies.isEndpoint(request.target) else { return nil }
    let claim = log.claim(request.carrying(nil), explainsNearMisses: false)
    if case .reply(let claimed) = claim { return factory.answer(request, with: claimed) }
    var reply = PreparedReply(status: 101)
    guard let dialect else {
      // Only over the WebSocket can a client learn why there is none.
      reply.content = .webSocket(WebSocketOffer(session: RefusedSocketSession()))
      let record = recorder.record(request, status: 101)
      recorder.report(.unmatched(record, nearMisses: Self.unknownSubprotocol(names)))
      return Answer(reply: reply, record: record)
    }
    let session = GraphQLSocketSession(dialect, request: request, sockets: self)
    reply.content = .webSocket(WebSocketOffer(subprotocol: dialect.rawValue, session: session))
    // Each operation is recorded when it comes; the handshake is none.
    return Answer(reply: reply, record: nil)
  }

  private static func unknownSubprotocol(_ names: [String]) -> [String] {
    let known = GraphQLSocket.Dialect.allCases.map { "\"\($0.rawValue)\"" }
    let asked =
      names.isEmpty
      ? "names no subprotocol" : "names \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    return ["GraphQL: the WebSocket \(asked); supported are \(known.joined(separator: " and "))"]
  }

  /// Answers a client that introduces itself on a WebSocket, which `request` has opened.
  func greet(
    _ payload: Value?, _ socket: inout GraphQLSocket, over request: IncomingRequest
  ) -> [GraphQLSocket.Action] {
    guard let wanted = replies.initialisation else { return socket.admit(nil) }
    guard wanted.admits(payload, scope: factory.scope) else { return socket.forbid() }
    let request = RequestScope(request: present(request), captures: [:], base: factory.scope)
    let acknowledgement = wanted.acknowledgement.flatMap { try? $0.resolve(in: request) }
    return socket.admit(acknowledgement)
  }

  /// The request with the time of now, and not that of the handshake.
  private func present(_ handshake: IncomingRequest) -> IncomingRequest {
    var request = handshake
    request.time = clock.elapsed
    request.instant = clock.now
    return request
  }

  /// The timeout of a client's `connection_init`; `nil` for none.
  var initialisationLimit: Nanoseconds? { replies.initialisation?.within }

  /// The events that answer an operation over a WebSocket, and how long they are held back.
  func events(
    for graphQL: GraphQLRequest, over handshake: IncomingRequest
  ) -> (events: [GraphQLTimedEvent], delay: Nanoseconds) {
    let request = present(handshake)
    func errors(_ value: Value) -> [GraphQLTimedEvent] { [.init(after: .zero, .errors(value))] }
    let admitted: IncomingRequest
    do throws(GraphQLEndpoint.Refusal) {
      // Over a WebSocket every kind of operation is welcome.
      admitted = try replies.admit(graphQL, method: "POST", of: request)
    } catch {
      let record = recorder.record(request.carrying(graphQL), status: 101)
      if error.isMistake { recorder.report(.unmatched(record, nearMisses: error.lines)) }
      return (errors(.list(error.errors.map(\.value))), .zero)
    }
    let claim = replies.claim(admitted)
    switch claim {
    case .reply(let claimed):
      let fault = claimed.reply.fault
      let record = recorder.record(
        admitted, status: 101, entry: claimed.name, delay: claimed.reply.delay, fault: fault,
        changes: claimed.changes)
      // The operation stays open, and nothing comes.
      if fault == .hang { return ([], .zero) }
      do throws(PreparationError) {
        if let fault {
          throw PreparationError(
            message:
              "\"fault: \(fault.text)\" applies to HTTP replies, not to those over a WebSocket")
        }
        return (try replies.events(for: admitted, with: claimed), claimed.reply.delay)
      } catch {
        recorder.report(.brokenReply(record, message: error.message))
        return (errors(.list([GraphQLError(error.message).value])), .zero)
      }
    case .unmatched, .live:
      switch replies.schemaResult(for: admitted) {
      case .success(let value)?:
        _ = recorder.record(admitted, status: 101, entry: "the schema")
        return (GraphQLTimedEvent.whole(value), .zero)
      case .failure(let obstacle)?:
        let record = recorder.record(admitted, status: 101, entry: "the schema")
        recorder.report(.brokenReply(record, message: obstacle.line))
        return (errors(.list([GraphQLError(obstacle.message).value])), .zero)
      case nil: break
      }
      if let events = agreedEvents(for: admitted) { return (events, .zero) }
      var record = recorder.record(admitted, status: 101)
      record.spentEntry = claim.spentEntry
      recorder.report(.unmatched(record, nearMisses: claim.nearMisses))
      let lines = ["no response answers the operation"] + claim.nearMisses
      let message = lines.joined(separator: "\n")
      return (errors(.list([GraphQLError(message).value])), .zero)
    }
  }
  /// Returns the events that the scenario has for unmatched operations; `nil` if they are failures.
  ///
  /// A reply of HTTP has no form here: the client gets an error.
  private func agreedEvents(for request: IncomingRequest) -> [GraphQLTimedEvent]? {
    guard !unmatched.isFailure, !log.hasSpentEntry(for: request) else {
      return nil
    }
    let fault: ReplyFault?
    let events: [GraphQLTimedEvent]
    switch network.unmatched {
    case .fail: return nil
    case .hang: (fault, events) = (.hang, [])
    case .refuse: (fault, events) = (.reset, [.init(after: .zero, .leave(.reset))])
    case .reply:
      let error = GraphQLError("no response answers the operation").value
      (fault, events) = (nil, [.init(after: .zero, .errors(.list([error])))])
    }
    _ = recorder.record(request, status: 101, fault: fault)
    return events
  }
}
