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
  }

  /// What tells each client of HTTP/2 that the end is near.
  var farewells: [ObjectIdentifier: () -> Void] = [:]
  /// The memory for bodies of requests.
  let bodies = BodyBudget()

  let certificates: LeafContexts
  let listeners: Listeners
  private let environment: StandInEnvironment
  private let ledger: Ledger
  private let gate: LoopGate

  init(
    authority: CertificateAuthority, environment: StandInEnvironment, ledger: Ledger,
    gate: LoopGate
  ) {
    certificates = LeafContexts(authority: authority)
    listeners = Listeners(loop: gate.loop)
    self.environment = environment
    self.ledger = ledger
    self.gate = gate
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
    do throws(PatternError) {
      let target = try RequestTarget(
        scheme: connection.scheme,
        authority: connection.authority(hostHeader: request.head.headers.first(name: "host")),
        target: request.head.uri)
      var answer = answer(request, for: target)
      if answer.record?.fault?.endsConnection == true { connection.isBroken = true }
      answer.reply.applyRange(of: request.head)
      completion(.success(answer))
    } catch {
      completion(.failure(error))
    }
  }

  private func answer(_ request: ReceivedRequest, for target: RequestTarget) -> Answer {
    var incoming = IncomingRequest(
      method: request.head.method.rawValue, target: target,
      headers: request.head.headers.map { .init(name: $0.name, value: $0.value) },
      body: Array(request.body.readableBytesView), bodyLength: request.bodyLength,
      protocolVersion: request.protocolVersion, stream: request.stream,
      trailers: request.trailers.map { .init(name: $0.name, value: $0.value) })
    incoming.time = environment.elapsed()
    let scope = CaseScope(directory: environment.directory)
    switch ledger.claim(incoming, scope: scope) {
    case .reply(let claimed):
      return answer(incoming, with: claimed)
    case .live(let name):
      return unmatched(incoming, ["\"\(name)\" lets it out, and nothing leaves the machine"])
    case .unmatched(let nearMisses):
      return unmatched(incoming, nearMisses)
    }
  }

  private func unmatched(_ incoming: IncomingRequest, _ nearMisses: [String]) -> Answer {
    let record = record(incoming, status: 501)
    environment.record(.unmatched(record, nearMisses: nearMisses))
    let lines = ["no response answers \(record.method) \(record.url)"] + nearMisses
    return Answer(
      reply: PreparedReply(status: 501, mark: "unmatched", lines: lines), record: record)
  }

  private func answer(_ request: IncomingRequest, with claimed: ClaimedReply) -> Answer {
    let scope = RequestScope(
      request: request, captures: claimed.captures, count: claimed.count,
      base: CaseScope(directory: environment.directory))
    do {
      let reply = try PreparedReply(claimed.reply, in: scope)
      let record = record(
        request, status: reply.status, entry: claimed.name, delay: claimed.reply.delay,
        fault: claimed.reply.fault)
      return Answer(reply: reply, record: record)
    } catch {
      let record = record(request, status: 500, entry: claimed.name)
      environment.record(.brokenReply(record, message: error.message))
      let lines = ["the reply of \"\(claimed.name)\" cannot be made: \(error.message)"]
      return Answer(
        reply: PreparedReply(status: 500, mark: "broken", lines: lines), record: record)
    }
  }

  private func record(
    _ request: IncomingRequest, status: Int, entry: String? = nil, delay: Nanoseconds = .zero,
    fault: ReplyFault? = nil
  ) -> RecordedRequest {
    let time = environment.elapsed()
    let record = ledger.append { number in
      var record = RecordedRequest(
        number: number, method: request.method, url: request.target.text,
        headers: request.headers.map { .init(name: $0.name, value: $0.value) },
        body: Array(request.body.prefix(RecordedRequest.maximumKeptBody)),
        bodyLength: request.bodyLength, operation: request.operationName, entry: entry,
        status: status, time: time, delay: delay, protocolVersion: request.protocolVersion,
        stream: request.stream,
        trailers: request.trailers.map { .init(name: $0.name, value: $0.value) })
      record.fault = fault
      record.process = request.process
      return record
    }
    environment.record(.request(record))
    return record
  }

  /// What plays a reply on a connection.
  func performance(
    of reply: PreparedReply, isHeadRequest: Bool, wire: any ReplyWire, record: RecordedRequest?
  ) -> ReplyPerformance {
    ReplyPerformance(
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
    if !headers.contains(name: "date"), let date = HTTPDate.text(now) {
      headers.add(name: "date", value: date)
    }
    return headers
  }

  /// Runs the work on the loop once that much virtual time has passed.
  func schedule(_ delay: Nanoseconds, _ work: @escaping @Sendable () -> Void) {
    let gate = gate
    environment.schedule(delay) { gate.execute(work) }
  }

  // MARK: - Handshakes that go wrong

  /// What is wrong with the handshake that begins on a connection; `nil` if nothing is.
  func handshakeFault(of connection: ClientConnection) -> ConnectionFault.HandshakeFault? {
    let destination = connection.destination
    let names = [connection.serverName, destination.host, destination.address].compactMap { $0 }
    guard case .tls(let fault)? = ledger.fault(names, port: destination.port, in: .greeting) else {
      return nil
    }
    return fault
  }

  /// The scenario's wall clock.
  var now: WallInstant { environment.now() }

  // MARK: - Other news

  func recordMalformed(_ connection: ClientConnection, _ message: String) {
    if connection.isBroken { return }
    report(.malformedRequest(host: connection.name, message: message))
  }

  func recordRejectedCertificate(_ connection: ClientConnection, _ message: String) {
    if connection.isBroken { return }
    report(.rejectedCertificate(host: connection.name, message: message))
  }

  func recordClosed(_ request: RecordedRequest) {
    report(.clientClosed(request, waited: environment.elapsed() - request.time))
  }

  /// Passes on what clients did; what `shutdown()` did to them is no news.
  private func report(_ event: StandInEvent) {
    if gate.isPassable { environment.record(event) }
  }
}
