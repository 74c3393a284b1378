internal import Foundations
internal import MockEngine
internal import MockServer
internal import OrderedCollections
internal import ScenarioEvents
internal import ScenarioModel
internal import Supervisor
internal import Synchronization

/// Collects network failures of the targets, each with the step in which it happened.
final class NetworkFindings: Sendable {
  private enum Finding: Hashable {
    case event(MockServerEvent)
    case connection(InternetAddress, isDatagram: Bool, by: RefusedClient)
    case lookup(RefusedLookup)
  }

  /// A process that has accepted the certificate of a host.
  private struct TrustingClient: Hashable {
    let process: Int32
    let host: String
  }

  private struct State {
    var step: SourceRange
    var findings: [Located<Finding>] = []
    var omitted = 0
    var lastRequest: RecordedRequest?
    var abandonments: [String] = []
    var unmatched = UnmatchedRequests()
    /// The processes that have made requests by TLS, with the hosts that they asked.
    var trusting: Set<TrustingClient> = []
    var silences = ClientSilences()
    /// The requests that programs have not answered yet, in words, by their numbers.
    var unanswered: OrderedDictionary<Int, String> = [:]
    /// The names that were looked up and that nothing knows, with the first program of each.
    var unknownNames: OrderedDictionary<String, String?> = [:]
    /// True once the runner ends the targets: what they leave unanswered then is not their doing.
    var isEnding = false
  }

  /// The maximum number of clients that gave up which are reported.
  private static let abandonmentLimit = 10

  /// The maximum number of unknown names that are reported.
  private static let unknownNameLimit = 100

  /// The maximum number of findings that are kept; a client that floods has as many as it likes.
  private static let findingLimit = 1_000

  private let state: Mutex<State>

  /// Creates an empty list.
  ///
  /// - Parameter range: where findings belong until a step begins.
  init(before range: SourceRange) {
    state = Mutex(State(step: range))
  }

  /// Assigns the findings from here on to a step.
  func enter(_ step: SourceRange) {
    state.withLock { $0.step = step }
  }

  /// The runner ends the targets from here on.
  func endTargets() {
    state.withLock { $0.isEnding = true }
  }

  /// Returns whether an event is of no interest, as the runner has brought it about.
  func ignores(_ event: MockServerEvent) -> Bool {
    if case .handlerFailed = event { state.withLock { $0.isEnding } } else { false }
  }

  /// Records an event; requests that were answered are not findings.
  func add(_ event: MockServerEvent) {
    guard event.warning == nil else { return }
    if case .exchanged = event { return }
    switch event {
    case .linkFault, .hostConnection, .piece: return
    default: break
    }
    if case .exhausted = event { return }
    if case .webhook(let attempt) = event, attempt.loss != .fail { return }
    if case .handlerFailed(_, _, let unanswered) = event, unanswered != .fail { return }
    if case .request(let request) = event {
      return state.withLock { state in
        state.lastRequest = request
        state.unanswered[request.number] = nil
        if let process = request.origin?.process, let host = request.acceptedHost {
          state.trusting.insert(TrustingClient(process: process, host: host))
        }
      }
    }
    if case .handlerAsked(let request, let command) = event {
      let text = "\(request.summary): the handler \"\(command.first ?? "")\" has not answered yet"
      return state.withLock { $0.unanswered[request.number] = text }
    }
    if case .message = event { return }
    if case .unknownName(let name, let program) = event {
      return state.withLock { state in
        guard state.unknownNames.count < Self.unknownNameLimit, state.unknownNames[name] == nil
        else { return }
        state.unknownNames[name] = .some(program)
      }
    }
    if case .connected(let host, let hasSpoken) = event {
      return state.withLock { $0.silences.record(host, hasSpoken: hasSpoken) }
    }
    if case .clientClosed(let request, let waited) = event {
      return state.withLock { state in
        guard state.abandonments.count < Self.abandonmentLimit else { return }
        state.abandonments.append(Self.text(of: request, waited: waited))
      }
    }
    if case .unmatched(let request, let nearMisses) = event {
      return state.withLock { state in
        let key = UnmatchedRequests.Key(
          summary: request.summary, nearMisses: nearMisses, spentEntry: request.spentEntry,
          step: state.step)
        guard state.unmatched.record(key, at: request.time) else { return }
        state.findings.append(Located(.event(event), at: state.step))
      }
    }
    // A client that tries again is the same.
    if case .missingCertificate = event { return recordOnce(.event(event)) }
    record(.event(event))
  }

  /// The names that were looked up and that nothing knows, in order, the first ones.
  var unknownNames: [NetworkAccount.UnknownName] {
    state.withLock { $0.unknownNames }.map { name, program in
      NetworkAccount.UnknownName(name: name, program: program)
    }
  }

  /// The lines that name the hosts whose clients waited for the server to speak first.
  var silences: [String] {
    state.withLock { $0.silences.lines }
  }

  /// The requests that programs have not answered yet, in words, the first ones.
  var unanswered: [String] {
    state.withLock { Array($0.unanswered.values.prefix(Self.abandonmentLimit)) }
  }

  /// Clients that did not wait for their replies, in words.
  var abandonments: [String] {
    state.withLock { $0.abandonments }
  }

  private static func text(of request: RecordedRequest, waited: Nanoseconds) -> String {
    let due =
      request.fault == .hang
      ? "the entry never replies" : "the reply was due at +\(request.time + request.delay)"
    return "\(request.summary): \(due), but the client closed at +\(request.time + waited)"
  }

  /// The help for the last request, if what answers it is `hang`; `nil` otherwise.
  var helpForHang: String? {
    guard let request = state.withLock({ $0.lastRequest }), request.fault == .hang else {
      return nil
    }
    return request.entry == nil
      ? "`unmatched: hang` never answers \(request.summary): add a response for it, or end the target with a step"
      : "`fault: hang` never answers \(request.summary): let the target give up by a time limit of its own, or end it with"
        + " a step"
  }

  /// The last request that was answered, in words; `nil` before the first.
  var lastRequest: String? {
    state.withLock { $0.lastRequest }.map { request in
      "last request: \(request.summary) at +\(request.time.description)"
    }
  }

  /// Records a connection that was refused because the network is closed; each address and program
  /// once.
  func recordConnection(
    to address: InternetAddress, isDatagram: Bool, by client: RefusedClient
  ) {
    recordOnce(.connection(address, isDatagram: isDatagram, by: client))
  }

  /// Records a host name that was looked up while the network is closed; each name and program
  /// once.
  func recordLookup(of name: String?, by client: RefusedClient) {
    recordOnce(.lookup(RefusedLookup(name: name, client: client)))
  }

  private func record(_ finding: Finding) {
    state.withLock { state in
      guard state.findings.count < Self.findingLimit else {
        state.omitted += 1
        return
      }
      state.findings.append(Located(finding, at: state.step))
    }
  }

  private func recordOnce(_ finding: Finding) {
    state.withLock { state in
      guard state.findings.count < Self.findingLimit,
        !state.findings.contains(where: { $0.value == finding })
      else { return }
      state.findings.append(Located(finding, at: state.step))
    }
  }

  /// Returns the failures that follow from the findings.
  ///
  /// - Parameters:
  ///   - hasAuthority: whether the target was given an authority to trust; not so where no response
  ///     speaks TLS.
  ///   - trust: returns how the process that has made a connection learned whom to trust, by the
  ///     connection's number.
  func failures(hasAuthority: Bool, trust: (Int) -> TrustReport?) -> [Failure] {
    let (findings, counter, omitted, step, trusting) = state.withLock {
      ($0.findings, $0.unmatched, $0.omitted, $0.step, $0.trusting)
    }
    // One failure tells all names.
    let lookups = findings.compactMap { finding -> RefusedLookup? in
      if case .lookup(let lookup) = finding.value { lookup } else { nil }
    }
    var failures: [Failure] = findings.compactMap { finding in
      switch finding.value {
      case .event(.unmatched(let request, let nearMisses)):
        let key = UnmatchedRequests.Key(
          summary: request.summary, nearMisses: nearMisses, spentEntry: request.spentEntry,
          step: finding.range)
        return unmatched(request, nearMisses, again: counter.again(key)).at(finding.range)
      case .event(.rejectedCertificate(let host, let message, let origin, let manner)):
        let trust = origin.flatMap { trust($0.connection) }
        // The kernel closes what a killed process has open, which says nothing of trust.
        if manner == .left, trust?.wasKilled == true { return nil }
        // Browsers open connections that they may need, and give up those that come late.
        if manner != .alert, let origin,
          trusting.contains(TrustingClient(process: origin.process, host: host))
        {
          return nil
        }
        return hasAuthority
          ? Failure(rejectedBy: origin, host: host, message: message, trust: trust).at(
            finding.range)
          : Failure(unansweredBy: host, origin).at(finding.range)
      case .event(let event): return failure(event)?.at(finding.range)
      case .connection(let address, let isDatagram, let client):
        return Failure(refused: address, isDatagram: isDatagram, by: client).at(finding.range)
      case .lookup(let lookup):
        return lookup == lookups.first ? Failure(lookups: lookups).at(finding.range) : nil
      }
    }
    if counter.unreported > 0, let last = findings.last {
      let further = Failure(
        category: .expectation, type: "network.unmatched",
        message: counter.unreported == 1
          ? "one more request had no response"
          : "\(counter.unreported) more requests had no response",
        help: "see all requests in the report of `--report jsonl=FILE`")
      failures.append(further.at(last.range))
    }
    if omitted > 0 {
      failures.append(
        Failure(
          category: .error, type: "network.findings",
          message: "\(omitted) more errors occurred on the target's network",
          help: "fix the reported ones first"
        ).at(step))
    }
    return failures
  }

  /// The entry that would answer a request.
  private static func suggestion(for request: RecordedRequest) -> [String] {
    guard let incoming = IncomingRequest(request) else { return [] }
    return ["add this response:"] + RequestSuggestion.lines(for: incoming).map { "  " + $0 }
  }

  private func unmatched(
    _ request: RecordedRequest, _ nearMisses: [String], again: String?
  ) -> Failure {
    Failure(
      category: .expectation, type: "network.unmatched",
      message: "no response for \(request.summary)",
      details: (again.map { [$0] } ?? []) + nearMisses
        + (request.spentEntry == nil ? Self.suggestion(for: request) : []),
      help: request.spentEntry == nil
        ? "add an entry for it to `responses:`"
        : "add replies to `reply:` of the entry that matches, or `then: repeat`, which repeats the last one"
    )
  }

  private func failure(_ event: MockServerEvent) -> Failure? {
    switch event {
    case .request, .handlerAsked, .clientClosed, .message, .rejectedCertificate, .upstreamFailed,
      .relayFailed, .exchanged, .unmatched, .connected, .linkFault, .hostConnection, .piece,
      .stranger, .exhausted, .unknownName:
      nil
    case .brokenSession(let request, let message, let range):
      Failure(
        category: .expectation, type: "network.websocket",
        message: """
          the \(request.conversationKind) of \(request.summary) did not go as the scenario expects: \
          \(message)
          """, range: range)
    case .undescribed(let request, let document, let problems, let isReply, let range):
      Failure(
        category: .expectation, type: "network.openapi",
        message:
          "\(isReply ? "the reply to " : "")\(request.summary) is not as \(document) says: \(problems.first ?? "")"
          + (isReply ? request.entry.map { ", from \"\($0)\"" } ?? "" : ""),
        range: range, details: Array(problems.dropFirst()),
        help: isReply
          ? "describe the status or body in the document, correct what answers, or write \"check: requests\" beside the document"
          : "correct the program or the document; or write \"check: replies\" beside the document")
    case .brokenReply(let request, let message):
      Failure(
        category: .error, type: "network.reply",
        message: "the reply to \(request.summary) cannot be made: \(message)")
    case .handlerFailed(let request, let message, _):
      Failure(
        category: .expectation, type: "network.handler", message: "\(request.summary): \(message)",
        help:
          "let the target listen, or the program answer each line with one, and see its output; or add \"unanswered: warn\" to \"handler\""
      )
    case .missingCertificate(let host, let program):
      Failure(
        category: .expectation, type: "network.certificate",
        message:
          "\(program ?? "a client") has presented no certificate to \(host), and was refused",
        help:
          "let it present one; or add an entry with `client_certificate: { absent: true }` to `responses:`, which answers without"
      )
    case .webhook(let attempt): Failure(lost: attempt)
    case .hostSpokeFirst(let host):
      Failure(
        category: .error, type: "network.speaksFirst",
        message: "\(host) speaks first, like servers of SMTP, FTP, SSH and many databases",
        help:
          "only HTTP can be recorded; set `network: { hosts: { NAME: live } }` to exclude a host")
    case .malformedRequest(let host, let message):
      Failure(
        category: .error, type: "network.malformed",
        message: "\"\(host)\" received data that is not a valid request: \(message)")
    }
  }
}

extension RecordedRequest {
  /// The kind of a conversation, in words.
  fileprivate var conversationKind: String {
    if isConversation { return "script" }
    return status == 101 ? "WebSocket" : "conversation"
  }

  /// `POST https://api.example.com/orders`, with the GraphQL operation where there is one.
  var summary: String {
    if isConversation { return url }
    return operation.map { "\(method) \(url) (operation \"\($0)\")" } ?? "\(method) \(url)"
  }
}

extension RequestDescription {
  /// Describes a request for reports.
  init(_ request: RecordedRequest) {
    self.init(
      method: request.method, url: request.url, operation: request.operation,
      status: request.fault?.sendsReply == false || request.isConversation
        ? nil : request.status, entry: request.entry,
      time: request.time, connection: request.origin?.connection,
      arguments: request.origin?.arguments)
    number = request.number
    if request.delay > .zero { delay = request.delay }
    if !request.changes.isEmpty { state = request.changes.map(\.line) }
  }
}

extension MockServerEvent {
  /// The warning of an event that fails nothing: the target got what the real host gave.
  var warning: String? {
    switch self {
    case .upstreamFailed(let request, let message, let help):
      "\(request.method) \(request.url) got no answer from the real host: \(message); help: \(help)"
    case .relayFailed(let host, let message, let help):
      "the real host \"\(host)\" could not be reached: \(message); help: \(help)"
    case .webhook(let attempt): attempt.loss == .warn ? attempt.lossText : nil
    case .handlerFailed(let request, let message, .warn): "\(request.summary): \(message)"
    case .stranger(let host, let stranger):
      "\(stranger.program.map { "\"\($0)\"" } ?? "a process"), which is not part of the scenario, connected to"
        + " the mock server of \(host), and was refused"
    default: nil
    }
  }
}

extension StateChange {
  /// The change as a line of reports: `todo: "added"`.
  var line: String { "\(name): \(text)" }
}
