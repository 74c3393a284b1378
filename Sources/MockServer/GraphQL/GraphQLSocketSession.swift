internal import Foundations
internal import GraphQL
internal import MockEngine

extension String {
  /// The part that fits a control frame behind the code (RFC 6455, section 5.5).
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

/// A WebSocket to a client that offers no known subprotocol.
final class RefusedSocketSession: WebSocketSession {
  func opened(_ socket: WebSocket) {
    socket.close(code: 4406, reason: "Subprotocol not acceptable")
  }

  func received(_ message: WebSocketMessage, on socket: WebSocket) {}

  func ended(_ ending: WebSocketEnding) {}
}

/// One GraphQL client on a WebSocket: carries out what `GraphQLSocket` decides.
final class GraphQLSocketSession: WebSocketSession {
  private var socket: GraphQLSocket
  private let request: IncomingRequest
  private let sockets: GraphQLSockets
  /// The current run of each operation: a client may use a name again after its end.
  private var runs: [String: Int] = [:]
  private var nextRun = 0

  init(_ dialect: GraphQLSocket.Dialect, request: IncomingRequest, sockets: GraphQLSockets) {
    socket = GraphQLSocket(dialect)
    self.request = request
    self.sockets = sockets
  }

  func opened(_ webSocket: WebSocket) {
    guard let limit = sockets.initialisationLimit else { return }
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
        perform(sockets.greet(payload, &socket, over: request), webSocket)
      case .stop(let identifier): runs[identifier] = nil
      case .start(let identifier, let graphQL):
        nextRun += 1
        runs[identifier] = nextRun
        let (events, delay) = sockets.events(for: graphQL, over: request)
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
