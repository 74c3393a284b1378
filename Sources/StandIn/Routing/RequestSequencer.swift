internal import ScenarioPlan

/// The requests that wait for their turn to claim a reply.
///
/// Which of several clients that ask at one instant is heard first is a matter of real time. Their requests wait here
/// until nobody can ask anything more at that instant, and then go in the order of the tree, which is the same
/// in each run. A request that is the only one to come goes at once.
///
/// Lives on the event loop.
final class RequestSequencer {
  private struct Request {
    var place: CausalOrder
    var stream: Int
    var connection: ClientConnection
    var claim: () -> Void
  }

  /// `nil` where requests are answered as they come.
  private let rest: QuiescenceSignal?
  private let gate: EventLoopHandle
  private let origins: PeerRegistry
  private let questions: PendingUpstreamCalls
  private var waiting: [Request] = []
  private var isExpectingRest = false
  /// What is to be done behind those that wait, when it is their turn; set once.
  var whenReached: @Sendable () -> Void = {}

  init(
    rest: QuiescenceSignal?, gate: EventLoopHandle, origins: PeerRegistry,
    questions: PendingUpstreamCalls
  ) {
    self.rest = rest
    self.gate = gate
    self.origins = origins
    self.questions = questions
  }

  /// Lets a request claim its reply, now or in its turn.
  ///
  /// - Parameters:
  ///   - stream: the number of its HTTP/2 stream.
  ///   - claim: called once, unless the connection ends itself before.
  func enter(
    on connection: ClientConnection, stream: Int?, _ claim: @escaping () -> Void
  ) {
    guard let rest, let place = place(of: connection) else { return claim() }
    // Before anything has come from a real host, the tree does not rest.
    guard !questions.hasAny, origins.count > 1 || !rest.isLone() else {
      admit()
      return claim()
    }
    connection.waitingClaims += 1
    waiting.append(
      Request(place: place, stream: stream ?? 0, connection: connection, claim: claim))
    guard !isExpectingRest else { return }
    isExpectingRest = true
    let whenReached = whenReached
    rest.whenReached { [gate] in gate.execute(whenReached) }
  }

  /// The tree has come to rest.
  func reachRest() {
    isExpectingRest = false
    admit()
  }

  /// Lets all claim that wait.
  func admit() {
    guard !waiting.isEmpty else { return }
    var requests = waiting
    waiting = []
    // Sorting keeps the order of equals: of one connection, that of arrival.
    requests.sort { ($0.place, $0.stream) < ($1.place, $1.stream) }
    for request in requests {
      request.connection.waitingClaims -= 1
      if !request.connection.takesNoMore { request.claim() }
    }
  }

  /// Forgets all that wait.
  func close() {
    waiting = []
  }

  private func place(of connection: ClientConnection) -> CausalOrder? {
    guard let ports = connection.ports else { return nil }
    return origins.entry(sourcePort: ports.source, port: ports.local)?.place
  }
}
