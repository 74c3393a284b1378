internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Routes requests to what answers them: stubs, GraphQL, or the real host.
///
/// Lives on the event loop.
final class RequestRouter {
  /// Called once, on the loop, at once or later; fails if the request cannot be read.
  typealias Completion = (Result<Answer, PatternError>) -> Void

  /// A request on the way to its answer.
  private struct Question {
    /// The request as it came, which handlers and real hosts get.
    let original: ReceivedRequest
    /// The request with its body unpacked.
    let unpacked: ReceivedRequest
    /// The request as entries see it.
    let incoming: IncomingRequest
    /// What documents of OpenAPI say of its address.
    let finding: OpenAPIOperations.Finding?
    /// True if it carries GraphQL that the scenario answers, whose address no document needs to have.
    var isGraphQL: Bool
    let connection: ClientConnection
    let completion: Completion
  }

  /// The largest number of bytes of a call's body that are kept for a recording.
  private static let maximumKeptCall = 1 << 20

  /// Answers DNS queries that no entry answers; `nil` until the name server is there, and in
  /// scenarios that say nothing of DNS.
  var names: DNSOverHTTPS?

  private let network: PlannedNetwork
  private let log: ExchangeLog
  private let sequencer: RequestSequencer
  private let graphQL: GraphQLRouter
  private let factory: ReplyFactory
  private let unmatched: UnmatchedPolicy
  private let described: DescribedReplies
  private let upstream: any UpstreamForwarding
  private let connections: ConnectionReporter
  private let clock: VirtualClock
  private let handlers: HandlerClient
  private let programs: ProgramHandlers
  private let calls: CallTypes
  private let reflection: ReflectionService

  init(
    network: PlannedNetwork, log: ExchangeLog, sequencer: RequestSequencer,
    endpoint: GraphQLEndpoint,
    upstream: any UpstreamForwarding, connections: ConnectionReporter, recorder: RequestRecorder,
    clock: VirtualClock, scope: CaseScope, handlers: HandlerClient, programs: ProgramHandlers,
    webhooks: WebhookSender? = nil
  ) {
    self.network = network
    self.handlers = handlers
    self.programs = programs
    calls = recorder.calls
    reflection = ReflectionService(of: network, recorder.calls)
    self.log = log
    self.sequencer = sequencer
    self.upstream = upstream
    self.connections = connections
    self.clock = clock
    factory = ReplyFactory(
      recorder: recorder, clock: clock, scope: scope, webhooks: webhooks)
    unmatched = UnmatchedPolicy(
      network: network, log: log, factory: factory, recorder: recorder)
    described = DescribedReplies(of: network, factory: factory, recorder: recorder)
    graphQL = GraphQLRouter(
      network: network, log: log, factory: factory, unmatched: unmatched, recorder: recorder,
      replies: GraphQLReplies(endpoint: endpoint, log: log, factory: factory), clock: clock)
  }

  /// Routes a complete request, and makes its answer ready.
  func answer(
    _ request: ReceivedRequest, on connection: ClientConnection, completion: @escaping Completion
  ) {
    // A real host gets what came, as it came.
    let original = request
    var request = request
    do throws(ContentCoding.DecodingError) {
      try request.decodeBody()
    } catch {
      let help = "compress the body as \"content-encoding\" says, or leave the header out"
      return completion(.failure(PatternError(error.message, help: help)))
    }
    let target: RequestTarget
    do throws(PatternError) {
      target = try self.target(of: request, on: connection)
    } catch {
      return completion(.failure(error))
    }
    var incoming = incoming(request, for: target, on: connection)
    incoming.call = calls.call(of: incoming)
    let question = Question(
      original: original, unpacked: request, incoming: incoming,
      finding: described.find(incoming), isGraphQL: graphQL.isMeant(by: incoming),
      connection: connection, completion: completion)
    if network.mode(ofHost: target.host) == .record {
      guard let names, let query = nameQuery(in: incoming) else { return askRealHost(question) }
      return names.answer(query) { question.completion(.success($0)) }
    }
    sequencer.enqueue(connection, stream: request.stream) { [self] in
      var question = question
      let decision = graphQL.decide(question.incoming)
      if decision != nil { question.isGraphQL = true }
      guard decision == nil, let names, let query = nameQuery(in: question.incoming),
        !log.mayAnswer(question.incoming)
      else { return carryOut(decision ?? .answered(decide(question)), question) }
      names.answer(query) { question.completion(.success($0)) }
    }
  }

  /// The DNS query that a request carries; `nil` if it carries none, or is for a host that the
  /// scenario answers itself.
  private func nameQuery(in request: IncomingRequest) -> [UInt8]? {
    network.answers(host: request.target.host) ? nil : DNSOverHTTPS.query(in: request)
  }

  /// Gets the answer to a request from what is to give it.
  private func carryOut(_ decision: GraphQLRouter.Decision, _ question: Question) {
    switch decision {
    case .answered(.mockServer(let answer)):
      review(question, answer)
      if answer.handler != nil { return ask(answer, question) }
      if answer.record?.fault?.endsConnection == true { question.connection.isBroken = true }
      var answer = answer
      fit(&answer, to: question.unpacked.head)
      question.completion(.success(answer))
    case .answered(.realHost): askRealHost(question)
    case .partial(let batch):
      upstream.ask(batch.question(of: question.unpacked), for: question.incoming.target) {
        [self] outcome in
        let answer = graphQL.answer(batch, with: outcome, to: question.incoming)
        review(question, answer)
        question.completion(.success(answer))
      }
    }
  }

  private func askRealHost(_ question: Question) {
    upstream.forward(question.original, question.incoming, feed: nil) { [self] result in
      if case .success(let answer) = result { review(question, answer) }
      question.completion(result)
    }
  }

  /// Compares a request with the document that describes it, whatever answers it.
  private func review(_ question: Question, _ answer: Answer) {
    described.review(
      question.incoming, question.finding, answer, isGraphQL: question.isGraphQL)
  }

  /// Lets a handler answer.
  private func ask(_ answer: Answer, _ question: Question) {
    guard let call = answer.handler, let record = answer.record else { return }
    let (request, connection) = (question.original, question.connection)
    switch call {
    case .target(let call):
      handlers.ask(
        call, request, for: question.incoming.target, record, on: connection,
        whenAnswered: { [self] in
          described.review($0, of: record, to: question.incoming, question.finding)
        }
      ) {
        question.completion(.success($0))
      }
    case .program(let call):
      programs.ask(
        call, record, stream: request.stream, on: connection,
        whenAnswered: { [self] in
          described.review($0, of: record, to: question.incoming, question.finding)
        }
      ) {
        question.completion(.success($0))
      }
    }
  }

  /// Routes a call of gRPC before its request has ended; `nil` if it has to end first.
  ///
  /// Such an answer begins where the head alone decides: the next reply is a conversation, or the real
  /// host is asked.
  ///
  /// - Returns: what takes the rest of the request.
  func answerOpening(
    _ request: ReceivedRequest, on connection: ClientConnection, completion: @escaping Completion
  ) -> RequestFeed? {
    let type = request.head.headers.first(name: "content-type")?.lowercased() ?? ""
    guard type.hasPrefix("application/grpc"),
      let target = try? target(of: request, on: connection)
    else { return nil }
    let incoming = incoming(request, for: target, on: connection)
    if let answer = reflection.answer(incoming, unless: log.mayAnswer) {
      completion(.success(answer.answer))
      return answer.feed
    }
    let feed = RequestFeed(keeping: Self.maximumKeptCall)
    let mode = network.mode(ofHost: target.host)
    if mode == .record || mode == .spy && !log.mayAnswer(incoming) {
      upstream.forward(request, incoming, feed: feed, completion: completion)
      return feed
    }
    guard case .reply(let claimed)? = log.claimOpening(incoming) else {
      return nil
    }
    let answer = factory.answer(incoming, with: claimed)
    if case .conversation(let conversation) = answer.reply.content {
      feed.connect { conversation.receive($0) }
    } else {
      feed.disconnect()
    }
    if let record = answer.record {
      feed.onPart = { [log, calls, weak feed] part in
        guard let feed else { return }
        var call: IncomingCall?
        if case .bytes = part {
        } else {
          call = calls.call(of: incoming, body: feed.kept, feed.length)
        }
        log.setBody(feed.kept, length: feed.length, call: call, ofRequest: record.number)
      }
    }
    completion(.success(answer))
    return feed
  }

  // MARK: - Requests

  private func target(
    of request: ReceivedRequest, on connection: ClientConnection
  ) throws(PatternError) -> RequestTarget {
    let host = request.head.headers.first(name: "host")
    return try RequestTarget(
      scheme: connection.scheme, authority: connection.authority(hostHeader: host),
      target: request.head.uri)
  }

  /// A request as stubs see it.
  private func incoming(
    _ request: ReceivedRequest, for target: RequestTarget, on connection: ClientConnection
  ) -> IncomingRequest {
    var incoming = IncomingRequest(
      method: request.head.method.rawValue, target: target,
      headers: request.head.headers.map { .init(name: $0.name, value: $0.value) },
      body: Array(request.body.readableBytesView), bodyLength: request.bodyLength,
      protocolVersion: request.protocolVersion, stream: request.stream,
      trailers: request.trailers.map { .init(name: $0.name, value: $0.value) })
    incoming.time = clock.elapsed
    incoming.instant = clock.now
    incoming.origin = connections.origin(of: connection)
    incoming.acceptedHost = connection.isSecure ? connection.name : nil
    incoming.clientCertificate = connection.certificate.map {
      ClientCertificate($0, at: clock.now)
    }
    return incoming
  }

  private func decide(_ question: Question) -> AnswerSource {
    let request = question.incoming
    if let problem = request.call?.problem {
      return .mockServer(factory.answer(undecodable: request, problem))
    }
    let claim = log.claim(request)
    guard case .reply(let claimed) = claim else { return answer(question, unclaimed: claim) }
    let answer = factory.answer(request, with: claimed)
    if case .conversation(let conversation) = answer.reply.content {
      conversation.receive(whole: request.body)
    }
    return .mockServer(answer)
  }

  /// The source of an answer where no stub gives one: a document, or what the scenario says of such requests.
  private func answer(_ question: Question, unclaimed claim: MatchResult) -> AnswerSource {
    let request = question.incoming
    if log.substitute(for: request) == .description,
      let answer = described.answer(request, question.finding)
    {
      return .mockServer(answer)
    }
    return unmatched.decide(
      request, claim.nearMisses + described.nearest(question.finding),
      spentEntry: claim.spentEntry)
  }

  // MARK: - Replies

  /// Cuts, packs and breaks the body as the request and the author want it.
  private func fit(_ answer: inout Answer, to head: HTTPRequestHead) {
    answer.reply.applyRange(of: head)
    if answer.reply.status != 206 { answer.reply.applyCoding(answer.encoding, for: head) }
    // A range that cannot be satisfied has no body to break.
    guard let fault = answer.reply.faultBehindCoding, case .body = answer.reply.content else {
      return
    }
    do throws(PreparationError) {
      try answer.reply.apply(fault)
    } catch {
      answer.reply = factory.broken(answer.record, "the reply", error).reply
    }
  }
}
