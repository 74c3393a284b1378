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
}
