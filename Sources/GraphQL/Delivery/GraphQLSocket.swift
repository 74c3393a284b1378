package import Foundations
internal import OrderedCollections

/// The server's side of GraphQL over a WebSocket: messages in, messages out, and no effects.
package struct GraphQLSocket: Sendable {
  /// A subprotocol, by the name that a handshake gives it.
  package enum Dialect: String, Sendable, CaseIterable {
    /// GraphQL over WebSocket Protocol, the current one.
    case transport = "graphql-transport-ws"
    /// The protocol of subscriptions-transport-ws, which Apollo has abandoned and many clients
    /// still use.
    case legacy = "graphql-ws"
  }

  /// An action of the connection.
  package enum Action: Sendable, Hashable {
    /// Send a text message.
    case send(String)
    /// Close the connection.
    case close(code: Int, reason: String)
    /// Leave without a word.
    case leave(ConnectionEnding)
    /// Say whether a client is welcome that sends this when it comes: `admit(_:)` or `forbid()`.
    case greet(payload: Value?)
    /// Answer a request; its events go to `deliver(_:for:)`.
    case start(identifier: String, GraphQLRequest)
    /// Forget a request.
    case stop(identifier: String)
  }

  /// The subprotocol.
  package let dialect: Dialect
  private var hasGreeted = false
  private var isReady = false
  private var isOver = false
  private var running: Set<String> = []

  /// Creates the state behind a handshake.
  package init(_ dialect: Dialect) {
    self.dialect = dialect
  }

  /// The first subprotocol of a handshake that is known.
  package static func dialect(among names: [String]) -> Dialect? {
    names.lazy.compactMap { Dialect(rawValue: $0) }.first
  }

  /// Handles a text message of the client.
  package mutating func receive(_ text: String) -> [Action] {
    // What was under way when the connection was closed means nothing any more.
    guard !isOver else { return [] }
    guard case .map(let message)? = try? JSONText.parse(text),
      case .string(let type)? = message["type"]
    else {
      return invalid("Invalid message received")
    }
    return dialect == .transport ? transport(type, message) : legacy(type, message)
  }

  /// Handles a message that is not text.
  package mutating func receiveBytes() -> [Action] {
    isOver ? [] : invalid("Only text messages are understood")
  }

  /// Acknowledges the client.
  ///
  /// - Parameter payload: the payload of the acknowledgement; `nil` is none.
  package mutating func admit(_ payload: Value?) -> [Action] {
    guard !isOver else { return [] }
    isReady = true
    return [message("connection_ack", nil, payload)]
  }

  /// The client is not welcome.
  package mutating func forbid() -> [Action] {
    guard !isOver else { return [] }
    guard dialect == .legacy else { return close(4403, "Forbidden") }
    let error = message("connection_error", nil, .map(["message": .string("Forbidden")]))
    return [error] + close(1011, "Forbidden")
  }

  /// Closes the connection if the client has not sent `connection_init` in time.
  package mutating func expectInitialisation() -> [Action] {
    guard !isOver, !hasGreeted else { return [] }
    return close(4408, "Connection initialisation timeout")
  }

  /// Delivers an event for a request that runs; events for others are dropped.
  package mutating func deliver(
    _ event: GraphQLStreamEvent, for identifier: String
  ) -> [Action] {
    guard !isOver, running.contains(identifier) else { return [] }
    switch event {
    case .close(let code, let reason): return close(code, reason)
    case .leave(let ending): return leave(by: .leave(ending))
    case .next(let payload):
      return [message(dialect == .transport ? "next" : "data", identifier, payload)]
    case .errors(let errors):
      running.remove(identifier)
      guard dialect == .legacy else { return [message("error", identifier, errors)] }
      // The legacy protocol has one error for an operation that cannot be run.
      guard case .list(let list) = errors, let first = list.first else {
        return [message("error", identifier, errors)]
      }
      return [message("error", identifier, list.count == 1 ? first : errors)]
    case .complete:
      running.remove(identifier)
      return [message("complete", identifier, nil)]
    }
  }

  // MARK: - graphql-transport-ws

  private mutating func transport(
    _ type: String, _ message: OrderedDictionary<String, Value>
  ) -> [Action] {
    switch type {
    case "connection_init":
      guard !hasGreeted else { return close(4429, "Too many initialisation requests") }
      if let payload = message["payload"], payload != .null {
        guard case .map = payload else {
          return invalid("Invalid message: the \"payload\" of \"connection_init\" is no object")
        }
      }
      hasGreeted = true
      return [.greet(payload: message["payload"])]
    case "ping":
      return [self.message("pong", nil, message["payload"])]
    case "pong":
      return []
    case "subscribe":
      guard isReady else { return close(4401, "Unauthorized") }
      guard let identifier = Self.text(message["id"]), !identifier.isEmpty,
        case .map(let payload)? = message["payload"], let request = GraphQLRequest(members: payload)
      else {
        return invalid("Invalid message: \"subscribe\" needs \"id\" and \"payload.query\"")
      }
      guard running.insert(identifier).inserted else {
        return close(4409, "Subscriber for \(identifier) already exists")
      }
      return [.start(identifier: identifier, request)]
    case "complete":
      guard let identifier = Self.text(message["id"]) else {
        return invalid("Invalid message: \"complete\" needs \"id\"")
      }
      return running.remove(identifier) == nil ? [] : [.stop(identifier: identifier)]
    default:
      return invalid("Invalid message: unexpected type \"\(type.prefix(40))\"")
    }
  }

  // MARK: - graphql-ws of subscriptions-transport-ws

  private mutating func legacy(
    _ type: String, _ message: OrderedDictionary<String, Value>
  ) -> [Action] {
    let identifier = Self.text(message["id"])
    switch type {
    case "connection_init":
      hasGreeted = true
      return [.greet(payload: message["payload"])]
    case "start":
      guard let identifier, case .map(let payload)? = message["payload"],
        let request = GraphQLRequest(members: payload)
      else {
        return invalid("Message must have an id and a query")
      }
      // A second start under the same name ends the first.
      let isRunning = !running.insert(identifier).inserted
      return (isRunning ? [.stop(identifier: identifier)] : [])
        + [.start(identifier: identifier, request)]
    case "stop":
      guard let identifier, running.remove(identifier) != nil else { return [] }
      return [.stop(identifier: identifier), self.message("complete", identifier, nil)]
    case "connection_terminate":
      return close(1000, "")
    default:
      return [
        self.message("error", identifier, .map(["message": .string("Invalid message type!")]))
      ]
    }
  }

  // MARK: - Messages

  private mutating func invalid(_ reason: String) -> [Action] {
    guard dialect == .legacy else { return close(4400, reason) }
    return [message("connection_error", nil, .map(["message": .string(reason)]))]
  }

  private mutating func close(_ code: Int, _ reason: String) -> [Action] {
    leave(by: .close(code: code, reason: reason))
  }

  private mutating func leave(by action: Action) -> [Action] {
    isOver = true
    let stops = running.sorted().map { Action.stop(identifier: $0) }
    running = []
    return stops + [action]
  }

  private func message(_ type: String, _ identifier: String?, _ payload: Value?) -> Action {
    var members: OrderedDictionary<String, Value> = [:]
    if let identifier { members["id"] = .string(identifier) }
    members["type"] = .string(type)
    if let payload { members["payload"] = payload }
    return .send(Value.map(members).jsonText())
  }

  private static func text(_ value: Value?) -> String? {
    switch value {
    case .string(let text)?: text
    case .integer(let integer)?: String(integer)
    default: nil
    }
  }
}
