internal import Foundations
internal import GraphQL
internal import MockEngine
internal import NIOHTTP1
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Routes requests for a GraphQL server to stubs, to the schema, or to the real host.
///
/// Lives on the event loop.
final class GraphQLRouter {
  /// The decision about a request that carries GraphQL.
  enum Decision {
    case answered(AnswerSource)
    /// The real host answers some members of a batch.
    case partial(PartialBatch)
  }

  private let network: PlannedNetwork
  private let log: ExchangeLog
  private let factory: ReplyFactory
  private let unmatched: UnmatchedPolicy
  private let recorder: RequestRecorder
  private let replies: GraphQLReplies
  private let sockets: GraphQLSockets

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
    sockets = GraphQLSockets(
      network: network, log: log, factory: factory, unmatched: unmatched, recorder: recorder,
      replies: replies, clock: clock)
  }

  /// Returns whether a request carries GraphQL that the scenario answers.
  func isMeant(by request: IncomingRequest) -> Bool {
    replies.isOpen && request.graphQLPayload != nil
  }

  /// Decides about a request that carries GraphQL; `nil` if it carries none, or the mock server
  /// answers none.
  func decide(_ request: IncomingRequest) -> Decision? {
    guard replies.isOpen else { return nil }
    if let answer = sockets.offer(request) { return .answered(.mockServer(answer)) }
    switch request.graphQLPayload {
    case nil: return nil
    case .malformed(let error):
      return .answered(.mockServer(refuse(request, .init(errors: [error], status: 400))))
    case .single(let graphQL): return .answered(decide(graphQL, request))
    case .batch(let members): return decide(members, request)
    }
  }

  private func decide(_ graphQL: GraphQLRequest, _ request: IncomingRequest) -> AnswerSource {
    let admitted: IncomingRequest
    do throws(GraphQLEndpoint.Refusal) {
      admitted = try replies.admit(graphQL, method: request.method, of: request)
    } catch {
      return .mockServer(refuse(request, error))
    }
    let claim = replies.claim(admitted)
    switch claim {
    case .reply(let claimed):
      guard claimed.isGraphQL else { return .mockServer(factory.answer(admitted, with: claimed)) }
      return .mockServer(answer(admitted, with: claimed))
    case .unmatched, .live:
      guard let result = replies.schemaResult(for: admitted) else {
        return unmatched.decide(admitted, claim.nearMisses, spentEntry: claim.spentEntry)
      }
      return .mockServer(answer(admitted, withSchemas: result))
    }
  }

  private func answer(
    _ request: IncomingRequest, withSchemas result: Result<Value, GraphQLSample.Obstacle>
  ) -> Answer {
    switch result {
    case .success(let value):
      var reply = PreparedReply(status: 200)
      reply.setResult(value, for: request)
      let record = recorder.record(request, status: 200, entry: Self.schemaEntry)
      recorder.reportExchange(record, reply)
      return Answer(reply: reply, record: record)
    case .failure(let obstacle):
      let record = recorder.record(request, status: 500, entry: Self.schemaEntry)
      return factory.broken(
        record, "the reply of the schema", PreparationError(message: obstacle.line))
    }
  }

  /// The name of what answers where the schema does.
  private static let schemaEntry = "the schema"

  /// An entry for HTTP may answer what GraphQL refuses: not every `query` is one.
  private func refuse(_ request: IncomingRequest, _ refusal: GraphQLEndpoint.Refusal) -> Answer {
    let claim = log.claim(
      request.carrying(nil), explainsNearMisses: refusal.isUnreadable)
    if case .reply(let claimed) = claim { return factory.answer(request, with: claimed) }
    // Over server-sent events a refusal is an event: a client sees nothing of other statuses.
    let streamed = request.onlyAcceptedStream.flatMap { $0 == .eventStream ? $0 : nil }
    let acceptance = request.acceptance
    let status = streamed == nil ? refusal.status ?? acceptance.requestErrorStatus : 200
    let record = recorder.record(request, status: status)
    if refusal.isMistake {
      recorder.report(.unmatched(record, nearMisses: refusal.lines + claim.nearMisses))
    }
    var reply: PreparedReply
    if let streamed {
      reply = PreparedReply(status: status)
      reply.setStream(GraphQLTimedEvent.whole(refusal.value), streamed)
    } else {
      reply = PreparedReply(json: refusal.value, status: status, acceptance: acceptance)
    }
    if let allow = refusal.allow { reply.headers.add(name: "allow", value: allow) }
    if refusal.isMistake { reply.headers.add(name: PreparedReply.markHeader, value: "refused") }
    recorder.reportExchange(record, reply)
    return Answer(reply: reply, record: record)
  }

  private func answer(_ request: IncomingRequest, with claimed: MatchedReply) -> Answer {
    do {
      let reply = try replies.reply(to: request, with: claimed)
      let record = factory.record(request, claimed, status: reply.status)
      recorder.reportExchange(record, reply)
      return Answer(reply: reply, record: record, encoding: claimed.reply.encoding)
    } catch {
      return factory.broken(request, claimed, error)
    }
  }

  // MARK: - Batches

  private func decide(_ graphQL: [GraphQLRequest], _ request: IncomingRequest) -> Decision {
    // An entry for HTTP that stands for the whole array comes first.
    let whole = log.claim(request.carrying(nil), explainsNearMisses: false)
    if case .reply(let claimed) = whole {
      return .answered(.mockServer(factory.answer(request, with: claimed)))
    }
    let members = graphQL.map { member($0, request) }
    if network.mode(ofHost: request.target.host) == .spy,
      let batch = PartialBatch(members, request)
    {
      return .partial(batch)
    }
    // A batch is one request: one member without an entry leaves all of it unanswered.
    let missing = members.filter(\.isUnmatched)
    if !missing.isEmpty, missing.allSatisfy(\.isAgreed),
      let agreed = unmatched.agreedAnswer(to: request.carrying(nil))
    {
      return .answered(.mockServer(agreed))
    }
    return .answered(.mockServer(answer(with: members, to: graphQL, request)))
  }

  /// The answer of a batch once the real host has answered what was missing, or has not.
  func answer(
    _ batch: PartialBatch, with outcome: RecordedExchange.Outcome, to request: IncomingRequest
  ) -> Answer {
    let (members, problem) = batch.complete(with: outcome)
    let answer = answer(with: members, to: batch.requests, request)
    if let problem, let record = answer.record {
      recorder.report(
        .upstreamFailed(
          record, message: problem,
          help: "answer the members of the batch with entries of `responses`"))
    }
    return answer
  }

  private func answer(
    with members: [BatchMember], to graphQL: [GraphQLRequest], _ request: IncomingRequest
  ) -> Answer {
    let delay = members.map(\.delay).max() ?? .zero
    let statuses = Set(members.map(\.status))
    let status = statuses.count == 1 ? statuses.first ?? 200 : 200
    let names = graphQL.map { $0.name ?? "-" }.joined(separator: ", ")
    let entries = members.compactMap(\.entry).joined(separator: ", ")
    let record = recorder.record(
      request, status: status, entry: entries.isEmpty ? nil : entries, delay: delay,
      operation: names, changes: members.flatMap(\.changes))
    for member in members {
      if let finding = member.finding?(record) { recorder.report(finding) }
    }
    var reply = PreparedReply(
      json: .list(members.map(\.value)), status: status, acceptance: request.acceptance)
    for member in members {
      reply.headers.addOnce(member.headers)
      reply.trailers.addOnce(member.trailers)
    }
    let encoding = members.first { $0.encoding != .identity }?.encoding
    recorder.reportExchange(record, reply)
    return Answer(reply: reply, record: record, encoding: encoding ?? .identity)
  }

  private func member(_ graphQL: GraphQLRequest, _ request: IncomingRequest) -> BatchMember {
    let admitted: IncomingRequest
    do throws(GraphQLEndpoint.Refusal) {
      admitted = try replies.admit(graphQL, method: request.method, of: request)
    } catch {
      let lines = error.lines
      var member = BatchMember(value: error.value)
      if error.isMistake { member.finding = { .unmatched($0, nearMisses: lines) } }
      return member
    }
    let claim = replies.claim(admitted)
    switch claim {
    case .reply(let claimed):
      do {
        return try replies.member(admitted, with: claimed)
      } catch {
        let message = error.message
        return BatchMember(
          errors: "the reply of \"\(claimed.name)\" cannot be made: \(message)",
          entry: claimed.name, finding: { .brokenReply($0, message: message) })
      }
    case .unmatched, .live:
      switch replies.schemaResult(for: admitted) {
      case .success(let value)?: return BatchMember(value: value, entry: Self.schemaEntry)
      case .failure(let obstacle)?:
        return BatchMember(
          errors: "the reply of the schema cannot be made: \(obstacle.message)",
          entry: Self.schemaEntry, finding: { .brokenReply($0, message: obstacle.line) })
      case nil: break
      }
      let name = graphQL.name ?? "without a name"
      return BatchMember(
        errors: "no response answers the operation \(name)", isUnmatched: true,
        isAgreed: !log.hasSpentEntry(for: admitted),
        finding: { record in
          var record = record
          record.spentEntry = claim.spentEntry
          return .unmatched(record, nearMisses: claim.nearMisses)
        })
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
