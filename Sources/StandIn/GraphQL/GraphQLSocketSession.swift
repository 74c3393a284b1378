internal import GraphQL
internal import NIOCore
internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  /// The offer of a WebSocket to a client that asks for one of GraphQL's subprotocols.
  func offerGraphQLSocket(_ request: IncomingRequest) -> Answer? {
    guard request.method == "GET", request.header("upgrade")?.lowercased() == "websocket" else {
      return nil
    }
    let names = (request.header("sec-websocket-protocol") ?? "").split(separator: ",").map {
      String($0.filter { $0 != " " && $0 != "\t" })
    }
    let dialect = GraphQLSocket.dialect(among: names)
    let isOwn = network.mode(ofHost: request.target.host) == .offline
    guard dialect != nil || isOwn && desk.isEndpoint(request.target) else { return nil }
    let scope = environment.scope
    let claim = log.claim(request.carrying(nil), scope: scope, tellsNearMisses: false)
    if case .reply(let claimed) = claim { return answer(request, with: claimed) }
    var reply = PreparedReply(status: 101)
    guard let dialect else {
      // Only over the WebSocket can a client be told why there is none.
      reply.content = .webSocket(WebSocketOffer(session: RefusedSocketSession()))
      let record = record(request, status: 101)
      environment.record(.unmatched(record, nearMisses: Self.unknownSubprotocol(names)))
      return Answer(reply: reply, record: record)
    }
    let session = GraphQLSocketSession(dialect, request: request, reception: self)
    reply.content = .webSocket(WebSocketOffer(subprotocol: dialect.rawValue, session: session))
    // Each operation is written down when it comes; the handshake is none.
    return Answer(reply: reply, record: nil)
  }

  private static func unknownSubprotocol(_ names: [String]) -> [String] {
    let known = GraphQLSocket.Dialect.allCases.map { "\"\($0.rawValue)\"" }
    let asked =
      names.isEmpty
      ? "names no subprotocol" : "names \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    return ["GraphQL: the WebSocket \(asked); spoken are \(known.joined(separator: " and "))"]
  }

  /// What a client hears that introduces itself on a WebSocket, which `request` has opened.
  func greet(
    _ payload: Value?, _ socket: inout GraphQLSocket, over request: IncomingRequest
  ) -> [GraphQLSocket.Action] {
    guard let wanted = desk.initialisation else { return socket.admit(nil) }
    let base = environment.scope
    guard wanted.admits(payload, scope: base) else { return socket.forbid() }
    let scope = RequestScope(request: present(request), captures: [:], base: base)
    let acknowledgement = wanted.acknowledgement.flatMap { try? $0.resolve(in: scope) }
    return socket.admit(acknowledgement)
  }

  /// What comes now over a WebSocket is asked now, and not when the WebSocket was opened.
  private func present(_ handshake: IncomingRequest) -> IncomingRequest {
    var request = handshake
    request.time = environment.elapsed()
    request.instant = environment.now()
    return request
  }

  /// The events that answer an operation over a WebSocket, and how long they are held back.
  func events(
    for graphQL: GraphQLRequest, over handshake: IncomingRequest
  ) -> (events: [GraphQLTimedEvent], delay: Nanoseconds) {
    let request = present(handshake)
    func errors(_ value: Value) -> [GraphQLTimedEvent] { [.init(after: .zero, .errors(value))] }
    let scope = environment.scope
    let admitted: IncomingRequest
    do throws(GraphQLDesk.Refusal) {
      // Over a WebSocket every kind of operation is welcome.
      admitted = request.carrying(try desk.admit(graphQL, method: "POST", at: request.target))
    } catch {
      let record = record(request.carrying(graphQL), status: 101)
      if error.isMistake { environment.record(.unmatched(record, nearMisses: error.lines)) }
      return (errors(.list(error.errors.map(\.value))), .zero)
    }
    let claim = log.claim(
      admitted, scope: scope, tellsNearMisses: !desk.answersAlone(admitted))
    switch claim {
    case .reply(let claimed):
      let fault = claimed.reply.fault
      let record = record(
        admitted, status: 101, entry: claimed.name, delay: claimed.reply.delay, fault: fault)
      // The operation stays open, and nothing comes.
      if fault == .hang { return ([], .zero) }
      do throws(PreparationError) {
        if let fault {
          throw PreparationError(
            message: "\"fault: \(fault.text)\" breaks replies of HTTP, not those over a WebSocket")
        }
        return (try events(for: admitted, with: claimed), claimed.reply.delay)
      } catch {
        environment.record(.brokenReply(record, message: error.message))
        return (errors(.list([GraphQLError(error.message).value])), .zero)
      }
    case .unmatched, .live:
      if let value = desk.introspection(admitted) {
        _ = record(admitted, status: 101, entry: "the schema")
        return ([.init(after: .zero, .next(value)), .init(after: .zero, .complete)], .zero)
      }
      if let events = agreedEvents(for: admitted) { return (events, .zero) }
      let record = record(admitted, status: 101)
      environment.record(.unmatched(record, nearMisses: claim.nearMisses))
      let lines = ["no response answers the operation"] + claim.nearMisses
      let message = lines.joined(separator: "\n")
      return (errors(.list([GraphQLError(message).value])), .zero)
    }
  }
}

extension Reception {
  /// What the scenario has for operations over a WebSocket that no entry answers; `nil` if they are failures.
  ///
  /// A reply of HTTP has no form here: the client hears of an error.
  private func agreedEvents(for request: IncomingRequest) -> [GraphQLTimedEvent]? {
    let scope = environment.scope
    guard network.unmatched != .fail, !log.hasSpentEntry(for: request, scope: scope) else {
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
    _ = record(request, status: 101, fault: fault)
    return events
  }
}

extension String {
  /// As much as fits a control frame behind the code (RFC 6455, section 5.5).
  fileprivate var closeReason: String {
    var reason = String.UnicodeScalarView()
    var length = 0
    for scalar in unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= 123 else { break }
      reason.append(scalar)
    }
    return String(reason)
  }
}

/// A WebSocket to a client that speaks nothing that is spoken here.
final class RefusedSocketSession: WebSocketSession {
  func opened(_ socket: WebSocket) {
    socket.close(code: 4406, reason: "Subprotocol not acceptable")
  }

  func received(_ message: WebSocketMessage, on socket: WebSocket) {}

  func ended(_ ending: WebSocketEnding) {}
}

/// One GraphQL client on a WebSocket: effects for what `GraphQLSocket` decides.
final class GraphQLSocketSession: WebSocketSession {
  private var socket: GraphQLSocket
  private let request: IncomingRequest
  private let reception: Reception
  /// Which run of an operation is the present one: a name may be used again after its end.
  private var runs: [String: Int] = [:]
  private var nextRun = 0

  init(_ dialect: GraphQLSocket.Dialect, request: IncomingRequest, reception: Reception) {
    socket = GraphQLSocket(dialect)
    self.request = request
    self.reception = reception
  }

  func opened(_ webSocket: WebSocket) {
    guard let limit = reception.desk.initialisation?.within else { return }
    webSocket.schedule(after: limit) { [weak self] in
      guard let self else { return }
      perform(socket.expectInitialisation(), webSocket)
    }
  }

  func received(_ message: WebSocketMessage, on webSocket: WebSocket) {
    switch message {
    case .text(let text): perform(socket.receive(text), webSocket)
    case .binary: perform(socket.receiveBytes(), webSocket)
    }
  }

  func ended(_ ending: WebSocketEnding) {
    runs = [:]
  }

  private func perform(_ actions: [GraphQLSocket.Action], _ webSocket: WebSocket) {
    for action in actions {
      switch action {
      case .send(let text): webSocket.send(.text(text))
      case .close(let code, let reason): webSocket.close(code: code, reason: reason.closeReason)
      case .leave(let ending): webSocket.abandon(ending == .reset ? .reset : .close)
      case .greet(let payload):
        perform(reception.greet(payload, &socket, over: request), webSocket)
      case .stop(let identifier): runs[identifier] = nil
      case .start(let identifier, let graphQL):
        nextRun += 1
        runs[identifier] = nextRun
        let (events, delay) = reception.events(for: graphQL, over: request)
        play(events[...], after: delay, identifier, run: nextRun, webSocket)
      }
    }
  }

  /// Delivers events one after the other, each in its time.
  private func play(
    _ events: ArraySlice<GraphQLTimedEvent>, after delay: Nanoseconds, _ identifier: String,
    run: Int, _ webSocket: WebSocket
  ) {
    var rest = events
    var delay = delay
    while let next = rest.first {
      let wait = delay + next.delay
      if wait > .zero {
        let waiting = rest
        return webSocket.schedule(after: wait) { [weak self] in
          guard let self, runs[identifier] == run, let due = waiting.first else { return }
          perform(socket.deliver(due.event, for: identifier), webSocket)
          play(waiting.dropFirst(), after: .zero, identifier, run: run, webSocket)
        }
      }
      delay = .zero
      rest = rest.dropFirst()
      guard runs[identifier] == run else { return }
      perform(socket.deliver(next.event, for: identifier), webSocket)
    }
  }
}
