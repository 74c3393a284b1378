internal import ScenarioModel
internal import ScenarioPlan
import Synchronization

/// The queue of replies and the list of requests, in step with each other.
///
/// The event loop writes; any thread may read, also when the loop has ended.
final class ExchangeLog: Sendable {
  private struct State {
    var queue: ResponseQueue
    var faults: ConnectionFaults
    var requests: [RecordedRequest] = []
    var messages: [RecordedMessage] = []
    var messageBytes = 0
    /// What real hosts were asked, in order; `nil` while the answer is not complete.
    var exchanges: [RecordedExchange?] = []
    var unreachable: [String: (fault: RecordedFault, isRecorded: Bool)] = [:]
  }

  /// How many of the latest requests an entry that nobody asked for is compared with.
  private static let comparedCount = 500

  private let network: PlannedNetwork
  private let state: Mutex<State>

  init(network: PlannedNetwork) {
    self.network = network
    state = Mutex(
      State(
        queue: ResponseQueue(responses: network.responses),
        faults: ConnectionFaults(network.connectionFaults)))
  }

  /// Takes the next reply for a request, if there is one.
  func claim(
    _ request: IncomingRequest, scope: some RunScope & Sendable, tellsNearMisses: Bool = true
  ) -> Claim {
    state.withLock {
      $0.queue.claim(request, scope: scope, tellsNearMisses: tellsNearMisses)
    }
  }

  /// Whether a request that no entry answers matches one that has come to its end.
  func hasSpentEntry(for request: IncomingRequest, scope: some RunScope & Sendable) -> Bool {
    state.withLock { $0.queue.hasSpentEntry(for: request, scope: scope) }
  }

  /// Whether the first entry for a request has come to an end that is a failure.
  func failsAtEnd(_ request: IncomingRequest, scope: some RunScope & Sendable) -> Bool {
    state.withLock { $0.queue.failsAtEnd(request, scope: scope) }
  }

  /// Whether connections to a host are refused because no entry speaks of it.
  func refusesConnection(to names: [String], port: UInt16) -> Bool {
    network.refusesConnection(to: names, port: port)
  }

  /// Lets the entries answer that a `respond:` step brings.
  func open(step: Int) {
    state.withLock { $0.queue.open(step: step) }
  }

  /// Writes a request down under the next number.
  func append(_ request: (_ number: Int) -> RecordedRequest) -> RecordedRequest {
    state.withLock { state in
      let record = request(state.requests.count + 1)
      state.requests.append(record)
      return record
    }
  }

  /// How many messages are kept; those that come later are told of and forgotten.
  static let maximumMessages = 10_000
  /// How many of their bytes.
  static let maximumMessageBytes = 16 * 1024 * 1024

  /// Writes a message down, as long as there is room.
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

  /// How a connection goes wrong in a phase; `nil` if it does not.
  func fault(
    _ names: [String], port: UInt16?, in phase: ConnectionFaults.Phase, counts: Bool = true
  ) -> ConnectionFault? {
    state.withLock { $0.faults.claim(names, port: port, in: phase, counts: counts) }
  }

  /// Entries with replies that nobody asked for, and the requests that came nearest to them.
  func unused(scope: some RunScope & Sendable) -> [UnusedResponse] {
    state.withLock { state in
      let compared = state.requests.suffix(Self.comparedCount).compactMap(IncomingRequest.init)
      let responses = state.queue.unused().map { unused in
        var unused = unused
        if unused.usedCount == 0 {
          (unused.nearest, unused.wasOvertaken) = state.queue.nearest(
            to: unused.entry, among: compared, scope: scope)
        }
        return unused
      }
      return responses + state.faults.unused()
    }
  }

  // MARK: - Real hosts

  /// Notes the status that a request was answered with, and returns it.
  func setStatus(_ status: Int, ofRequest number: Int) -> RecordedRequest? {
    state.withLock { state in
      guard state.requests.indices.contains(number - 1) else { return nil }
      state.requests[number - 1].status = status
      return state.requests[number - 1]
    }
  }

  /// Notes the body of a request that was answered before it had come.
  func setBody(_ body: [UInt8], length: Int, ofRequest number: Int) {
    state.withLock { state in
      guard state.requests.indices.contains(number - 1) else { return }
      state.requests[number - 1].body = Array(body.prefix(RecordedRequest.maximumKeptBody))
      state.requests[number - 1].bodyLength = length
    }
  }

  /// Takes the next reply for a request of which only the head has come; `nil` if that is too early.
  func claimOpening(_ request: IncomingRequest, scope: some RunScope & Sendable) -> Claim? {
    state.withLock { $0.queue.claimOpening(request, scope: scope) }
  }

  /// Whether an entry may answer for a host.
  func mayAnswer(host: String) -> Bool {
    state.withLock { $0.queue.mayAnswer(host: host) }
  }

  /// Notes a place to which no connection came about; whether that is news.
  func noteUnreachable(_ place: String, _ fault: RecordedFault, isRecorded: Bool) -> Bool {
    state.withLock { state in
      let isNews = state.unreachable[place]?.fault != fault
      state.unreachable[place] = (fault, isRecorded)
      return isNews
    }
  }

  /// The places that were noted for a recording.
  func unreachable() -> [String: RecordedFault] {
    state.withLock { $0.unreachable }.filter(\.value.isRecorded).mapValues(\.fault)
  }

  /// Whether an entry may answer a request of which only the head has come.
  func mayAnswer(_ request: IncomingRequest, scope: some RunScope & Sendable) -> Bool {
    state.withLock { $0.queue.mayAnswer(request, scope: scope) }
  }

  /// Takes the next place in the order of what is recorded.
  func openExchange() -> Int {
    state.withLock { state in
      state.exchanges.append(nil)
      return state.exchanges.count - 1
    }
  }

  /// Fills a place.
  func closeExchange(_ exchange: RecordedExchange, at place: Int) {
    state.withLock { $0.exchanges[place] = exchange }
  }

  /// What was recorded, in the order in which it was asked.
  func exchanges() -> [RecordedExchange] {
    state.withLock { $0.exchanges }.compactMap { $0 }
  }
}
