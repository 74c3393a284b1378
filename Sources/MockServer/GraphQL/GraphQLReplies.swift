internal import Foundations
internal import GraphQL
internal import MockEngine
internal import NIOHTTP1
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Makes the replies of stubs for GraphQL, and what a GraphQL server does before and behind its resolvers.
///
/// Lives on the event loop.
final class GraphQLReplies {
  private var endpoint: GraphQLEndpoint
  private let log: ExchangeLog
  private let factory: ReplyFactory

  init(
    endpoint: GraphQLEndpoint, log: ExchangeLog, factory: ReplyFactory
  ) {
    self.endpoint = endpoint
    self.log = log
    self.factory = factory
  }

  // MARK: - The server

  /// True if the mock server answers GraphQL at all.
  var isOpen: Bool { endpoint.isOpen }

  /// The rules for a client's introduction on a WebSocket; `nil` if it needs none.
  var initialisation: PlannedGraphQLInitialisation? { endpoint.initialisation }

  /// Returns whether a target is one of GraphQL.
  func isEndpoint(_ target: RequestTarget) -> Bool { endpoint.isEndpoint(target) }

  /// Checks an operation, and returns the request with it.
  func admit(
    _ graphQL: GraphQLRequest, method: String, of request: IncomingRequest
  ) throws(GraphQLEndpoint.Refusal) -> IncomingRequest {
    request.carrying(try endpoint.admit(graphQL, method: method, at: request.target))
  }

  /// Dequeues the next reply for an operation, if there is one.
  func claim(_ request: IncomingRequest) -> MatchResult {
    log.claim(request, explainsNearMisses: !endpoint.answersAlone(request))
  }

  /// The result that the schema gives to a request without an entry, or why it gives none; `nil` if it is not asked.
  ///
  /// It answers introspections, and what the scenario leaves to it.
  func schemaResult(for request: IncomingRequest) -> Result<Value, GraphQLSample.Obstacle>? {
    if let value = endpoint.introspection(request) { return .success(value) }
    guard log.substitute(for: request) == .description else { return nil }
    return endpoint.sample(for: request)
  }

  // MARK: - Replies

  /// The reply of a stub as the client wants it: one result, or a stream of them.
  func reply(
    to request: IncomingRequest, with claimed: MatchedReply
  ) throws(PreparationError) -> PreparedReply {
    let scope = try factory.requestScope(request, claimed)
    var shell = claimed.reply
    shell.body = .empty
    shell.fault = nil
    var reply = try PreparedReply(shell, in: scope, factory.replyClock(for: request))
    guard claimed.reply.fault?.sendsReply != false else {
      if let fault = claimed.reply.fault { try reply.apply(fault) }
      return reply
    }
    let accept = request.header("accept")
    switch claimed.reply.body {
    case .json(let data):
      reply.setResult(try result(data, claimed, request, scope), for: request)
      if let fault = claimed.reply.fault {
        if claimed.reply.encoding != .identity, fault.needsBody {
          reply.faultBehindCoding = fault
        } else {
          try reply.apply(fault)
        }
      }
      return reply
    case .graphQLStream:
      let isSubscription = request.graphQL?.operation?.kind == .subscription
      guard
        let acceptance = GraphQLAcceptance.preferred(by: accept, streams: true)?
          .fitting(isSubscription: isSubscription)
      else {
        throw PreparationError(
          message: """
            it is a stream, and the client accepts \(accept.map { "\"\($0)\"" } ?? "anything"): a \
            stream goes over a WebSocket, "text/event-stream" or "multipart/mixed"
            """)
      }
      reply.setStream(try events(for: request, with: claimed), acceptance)
      return reply
    default:
      return try PreparedReply(claimed.reply, in: scope, factory.replyClock(for: request))
    }
  }

  /// The reply of a stub as a member of a batch.
  func member(
    _ request: IncomingRequest, with claimed: MatchedReply
  ) throws(PreparationError) -> BatchMember {
    guard case .json(let data) = claimed.reply.body, claimed.reply.fault == nil else {
      throw PreparationError(message: "a member of a batch allows only \"data\"")
    }
    let scope = try factory.requestScope(request, claimed)
    var shell = claimed.reply
    shell.body = .empty
    let wire = try PreparedReply(shell, in: scope, factory.replyClock(for: request))
    return BatchMember(
      value: try result(data, claimed, request, scope), status: claimed.reply.status,
      delay: claimed.reply.delay, entry: claimed.name, headers: wire.headers,
      trailers: wire.trailers, encoding: claimed.reply.encoding, changes: claimed.changes)
  }

  private func result(
    _ data: PlannedData, _ claimed: MatchedReply, _ request: IncomingRequest,
    _ scope: some RunScope, isPartial: Bool = false
  ) throws(PreparationError) -> Value {
    do throws(RunScopeError) {
      let value = try data.resolve(in: scope)
      return try endpoint.result(
        value, for: request, at: claimed.reply.range, isPartial: isPartial)
    } catch {
      throw PreparationError(message: error.message)
    }
  }

  /// The reply of a stub as a stream of events.
  func events(
    for request: IncomingRequest, with claimed: MatchedReply
  ) throws(PreparationError) -> [GraphQLTimedEvent] {
    let scope = try factory.requestScope(request, claimed)
    switch claimed.reply.body {
    case .json(let data):
      return GraphQLTimedEvent.whole(try result(data, claimed, request, scope))
    case .graphQLStream(let planned):
      var events: [GraphQLTimedEvent] = []
      let isPartial = request.graphQL?.operation?.kind != .subscription && planned.count > 1
      // Each event shows the time at which it is due.
      var due = factory.replyClock(for: request).start(after: claimed.reply.delay)
      for event in planned {
        due = due.map { $0 + event.delay }
        let scope = ClockScope(scope, at: due)
        switch event.content {
        case .next(let data):
          let value = try result(data, claimed, request, scope, isPartial: isPartial)
          events.append(.init(after: event.delay, .next(value)))
        case .errors(let data):
          do throws(RunScopeError) {
            events.append(.init(after: event.delay, .errors(try data.resolve(in: scope))))
          } catch {
            throw PreparationError(message: error.message)
          }
        case .complete:
          events.append(.init(after: event.delay, .complete))
        case .close(let code, let reason):
          events.append(.init(after: event.delay, .close(code: code, reason: reason)))
        case .leave(let ending):
          events.append(.init(after: event.delay, .leave(ending)))
        }
      }
      // Only a subscription goes on without end.
      if request.graphQL?.operation?.kind != .subscription, events.last?.event.isEnd != true {
        events.append(.init(after: .zero, .complete))
      }
      return events
    case .empty:
      return [.init(after: .zero, .complete)]
    default:
      throw PreparationError(message: "it is not a GraphQL result")
    }
  }
}

extension PreparedReply {
  /// Makes a result the content: in one piece, or as a stream to a client that takes nothing else.
  mutating func setResult(_ value: Value, for request: IncomingRequest) {
    if let streamed = request.onlyAcceptedStream {
      setStream(GraphQLTimedEvent.whole(value), streamed)
    } else {
      setJSON(value, acceptance: request.acceptance)
    }
  }
}

extension GraphQLTimedEvent {
  /// A result, and the end.
  static func whole(_ value: Value) -> [GraphQLTimedEvent] {
    [.init(after: .zero, .next(value)), .init(after: .zero, .complete)]
  }
}

extension IncomingRequest {
  /// The media type in which the client wants an answer in one piece.
  var acceptance: GraphQLAcceptance {
    GraphQLAcceptance.preferred(by: header("accept"), streams: false) ?? .json
  }

  /// The stream that the client wants, if it takes nothing else.
  var onlyAcceptedStream: GraphQLAcceptance? {
    let accept = header("accept")
    guard GraphQLAcceptance.preferred(by: accept, streams: false) == nil else { return nil }
    return GraphQLAcceptance.preferred(by: accept, streams: true)
  }
}

extension GraphQLAcceptance {
  /// The form of parts that fits the kind of operation: many clients name none.
  fileprivate func fitting(isSubscription: Bool) -> GraphQLAcceptance {
    switch self {
    case .subscriptionParts, .deferParts, .incrementalParts:
      isSubscription
        ? .subscriptionParts : self == .incrementalParts ? .incrementalParts : .deferParts
    case .json, .graphQLResponse, .eventStream: self
    }
  }
}

extension GraphQLStreamEvent {
  /// True if nothing can follow.
  fileprivate var isEnd: Bool {
    if case .next = self { false } else { true }
  }
}
