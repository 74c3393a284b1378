internal import NIOCore

/// The requests that wait for their turn to claim a reply.
///
/// Of several clients that ask at one instant, real time decides which is heard first. Their requests wait here
/// until no client can ask anything more at that instant, and then go in causal order, which is the same in each
/// run. A request that is the only one to come goes at once.
///
/// Lives on the event loop.
final class RequestSequencer {
  private struct Request {
    var place: CausalOrder
    var stream: Int
    var connection: ClientConnection
    var claim: () -> Void
  }

  /// Reports when no client can ask anything more; `nil` where requests are answered as they come.
  private let quiescence: QuiescenceSignal?
  private let eventLoop: EventLoopHandle
  private let peers: PeerRegistry
  private let upstreamCalls: PendingUpstreamCalls
  private var waiting: [Request] = []
  private var awaitsQuiescence = false

  init(
    quiescence: QuiescenceSignal?, eventLoop: EventLoopHandle, peers: PeerRegistry,
    upstreamCalls: PendingUpstreamCalls
  ) {
    self.quiescence = quiescence
    self.eventLoop = eventLoop
    self.peers = peers
    self.upstreamCalls = upstreamCalls
  }

  /// Makes a request claim its reply, now or in its turn.
  ///
  /// - Parameters:
  ///   - stream: the number of its HTTP/2 stream.
  ///   - claim: called once, unless the connection takes no more requests by then.
  func enqueue(
    _ connection: ClientConnection, stream: Int?, _ claim: @escaping () -> Void
  ) {
    guard let quiescence, let place = place(of: connection) else { return claim() }
    // While an answer of a real host is pending, the target is not quiescent.
    guard !upstreamCalls.hasAnyToHosts, peers.count > 1 || !quiescence.isLone() else {
      admitAll()
      return claim()
    }
    connection.waitingClaims += 1
    waiting.append(
      Request(place: place, stream: stream ?? 0, connection: connection, claim: claim))
    guard !awaitsQuiescence else { return }
    awaitsQuiescence = true
    let bound = NIOLoopBound(self, eventLoop: eventLoop.loop)
    quiescence.whenReached { [eventLoop] in
      eventLoop.execute {
        bound.value.awaitsQuiescence = false
        bound.value.admitAll()
      }
    }
  }

  /// Admits all that wait: each claims its reply.
  func admitAll() {
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
    return peers.entry(sourcePort: ports.source, port: ports.local)?.place
  }
}
