internal import GraphQL
internal import NIOCore
internal import NIOHTTP1
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

/// Requests for a GraphQL server, over HTTP.
extension Reception {
  private var scope: CaseScope { environment.scope }

  /// Answers a request that carries GraphQL; `nil` if it carries none, or nobody speaks it here.
  func answerGraphQL(_ request: IncomingRequest) -> Answer? {
    guard desk.isOpen else { return nil }
    if let answer = offerGraphQLSocket(request) { return answer }
    switch request.graphQLPayload {
    case nil: return nil
    case .malformed(let error): return refuse(request, .init(errors: [error], status: 400))
    case .single(let graphQL): return answer(graphQL, request)
    case .batch(let members): return answer(members, request)
    }
  }

  private func answer(_ graphQL: GraphQLRequest, _ request: IncomingRequest) -> Answer {
    let admitted: IncomingRequest
    do throws(GraphQLDesk.Refusal) {
      admitted = request.carrying(
        try desk.admit(graphQL, method: request.method, at: request.target))
    } catch {
      return refuse(request, error)
    }
    let claim = log.claim(
      admitted, scope: scope, tellsNearMisses: !desk.answersAlone(admitted))
    switch claim {
    case .reply(let claimed):
      guard claimed.isGraphQL else { return answer(admitted, with: claimed) }
      return answerGraphQL(admitted, with: claimed)
    case .unmatched, .live:
      guard let value = desk.introspection(admitted) else {
        return unmatched(admitted, claim.nearMisses)
      }
      let reply = PreparedReply(json: value, status: 200, acceptance: admitted.acceptance)
      let record = record(admitted, status: 200, entry: "the schema")
      recordExchange(record, reply)
      return Answer(reply: reply, record: record)
    }
  }

  /// An entry for HTTP may answer what GraphQL refuses: not every `query` is one.
  private func refuse(_ request: IncomingRequest, _ refusal: GraphQLDesk.Refusal) -> Answer {
    let claim = log.claim(
      request.carrying(nil), scope: scope, tellsNearMisses: refusal.isUnreadable)
    if case .reply(let claimed) = claim { return answer(request, with: claimed) }
    // Over server-sent events a refusal is an event: a client sees nothing of other statuses.
    let streamed = request.onlyAcceptedStream.flatMap { $0 == .eventStream ? $0 : nil }
    let acceptance = request.acceptance
    let status = streamed == nil ? refusal.status ?? acceptance.requestErrorStatus : 200
    let record = record(request, status: status)
    if refusal.isMistake {
      environment.record(.unmatched(record, nearMisses: refusal.lines + claim.nearMisses))
    }
    var reply: PreparedReply
    if let streamed {
      reply = PreparedReply(status: status)
      reply.setStream(
        [.init(after: .zero, .next(refusal.value)), .init(after: .zero, .complete)], streamed)
    } else {
      reply = PreparedReply(json: refusal.value, status: status, acceptance: acceptance)
    }
    if let allow = refusal.allow { reply.headers.add(name: "allow", value: allow) }
    if refusal.isMistake { reply.headers.add(name: PreparedReply.markHeader, value: "refused") }
    recordExchange(record, reply)
    return Answer(reply: reply, record: record)
  }

  // MARK: - Replies

  private func answerGraphQL(_ request: IncomingRequest, with claimed: ClaimedReply) -> Answer {
    do {
      let reply = try graphQLReply(to: request, with: claimed)
      let record = record(
        request, status: reply.status, entry: claimed.name, delay: claimed.reply.delay,
        fault: claimed.reply.fault)
      recordExchange(record, reply)
      return Answer(reply: reply, record: record, encoding: claimed.reply.encoding)
    } catch {
      return broken(request, claimed, error.message)
    }
  }

  private func graphQLReply(
    to request: IncomingRequest, with claimed: ClaimedReply
  ) throws(PreparationError) -> PreparedReply {
    let scope = RequestScope(
      request: request, captures: claimed.captures, count: claimed.count, base: scope)
    var shell = claimed.reply
    shell.body = .empty
    shell.fault = nil
    var reply = try PreparedReply(shell, in: scope, clock(of: request))
    guard claimed.reply.fault?.sendsReply != false else {
      if let fault = claimed.reply.fault { try reply.apply(fault) }
      return reply
    }
    let accept = request.header("accept")
    switch claimed.reply.body {
    case .json(let data):
      let value = try result(data, claimed, request, scope)
      if let streamed = request.onlyAcceptedStream {
        reply.setStream(
          [.init(after: .zero, .next(value)), .init(after: .zero, .complete)], streamed)
      } else {
        reply.setJSON(value, acceptance: request.acceptance)
      }
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
      reply.setStream(try self.events(for: request, with: claimed), acceptance)
      return reply
    default:
      return try PreparedReply(claimed.reply, in: scope, clock(of: request))
    }
  }

  private func result(
    _ data: PlannedData, _ claimed: ClaimedReply, _ request: IncomingRequest,
    _ scope: some RunScope, isPartial: Bool = false
  ) throws(PreparationError) -> Value {
    do throws(RunScopeError) {
      let value = try data.resolve(in: scope)
      return try desk.result(
        value, for: request, at: claimed.reply.range, isPartial: isPartial)
    } catch {
      throw PreparationError(message: error.message)
    }
  }

  /// The reply of an entry as a stream of events.
  func events(
    for request: IncomingRequest, with claimed: ClaimedReply
  ) throws(PreparationError) -> [GraphQLTimedEvent] {
    let scope = RequestScope(
      request: request, captures: claimed.captures, count: claimed.count, base: scope)
    switch claimed.reply.body {
    case .json(let data):
      let value = try result(data, claimed, request, scope)
      return [.init(after: .zero, .next(value)), .init(after: .zero, .complete)]
    case .graphQLStream(let planned):
      var events: [GraphQLTimedEvent] = []
      let isPartial = request.graphQL?.operation?.kind != .subscription && planned.count > 1
      // Each event tells when it is due.
      var due = clock(of: request).start(after: claimed.reply.delay)
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
      throw PreparationError(message: "it is no result of GraphQL")
    }
  }

  // MARK: - Batches

  /// What became of one member of a batch.
  struct Member {
    var value: Value
    /// Whether no entry answers it.
    var isUnmatched = false
    /// Whether what the scenario says of unmatched requests holds for it: no queue has run empty.
    var isAgreed = false
    var status = 200
    var delay = Nanoseconds.zero
    var entry: String?
    /// What its entry says of the way over the wire.
    var headers: HTTPHeaders = [:]
    var trailers: HTTPHeaders = [:]
    var encoding = BodyEncoding.identity
    /// What the author must know, behind the record of the whole.
    var finding: ((RecordedRequest) -> StandInEvent)?
  }

  private func answer(_ graphQL: [GraphQLRequest], _ request: IncomingRequest) -> Answer {
    // An entry for HTTP that stands for the whole array comes first.
    let whole = log.claim(request.carrying(nil), scope: scope, tellsNearMisses: false)
    if case .reply(let claimed) = whole { return answer(request, with: claimed) }
    let members = graphQL.map { member($0, request) }
    if let batch = openBatch(members, request) {
      var answer = Answer(reply: PreparedReply(status: 502), record: nil, isLeftToRealHost: true)
      answer.batch = batch
      return answer
    }
    // A batch is one request: one member without an entry leaves all of it unanswered.
    let missing = members.filter(\.isUnmatched)
    if !missing.isEmpty, missing.allSatisfy(\.isAgreed),
      let agreed = agreedAnswer(to: request.carrying(nil))
    {
      return agreed
    }
    return answer(with: members, to: graphQL, request)
  }

  /// The answer of a batch whose members are all known.
  func answer(
    with members: [Member], to graphQL: [GraphQLRequest], _ request: IncomingRequest
  ) -> Answer {
    let delay = members.map(\.delay).max() ?? .zero
    let statuses = Set(members.map(\.status))
    let status = statuses.count == 1 ? statuses.first ?? 200 : 200
    let names = graphQL.map { $0.name ?? "-" }.joined(separator: ", ")
    let entries = members.compactMap(\.entry).joined(separator: ", ")
    let record = record(
      request, status: status, entry: entries.isEmpty ? nil : entries, delay: delay,
      operation: names)
    for member in members {
      if let finding = member.finding?(record) { environment.record(finding) }
    }
    var reply = PreparedReply(
      json: .list(members.map(\.value)), status: status, acceptance: request.acceptance)
    for member in members {
      reply.headers.addOnce(member.headers)
      reply.trailers.addOnce(member.trailers)
    }
    let encoding = members.first { $0.encoding != .identity }?.encoding
    recordExchange(record, reply)
    return Answer(reply: reply, record: record, encoding: encoding ?? .identity)
  }

  private func member(_ graphQL: GraphQLRequest, _ request: IncomingRequest) -> Member {
    let admitted: IncomingRequest
    do throws(GraphQLDesk.Refusal) {
      admitted = request.carrying(
        try desk.admit(graphQL, method: request.method, at: request.target))
    } catch {
      let lines = error.lines
      var member = Member(value: error.value)
      if error.isMistake { member.finding = { .unmatched($0, nearMisses: lines) } }
      return member
    }
    let claim = log.claim(
      admitted, scope: scope, tellsNearMisses: !desk.answersAlone(admitted))
    switch claim {
    case .reply(let claimed):
      do {
        guard case .json(let data) = claimed.reply.body, claimed.reply.fault == nil else {
          throw PreparationError(message: "a member of a batch takes \"data\" only")
        }
        let scope = RequestScope(
          request: admitted, captures: claimed.captures, count: claimed.count, base: scope)
        var shell = claimed.reply
        shell.body = .empty
        let wire = try PreparedReply(shell, in: scope, clock(of: admitted))
        return Member(
          value: try result(data, claimed, admitted, scope), status: claimed.reply.status,
          delay: claimed.reply.delay, entry: claimed.name, headers: wire.headers,
          trailers: wire.trailers, encoding: claimed.reply.encoding)
      } catch {
        let message = (error as? PreparationError)?.message ?? "\(error)"
        return Member(
          value: Self.errors("the reply of \"\(claimed.name)\" cannot be made: \(message)"),
          entry: claimed.name, finding: { .brokenReply($0, message: message) })
      }
    case .unmatched, .live:
      if let value = desk.introspection(admitted) {
        return Member(value: value, entry: "the schema")
      }
      let name = graphQL.name ?? "without a name"
      return Member(
        value: Self.errors("no response answers the operation \(name)"), isUnmatched: true,
        isAgreed: !log.hasSpentEntry(for: admitted, scope: scope),
        finding: { .unmatched($0, nearMisses: claim.nearMisses) })
    }
  }

  /// A result that is nothing but an error of the stand-in.
  static func errors(_ message: String) -> Value {
    .map(["errors": .list([.map(["message": .string(message)])])])
  }
}

extension IncomingRequest {
  /// How the client wants an answer in one piece.
  var acceptance: GraphQLAcceptance {
    GraphQLAcceptance.preferred(by: header("accept"), streams: false) ?? .json
  }

  /// The stream that the client wants, if it takes nothing else.
  fileprivate var onlyAcceptedStream: GraphQLAcceptance? {
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

extension HTTPHeaders {
  /// Adds the fields that are not there in the same words; a whole has one type of content.
  fileprivate mutating func addOnce(_ fields: HTTPHeaders) {
    for field in fields
    where field.name.lowercased() != "content-type" && !self[field.name].contains(field.value) {
      add(name: field.name, value: field.value)
    }
  }
}

extension GraphQLStreamEvent {
  /// Whether nothing can follow.
  fileprivate var isEnd: Bool {
    if case .next = self { false } else { true }
  }
}
