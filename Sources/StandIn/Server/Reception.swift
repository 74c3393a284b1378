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
    var record: RecordedRequest
    /// The real host's answer, where that is asked for in place of `reply`.
    var exchange: UpstreamExchange?
  }

  let certificates: LeafContexts
  let listeners: Listeners
  let network: PlannedNetwork
  let upstream: UpstreamClient
  let environment: StandInEnvironment
  let ledger: Ledger
  private let gate: LoopGate
  private let origins: ClientOrigins

  init(
    network: PlannedNetwork, authority: CertificateAuthority, environment: StandInEnvironment,
    ledger: Ledger, gate: LoopGate, origins: ClientOrigins, upstream: UpstreamClient
  ) {
    certificates = LeafContexts(authority: authority)
    listeners = Listeners(loop: gate.loop)
    self.network = network
    self.upstream = upstream
    self.environment = environment
    self.ledger = ledger
    self.gate = gate
    self.origins = origins
  }

  // MARK: - Requests

  /// Claims a reply for a request, makes it ready, and writes both down.
  ///
  /// - Throws: If the request's target cannot be read as a URL.
  func answer(
    _ request: ReceivedRequest, on connection: ClientConnection
  ) throws(PatternError) -> Answer {
    let target = try RequestTarget(
      scheme: connection.scheme,
      authority: connection.authority(hostHeader: request.head.headers.first(name: "host")),
      target: request.head.uri)
    let incoming = IncomingRequest(
      method: request.head.method.rawValue, target: target,
      headers: request.head.headers.map { .init(name: $0.name, value: $0.value) },
      body: Array(request.body.readableBytesView))
    let mode = network.mode(ofHost: target.host)
    if mode == .record { return live(request, incoming, on: connection) }
    let scope = CaseScope(directory: environment.directory)
    switch ledger.claim(incoming, scope: scope) {
    case .reply(let claimed):
      return answer(incoming, with: claimed, on: connection)
    case .unmatched where mode == .spy: return live(request, incoming, on: connection)
    case .unmatched(let nearMisses):
      let record = record(incoming, on: connection, status: 501)
      environment.record(.unmatched(record, nearMisses: nearMisses))
      let lines = ["no response answers \(record.method) \(record.url)"] + nearMisses
      return Answer(
        reply: PreparedReply(status: 501, mark: "unmatched", lines: lines), record: record)
    }
  }

  private func answer(
    _ request: IncomingRequest, with claimed: ClaimedReply, on connection: ClientConnection
  ) -> Answer {
    let scope = RequestScope(
      request: request, captures: claimed.captures,
      base: CaseScope(directory: environment.directory))
    do {
      let reply = try PreparedReply(claimed.reply, in: scope)
      let record = record(
        request, on: connection, status: reply.status, entry: claimed.name,
        delay: claimed.reply.delay)
      recordExchange(record, reply)
      return Answer(reply: reply, record: record)
    } catch {
      let record = record(request, on: connection, status: 500, entry: claimed.name)
      environment.record(.brokenReply(record, message: error.message))
      let lines = ["the reply of \"\(claimed.name)\" cannot be made: \(error.message)"]
      return Answer(
        reply: PreparedReply(status: 500, mark: "broken", lines: lines), record: record)
    }
  }

  private func record(
    _ request: IncomingRequest, on connection: ClientConnection, status: Int,
    entry: String? = nil, delay: Nanoseconds = .zero
  ) -> RecordedRequest {
    let time = environment.elapsed()
    let origin = origin(of: connection)
    let record = ledger.append { number in
      RecordedRequest(
        number: number, method: request.method, url: request.target.text,
        headers: request.headers.map { .init(name: $0.name, value: $0.value) },
        body: Array(request.body.prefix(RecordedRequest.maximumKeptBody)),
        bodyLength: request.body.count, operation: request.operationName, entry: entry,
        status: status, time: time, delay: delay, origin: origin)
    }
    environment.record(.request(record))
    return record
  }

  // MARK: - Time

  /// The value of a `date` header, now.
  var date: String? {
    HTTPDate.text(environment.now())
  }

  /// Runs the work on the loop once that much virtual time has passed.
  func schedule(_ delay: Nanoseconds, _ work: @escaping @Sendable () -> Void) {
    let gate = gate
    environment.schedule(delay) { gate.execute(work) }
  }

  // MARK: - Other news

  func recordMalformed(_ connection: ClientConnection, _ message: String) {
    report(.malformedRequest(host: connection.name, message: message))
  }

  func recordRejectedCertificate(_ connection: ClientConnection, _ message: String) {
    report(
      .rejectedCertificate(
        host: connection.name, message: message, origin: origin(of: connection)))
  }

  /// Who is at the other end; `nil` if nobody has said.
  func origin(of connection: ClientConnection) -> ClientOrigin? {
    guard let ports = connection.ports else { return nil }
    return origins.origin(sourcePort: ports.source, port: ports.local)
  }

  func recordClosed(_ request: RecordedRequest) {
    report(.clientClosed(request, waited: environment.elapsed() - request.time))
  }

  /// Passes on what clients did; what `shutdown()` did to them is no news.
  func report(_ event: StandInEvent) {
    if gate.isPassable { environment.record(event) }
  }
}
