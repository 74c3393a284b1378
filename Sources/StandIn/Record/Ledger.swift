internal import ScenarioModel
internal import ScenarioPlan
import Synchronization

/// The queue of replies and the list of requests, in step with each other.
///
/// The event loop writes; any thread may read, also when the loop has ended.
final class Ledger: Sendable {
  private struct State {
    var queue: ResponseQueue
    var requests: [RecordedRequest] = []
    var messages: [RecordedMessage] = []
    /// What real hosts were asked, in order; `nil` while the answer is not complete.
    var exchanges: [RecordedExchange?] = []
  }

  private let state: Mutex<State>

  init(network: PlannedNetwork) {
    state = Mutex(State(queue: ResponseQueue(responses: network.responses)))
  }

  /// Takes the next reply for a request, if there is one.
  func claim(_ request: IncomingRequest, scope: some RunScope & Sendable) -> Claim {
    state.withLock { $0.queue.claim(request, scope: scope) }
  }

  /// Writes a request down under the next number.
  func append(_ request: (_ number: Int) -> RecordedRequest) -> RecordedRequest {
    state.withLock { state in
      let record = request(state.requests.count + 1)
      state.requests.append(record)
      return record
    }
  }

  /// Writes a message down.
  func append(_ message: RecordedMessage) {
    state.withLock { $0.messages.append(message) }
  }

  func messages() -> [RecordedMessage] {
    state.withLock { $0.messages }
  }

  func requests() -> [RecordedRequest] {
    state.withLock { $0.requests }
  }

  func unused() -> [UnusedResponse] {
    state.withLock { $0.queue.unused() }
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
