internal import ScenarioEvents
internal import StandIn
internal import Synchronization

/// What went wrong at the stand-in, as it happened.
final class NetworkFindings: Sendable {
  private let events = Mutex<[StandInEvent]>([])

  /// Takes note of an event; requests that were answered are not findings.
  func add(_ event: StandInEvent) {
    if case .request = event { return }
    events.withLock { $0.append(event) }
  }

  /// The failures that the findings are.
  func failures() -> [Failure] {
    events.withLock { $0 }.compactMap(failure)
  }

  private func failure(_ event: StandInEvent) -> Failure? {
    switch event {
    case .request, .clientClosed:
      nil
    case .unmatched(let request, let nearMisses):
      Failure(
        category: .expectation, type: "network.unmatched",
        message: "no response for \(request.summary)", details: nearMisses,
        help: "add an entry for it to `responses:`, or more `replies:` to the one that matches")
    case .brokenReply(let request, let message):
      Failure(
        category: .error, type: "network.reply",
        message: "the reply to \(request.summary) cannot be made: \(message)")
    case .rejectedCertificate(let host, let message):
      Failure(
        category: .error, type: "network.certificate",
        message: "the target did not trust the stand-in's certificate for \"\(host)\": \(message)",
        help: """
          the usual bundle files and variables (SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, …) point to the \
          run's authority; a program with certificates of its own must be told to read one of them
          """)
    case .malformedRequest(let host, let message):
      Failure(
        category: .error, type: "network.malformed",
        message: "what \"\(host)\" was sent is not a request that can be answered: \(message)")
    }
  }
}

extension RecordedRequest {
  /// `POST https://api.example.com/orders`, with the GraphQL operation where there is one.
  var summary: String {
    operation.map { "\(method) \(url) (operation \"\($0)\")" } ?? "\(method) \(url)"
  }
}

extension RequestDescription {
  /// A request as reports tell it.
  init(_ request: RecordedRequest) {
    self.init(
      method: request.method, url: request.url, operation: request.operation,
      status: request.status, entry: request.entry, time: request.time)
  }
}
