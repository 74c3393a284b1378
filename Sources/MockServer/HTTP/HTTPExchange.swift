internal import Foundations

/// The life of one HTTP exchange: a request that comes in, and the reply to it.
///
/// HTTP/1 has one for each request of a connection, HTTP/2 one for each stream. Their handlers report what happens,
/// and do what the exchange returns.
enum HTTPExchange<Reply> {
  /// The request is coming in.
  ///
  /// With `owesContinue` the client waits for status 100 before it sends the body (RFC 9110, section 10.1.1).
  case receiving(owesContinue: Bool)
  /// The request is routed, and has no reply yet.
  case routed
  /// The reply is held back in virtual time.
  case held(Reply)
  /// The reply is due, and waits for its turn on the connection.
  case due(Reply)
  /// The reply is on its way.
  case sending(Reply)
  /// The reply is sent, or the client has left.
  case over

  /// An action of the handler.
  enum Action {
    case nothing
    /// Send status 100.
    case sendContinue
    /// Route the request, and report the reply by `choose`.
    case route
    /// Report by `reachTime` that so much virtual time has passed.
    case wait(Nanoseconds)
    /// Send the reply, and report its end by `finish`.
    case send(Reply)
    /// Stop sending the reply: the client has left.
    case cancel(Reply)
    /// Report that the client left before it got the reply.
    case reportClosed(Reply)
    /// Report that the client had left before the reply was chosen, if it was to be held back.
    case reportClosedBefore(Reply)
  }

  // MARK: - The request

  /// The turn of the exchange has come while its body is awaited: no reply goes before it.
  mutating func admitBody() -> Action {
    guard case .receiving(owesContinue: true) = self else { return .nothing }
    self = .receiving(owesContinue: false)
    return .sendContinue
  }

  /// A part of the body has come: the client waits for nothing.
  mutating func receiveBody() {
    if case .receiving = self { self = .receiving(owesContinue: false) }
  }

  /// The request is complete, or can be routed by its head alone.
  mutating func endRequest() -> Action {
    guard case .receiving = self else { return .nothing }
    self = .routed
    return .route
  }

  // MARK: - The reply

  /// The reply is chosen.
  mutating func choose(_ reply: Reply, after delay: Nanoseconds = .zero) -> Action {
    switch self {
    case .receiving, .routed:
      self = delay > .zero ? .held(reply) : .due(reply)
      return delay > .zero ? .wait(delay) : .nothing
    case .over: return .reportClosedBefore(reply)
    case .held, .due, .sending: return .nothing
    }
  }

  /// The delay of the reply has passed.
  mutating func reachTime() {
    if case .held(let reply) = self { self = .due(reply) }
  }

  /// Records that all replies before this one are sent.
  mutating func reachTurn() -> Action {
    guard case .due(let reply) = self else { return .nothing }
    self = .sending(reply)
    return .send(reply)
  }

  /// The reply is sent, as far as it goes.
  mutating func finish() {
    self = .over
  }

  // MARK: - The end

  /// The client has left.
  mutating func abandon() -> Action {
    defer { self = .over }
    return switch self {
    case .receiving, .routed, .over: .nothing
    case .held(let reply), .due(let reply): .reportClosed(reply)
    case .sending(let reply): .cancel(reply)
    }
  }
}
