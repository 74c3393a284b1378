internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

/// Where requests become answers.
///
/// Lives on the event loop.
final class Reception {
  /// An answer, and the record of its request.
  struct Answer {
    var reply: PreparedReply
    /// `nil` where the stand-in speaks for itself.
    var record: RecordedRequest?
    /// How the author wants the body packed.
    var encoding = BodyEncoding.identity
    /// Whether the real host is to be asked in place of this.
    var isLeftToRealHost = false
    /// The batch of which the real host is to answer some members.
    var batch: PartialBatch?
  }

  /// What tells each client of HTTP/2 that the end is near.
  var goAwayHooks: [ObjectIdentifier: () -> Void] = [:]
  private var dates = HTTPDate.Cache()
  /// The memory for bodies of requests.
  let bodies = BufferQuota()

  let certificates: TLSContextCache
  let listeners: Listeners
  /// What a GraphQL server does before and behind its resolvers.
  var desk: GraphQLDesk
  let network: PlannedNetwork
  let upstream: UpstreamClient
  let reach: UpstreamReach
  let environment: StandInEnvironment
  let log: ExchangeLog
  let gate: EventLoopHandle
  let origins: PeerRegistry
  /// The requests that wait for their turn.
  let claims: RequestSequencer
  /// The connections on which something may go wrong below everything else.
  let links: FaultyConnections
  /// Tells where nothing is left for a client.
  let exhaustion: Exhaustion

  init(
    network: PlannedNetwork, authority: CertificateAuthority, environment: StandInEnvironment,
    log: ExchangeLog, gate: EventLoopHandle, desk: GraphQLDesk, origins: PeerRegistry,
    upstream: UpstreamClient
  ) {
    self.desk = desk
    certificates = TLSContextCache(authority: authority)
    listeners = Listeners(loop: gate.loop)
    self.network = network
    self.upstream = upstream
    reach = UpstreamReach(loop: gate.loop, client: upstream)
    claims = RequestSequencer(
      rest: network.dependsOnOrder ? environment.rest : nil, gate: gate, origins: origins,
      questions: upstream.questions)
    links = FaultyConnections(desk: environment.links)
    self.environment = environment
    exhaustion = Exhaustion(record: environment.record)
    self.log = log
    self.gate = gate
    self.origins = origins
    let bound = NIOLoopBound(claims, eventLoop: gate.loop)
    claims.whenReached = { bound.value.reachRest() }
    prepareLinks()
  }

  // MARK: - Requests

  /// Claims a reply for a request, makes it ready, and writes both down.
  ///
  /// - Parameter completion: called once, on the loop, at once or later; fails if the request's target
  ///   cannot be read as a URL.
  func answer(
    _ request: ReceivedRequest, on connection: ClientConnection,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  ) {
    // A real host gets what came, as it came.
    let original = request
    var request = request
    do throws(ContentCoding.DecodingError) {
      try request.decodeBody()
    } catch {
      let help = "pack the body as \"content-encoding\" says, or leave the header out"
      return completion(.failure(PatternError(error.message, help: help)))
    }
    do throws(PatternError) {
      let target = try RequestTarget(
        scheme: connection.scheme,
        authority: connection.authority(hostHeader: request.head.headers.first(name: "host")),
        target: request.head.uri)
      let incoming = incoming(request, for: target, on: connection)
      if network.mode(ofHost: target.host) == .record {
        return live(original, incoming, completion: completion)
      }
      let head = request.head
      claims.enter(on: connection, stream: request.stream) { [self] in
        var answer = answer(incoming)
        if let batch = answer.batch {
          return complete(batch, of: request, incoming, completion: completion)
        }
        guard !answer.isLeftToRealHost else {
          return live(original, incoming, completion: completion)
        }
        if answer.record?.fault?.endsConnection == true { connection.isBroken = true }
        answer.reply.applyRange(of: head)
        if answer.reply.status != 206 {
          answer.reply.applyCoding(answer.encoding, for: head)
        }
        breakPacked(&answer)
        completion(.success(answer))
      }
    } catch {
      completion(.failure(error))
    }
  }

  /// Breaks a body that had to be packed first.
  private func breakPacked(_ answer: inout Answer) {
    // A range that cannot be satisfied has no body to break.
    guard let fault = answer.reply.faultBehindCoding, case .body = answer.reply.content else {
      return
    }
    do throws(PreparationError) {
      try answer.reply.apply(fault)
    } catch {
      if let record = answer.record {
        environment.record(.brokenReply(record, message: error.message))
      }
      answer.reply = PreparedReply(
        status: 500, mark: "broken", lines: ["the reply cannot be made: \(error.message)"])
    }
  }

  /// A request as entries see it.
  func incoming(
    _ request: ReceivedRequest, for target: RequestTarget, on connection: ClientConnection
  ) -> IncomingRequest {
    var incoming = IncomingRequest(
      method: request.head.method.rawValue, target: target,
      headers: request.head.headers.map { .init(name: $0.name, value: $0.value) },
      body: Array(request.body.readableBytesView), bodyLength: request.bodyLength,
      protocolVersion: request.protocolVersion, stream: request.stream,
      trailers: request.trailers.map { .init(name: $0.name, value: $0.value) })
    incoming.time = environment.elapsed()
    incoming.instant = environment.now()
    incoming.origin = origin(of: connection)
    return incoming
  }

  private func answer(_ incoming: IncomingRequest) -> Answer {
    if let answer = answerGraphQL(incoming) { return answer }
    let scope = environment.scope
    let claim = log.claim(incoming, scope: scope)
    guard case .reply(let claimed) = claim else { return unmatched(incoming, claim.nearMisses) }
    let answer = answer(incoming, with: claimed)
    if case .conversation(let conversation) = answer.reply.content {
      conversation.receive(whole: incoming.body)
    }
    return answer
  }

  /// The answer to a request that no entry answers.
  func unmatched(_ request: IncomingRequest, _ nearMisses: [String]) -> Answer {
    if network.mode(ofHost: request.target.host) == .spy,
      !log.failsAtEnd(request, scope: environment.scope)
    {
      return Answer(reply: PreparedReply(status: 502), record: nil, isLeftToRealHost: true)
    }
    if let answer = agreedAnswer(to: request) { return answer }
    let record = record(request, status: 501)
    environment.record(.unmatched(record, nearMisses: nearMisses))
    let lines = ["no response answers \(record.method) \(record.url)"] + nearMisses
    return Answer(
      reply: PreparedReply(status: 501, mark: "unmatched", lines: lines), record: record)
  }

  /// The answer that an entry gives.
  func answer(_ request: IncomingRequest, with claimed: ClaimedReply) -> Answer {
    let scope = RequestScope(
      request: request, captures: claimed.captures, count: claimed.count,
      base: environment.scope)
    do {
      let reply = try PreparedReply(claimed.reply, in: scope, clock(of: request))
      let record = record(
        request, status: reply.status, entry: claimed.name, delay: claimed.reply.delay,
        fault: claimed.reply.fault)
      if case .webSocket(let offer) = reply.content {
        (offer.session as? ScriptedSession)?.report = { [self] in take($0, of: record) }
      }
      if case .conversation(let conversation) = reply.content {
        open(conversation, of: record)
      }
      recordExchange(record, reply)
      return Answer(reply: reply, record: record, encoding: claimed.reply.encoding)
    } catch {
      return broken(request, claimed, error.message)
    }
  }

  /// The answer where the entry's cannot be made.
  func broken(_ request: IncomingRequest, _ claimed: ClaimedReply, _ message: String) -> Answer {
    let record = record(request, status: 500, entry: claimed.name)
    environment.record(.brokenReply(record, message: message))
    let lines = ["the reply of \"\(claimed.name)\" cannot be made: \(message)"]
    return Answer(
      reply: PreparedReply(status: 500, mark: "broken", lines: lines), record: record)
  }

  /// Writes a request down.
  func record(
    _ request: IncomingRequest, status: Int, entry: String? = nil, delay: Nanoseconds = .zero,
    operation: String? = nil, fault: ReplyFault? = nil
  ) -> RecordedRequest {
    let time = environment.elapsed()
    let record = log.append { number in
      var record = RecordedRequest(
        number: number, method: request.method, url: request.target.text,
        headers: request.headers,
        body: request.body.count > RecordedRequest.maximumKeptBody
          ? Array(request.body.prefix(RecordedRequest.maximumKeptBody)) : request.body,
        bodyLength: request.bodyLength, operation: operation ?? request.operationName,
        entry: entry,
        status: status, time: time, delay: delay, protocolVersion: request.protocolVersion,
        stream: request.stream,
        trailers: request.trailers, origin: request.origin)
      record.fault = fault
      return record
    }
    environment.record(.request(record))
    return record
  }

  /// What plays a reply on a connection.
  func performance(
    of reply: PreparedReply, isHeadRequest: Bool, wire: any ReplyWire, record: RecordedRequest?
  ) -> ReplyWriter {
    ReplyWriter(
      reply, isHeadRequest: isHeadRequest, wire: wire,
      schedule: { [self] delay, work in scheduleOnLoop(delay, work) },
      breakdown: { [self] message in
        if let record { report(.brokenReply(record, message: message)) }
      })
  }

  // MARK: - Time

  /// Does something on the loop once that much virtual time has passed.
  func scheduleOnLoop(_ delay: Nanoseconds, _ work: @escaping () -> Void) {
    let bound = NIOLoopBound(work, eventLoop: gate.loop)
    schedule(delay) { bound.value() }
  }

  /// The fields of a reply that leaves now.
  func finalHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
    let now = environment.now()
    var headers = headers
    VirtualDates.resolve(&headers, at: now)
    if !headers.contains(name: "date"), let date = dates.text(now) {
      headers.add(name: "date", value: date)
    }
    return headers
  }

  /// Runs the work on the loop once that much virtual time has passed.
  func schedule(_ delay: Nanoseconds, _ work: @escaping @Sendable () -> Void) {
    let gate = gate
    environment.schedule(delay) { gate.execute(work) }
  }

  /// Does something on the loop once that much virtual time has passed, unless it is called off.
  ///
  /// - Returns: what calls it off; where the environment cannot, the caller must not mind.
  func appoint(_ delay: Nanoseconds, _ work: @escaping () -> Void) -> () -> Void {
    guard let appoint = environment.appoint else {
      scheduleOnLoop(delay, work)
      return {}
    }
    let bound = NIOLoopBound(work, eventLoop: gate.loop)
    return appoint(delay) { [gate] in gate.execute { bound.value() } }
  }

  // MARK: - Handshakes that go wrong

  /// What is wrong with the handshake that begins on a connection; `nil` if nothing is.
  func handshakeFault(of connection: ClientConnection) -> ConnectionFault.HandshakeFault? {
    if let fault = connection.link?.takeHandshakeFault() { return fault }
    let destination = connection.destination
    let names = [connection.serverName, destination.host, destination.address].compactMap { $0 }
    guard case .tls(let fault)? = log.fault(names, port: destination.port, in: .greeting) else {
      return nil
    }
    return fault
  }

  /// The scenario's wall clock.
  var now: WallInstant { environment.now() }

  /// The times that the reply to a request tells.
  func clock(of request: IncomingRequest) -> ReplyClock {
    ReplyClock(request: request.instant, now: environment.now)
  }

  // MARK: - Other news

  func recordMalformed(_ connection: ClientConnection, _ message: String) {
    if connection.isBroken { return }
    report(
      .malformedRequest(
        host: "\(connection.name):\(connection.destination.port)", message: message))
  }

  func recordRejectedCertificate(_ connection: ClientConnection, _ message: String) {
    if connection.isBroken { return }
    report(
      .rejectedCertificate(
        host: connection.name, message: message, origin: origin(of: connection)))
  }

  /// Who is at the other end; `nil` if nobody has said.
  func origin(of connection: ClientConnection) -> ClientOrigin? {
    guard let ports = connection.ports else { return nil }
    return origins.entry(sourcePort: ports.source, port: ports.local)?.origin
  }

  /// A connection is over: who made it is of no more interest.
  func forgetOrigin(of connection: ClientConnection) {
    guard let ports = connection.ports,
      let entry = origins.entry(sourcePort: ports.source, port: ports.local)
    else { return }
    origins.forget(entry, sourcePort: ports.source, port: ports.local)
  }

  private func take(_ news: ScriptedSession.News, of request: RecordedRequest) {
    switch news {
    case .mismatch(let message):
      report(.brokenSession(request, message: message))
    case .message(let message, let isFromClient):
      let record = RecordedMessage(
        request: request.number, isFromClient: isFromClient, isText: message.isText,
        bytes: Array(message.bytes.readableBytesView.prefix(RecordedRequest.maximumKeptBody)),
        length: message.bytes.readableBytes, time: environment.elapsed())
      log.append(record)
      report(.message(record))
    }
  }

  /// Tells that a client is there, and that it has begun to speak.
  func recordConnected(_ connection: ClientConnection, hasSpoken: Bool) {
    let destination = connection.destination
    if hasSpoken { endListening(to: destination) }
    report(.connected(host: "\(destination.name):\(destination.port)", hasSpoken: hasSpoken))
  }

  /// Tells that somebody was refused who is none of the scenario's processes.
  func recordStranger(_ connection: ClientConnection, _ stranger: Stranger) {
    connection.isBroken = true
    let destination = connection.destination
    report(.stranger(host: "\(destination.name):\(destination.port)", stranger))
  }

  func recordClosed(_ request: RecordedRequest) {
    report(.clientClosed(request, waited: environment.elapsed() - request.time))
  }

  /// The client had left before the answer was chosen: told where it was to be held back.
  func recordClosed(before answer: Answer) {
    guard let record = answer.record, record.delay > .zero || record.fault == .hang else { return }
    recordClosed(record)
  }

  /// Passes on what clients did; what `shutdown()` did to them is no news.
  func report(_ event: StandInEvent) {
    if gate.isPassable { environment.record(event) }
  }
}
