internal import Foundations
internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan
import Synchronization

/// The stubs of a scenario, and the log of its requests and what answered them, in step with each other.
///
/// The event loop writes; any thread may read, also when the loop has ended.
final class ExchangeLog: Sendable {
  private struct State {
    var queue: StubQueue
    var faults: ConnectionFaults
    var conversations: Conversations
    var requests: [RecordedRequest] = []
    var messages: [RecordedMessage] = []
    var messageBytes = 0
    /// The number of bytes of bodies that are kept.
    var bodyBytes = 0
    /// The changes of the state by steps, each with the number of requests before it.
    var stepChanges: [(requestCount: Int, change: StateChange)] = []
    /// Exchanges with real hosts, in order of their requests; `nil` while they are not complete.
    var exchanges: [RecordedExchange?] = []
    var unreachable: [String: (fault: RecordedFault, isRecorded: Bool)] = [:]

    /// Cuts the body of a request if there is no room for it.
    mutating func fit(_ request: inout RecordedRequest) {
      let size = request.body.count
      if size > RecordedRequest.maximumKeptBody || bodyBytes + size > ExchangeLog.maximumBodyBytes {
        request.cutBody()
      }
      bodyBytes += request.body.count
    }
  }

  /// The maximum number of latest requests that an unused stub is compared with.
  private static let comparedCount = 500

  private let network: PlannedNetwork
  private let demands: CertificateDemands
  /// The values that conditions may use besides the request.
  private let scope: CaseScope
  private let state: Mutex<State>

  init(network: PlannedNetwork, scope: CaseScope) {
    self.network = network
    demands = CertificateDemands(of: network)
    self.scope = scope
    state = Mutex(
      State(
        queue: StubQueue(responses: network.responses, state: network.state ?? []),
        faults: ConnectionFaults(of: network),
        conversations: Conversations(network.conversations)))
  }

  /// Dequeues the next reply for a request, if there is one.
  func claim(
    _ request: IncomingRequest, explainsNearMisses: Bool = true
  ) -> MatchResult {
    state.withLock {
      $0.queue.claim(request, scope: scope, explainsNearMisses: explainsNearMisses)
    }
  }

  /// The state that the stubs share.
  func caseState() -> Value {
    state.withLock { $0.queue.state.value }
  }

  /// Changes the state that the stubs share, as a step says.
  func set(_ changes: [PlannedStateChange]) throws(RunScopeError) {
    let result = state.withLock { state -> Result<Void, RunScopeError> in
      do throws(RunScopeError) {
        let made = try state.queue.set(changes, scope: scope)
        state.stepChanges += made.map { (state.requests.count, $0) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// The changes of the state by steps, each with the number of requests before it.
  func stepChanges() -> [(requestCount: Int, change: StateChange)] {
    state.withLock { $0.stepChanges }
  }

  /// Returns whether an unmatched request matches a stub whose queue is empty.
  func hasSpentEntry(for request: IncomingRequest) -> Bool {
    state.withLock { $0.queue.hasSpentEntry(for: request, scope: scope) }
  }

  /// What may answer a request that no stub does, before the scenario's word about unmatched ones.
  enum Substitute {
    case realHost
    /// A document or a schema that describes the host.
    case description
  }

  /// What may answer a request that no stub does; `nil` if the queue of the first stub for it has ended so that another
  /// request is a failure.
  func substitute(for request: IncomingRequest) -> Substitute? {
    guard !state.withLock({ $0.queue.failsAtEnd(request, scope: scope) }) else { return nil }
    return network.mode(ofHost: request.target.host) == .spy ? .realHost : .description
  }

  /// Returns whether connections to a host are refused because no stub names it.
  func refusesConnection(to names: [String], port: UInt16) -> Bool {
    network.refusesConnection(to: names, port: port)
  }

  /// Enables the stubs of a `responses:` step.
  func open(step: Int) {
    state.withLock { $0.queue.open(step: step) }
  }

  /// Records a request under the next number.
  func append(_ request: (_ number: Int) -> RecordedRequest) -> RecordedRequest {
    state.withLock { state in
      var record = request(state.requests.count + 1)
      state.fit(&record)
      state.requests.append(record)
      return record
    }
  }

  /// The maximum number of bytes of the bodies of all requests that are kept whole.
  static let maximumBodyBytes = 128 * 1024 * 1024
  /// The maximum number of bytes of bodies that unused stubs are compared with as a whole.
  private static let maximumComparedBytes = 16 * 1024 * 1024

  /// The maximum number of messages that are kept; later ones are reported and forgotten.
  static let maximumMessages = 10_000
  /// The maximum number of their bytes.
  static let maximumMessageBytes = 16 * 1024 * 1024

  /// Records a message, as long as there is room.
  func append(_ message: RecordedMessage) {
    state.withLock { state in
      guard state.messages.count < Self.maximumMessages,
        state.messageBytes + message.bytes.count <= Self.maximumMessageBytes
      else { return }
      state.messages.append(message)
      state.messageBytes += message.bytes.count
    }
  }

  func messages() -> [RecordedMessage] {
    state.withLock { $0.messages }
  }

  func requests() -> [RecordedRequest] {
    state.withLock { $0.requests }
  }

  /// The fault of a connection in a phase; `nil` without one.
  func fault(
    _ names: [String], port: UInt16?, in phase: ConnectionFaults.Phase, counts: Bool = true
  ) -> ConnectionFault? {
    state.withLock { $0.faults.claim(names, port: port, in: phase, counts: counts) }
  }

  /// Returns whether a script is left for a connection.
  func hasConversation(_ names: [String], port: UInt16) -> Bool {
    guard !network.conversations.isEmpty else { return false }
    return state.withLock { state in
      var conversations = state.conversations
      return conversations.claim(names, port: port) != nil
    }
  }

  /// Takes the script of a new connection; `nil` if there is none.
  func claimConversation(_ names: [String], port: UInt16) -> Conversations.Claim? {
    state.withLock { $0.conversations.claim(names, port: port) }
  }

  /// What a host wants to see of its clients in the handshake.
  func certificateDemand(of names: [String], port: UInt16) -> CertificateDemand {
    demands.demand(of: names, port: port)
  }

  /// True if an entry is about lookups of names.
  var hasNameFaults: Bool { state.withLock { $0.faults.hasNameFaults } }

  /// Returns whether an entry is about some lookups of a name only.
  func countsNameFaults(of name: String) -> Bool {
    state.withLock { $0.faults.countsNameFaults(of: name) }
  }

  /// The fault of a name's lookup; `nil` without one.
  func nameFault(of name: String, counts: Bool) -> ConnectionFault.NameFault? {
    guard case .dns(let fault)? = fault([name], port: nil, in: .resolving, counts: counts)
    else { return nil }
    return fault
  }

  /// Stubs with unused replies, and the requests that came nearest to them.
  func unused() -> [UnusedResponse] {
    state.withLock { state in
      var room = Self.maximumComparedBytes
      let compared = state.requests.suffix(Self.comparedCount).compactMap { record in
        var record = record
        if record.body.count > room { record.cutBody() } else { room -= record.body.count }
        return IncomingRequest(record)
      }
      let responses = state.queue.unused().map { unused in
        var unused = unused
        if unused.usedCount == 0 {
          (unused.nearest, unused.wasOvertaken) = state.queue.nearest(
            to: unused.entry, among: compared, scope: scope)
        }
        return unused
      }
      return responses + state.faults.unused() + state.conversations.unused()
    }
  }

  // MARK: - Real hosts

  /// Records the status of the answer to a request, and how much longer it is held back; returns the request.
  func setStatus(
    _ status: Int, ofRequest number: Int, delay: Nanoseconds = .zero
  ) -> RecordedRequest? {
    state.withLock { state in
      guard state.requests.indices.contains(number - 1) else { return nil }
      state.requests[number - 1].status = status
      state.requests[number - 1].delay += delay
      return state.requests[number - 1]
    }
  }

  /// Records the body of a request that was answered before it had come.
  func setBody(
    _ body: [UInt8], length: Int, call: IncomingCall? = nil, ofRequest number: Int
  ) {
    state.withLock { state in
      guard state.requests.indices.contains(number - 1) else { return }
      var record = state.requests[number - 1]
      if let call { record.call = call }
      state.bodyBytes -= record.body.count
      record.body = body
      record.bodyLength = length
      state.fit(&record)
      state.requests[number - 1] = record
    }
  }

  /// Dequeues the next reply for a request of which only the head has come; `nil` if that is too early.
  func claimOpening(_ request: IncomingRequest) -> MatchResult? {
    state.withLock { $0.queue.claimOpening(request, scope: scope) }
  }

  /// Returns whether a stub may answer for a host.
  func mayAnswer(host: String) -> Bool {
    state.withLock { $0.queue.mayAnswer(host: host) }
  }

  /// Records a place to which no connection is possible; answers whether that is new.
  func recordUnreachable(_ place: String, _ fault: RecordedFault, isRecorded: Bool) -> Bool {
    state.withLock { state in
      let isNews = state.unreachable[place]?.fault != fault
      state.unreachable[place] = (fault, isRecorded)
      return isNews
    }
  }

  /// The unreachable places that belong into a recording.
  func unreachable() -> [String: RecordedFault] {
    state.withLock { $0.unreachable }.filter(\.value.isRecorded).mapValues(\.fault)
  }

  /// Returns whether a stub may answer a request of which only the head has come.
  func mayAnswer(_ request: IncomingRequest) -> Bool {
    state.withLock { $0.queue.mayAnswer(request, scope: scope) }
  }

  /// Opens the next exchange with a real host, and answers its place in the order.
  func openExchange() -> Int {
    state.withLock { state in
      state.exchanges.append(nil)
      return state.exchanges.count - 1
    }
  }

  /// Records the exchange that was opened at a place.
  func closeExchange(_ exchange: RecordedExchange, at place: Int) {
    state.withLock { $0.exchanges[place] = exchange }
  }

  /// The complete exchanges with real hosts, in the order of their requests.
  func exchanges() -> [RecordedExchange] {
    state.withLock { $0.exchanges }.compactMap { $0 }
  }
}
