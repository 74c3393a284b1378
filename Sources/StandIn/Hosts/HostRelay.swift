internal import Foundations
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// The relay between the hosts of a case: all of their connections and datagrams go through it, so that they can be cut and
/// delayed.
///
/// Lives on the event loop.
final class HostRelay {
  let loop: any EventLoop
  let clock: VirtualClock
  private let settings: HostRelaySettings
  private let calls: PendingUpstreamCalls
  private let exhaustion: Exhaustion
  private var partitions: [HostPartition] = []
  private var gates: [LoopbackEnd: EventLoopFuture<any Channel>] = [:]
  private var silences: [LoopbackEnd: SilentListener] = [:]
  /// Connections whose clients have yet to come through the gate, by their ends.
  private var waiting: [LoopbackEnd: RelayedConnection] = [:]
  /// Clients that get no answer, by their ends.
  private var attempts: [LoopbackEnd: ConnectionAttempt] = [:]
  private var connections: [ObjectIdentifier: RelayedConnection] = [:]
  private(set) lazy var datagrams = DatagramRelay(relay: self, place: settings.place)

  init(
    _ settings: HostRelaySettings, loop: any EventLoop, clock: VirtualClock,
    calls: PendingUpstreamCalls, exhaustion: Exhaustion
  ) {
    self.settings = settings
    self.loop = loop
    self.clock = clock
    self.calls = calls
    self.exhaustion = exhaustion
  }

  // MARK: - Partitions

  /// Returns whether nothing gets from one host to another.
  func isCut(_ from: Int, _ to: Int) -> Bool {
    partitions.contains { $0.separates(from, to) }
  }

  /// Cuts hosts off from each other.
  func cut(_ partition: HostPartition) {
    partitions.append(partition)
    reconsider()
  }

  /// Mends the partitions of a name, or all.
  func heal(_ name: String?) {
    partitions.removeAll { name == nil || $0.name == name }
    reconsider()
  }

  private func reconsider() {
    for connection in connections.values {
      connection.setCut(isCut(connection.request.from, connection.request.to))
    }
  }

  // MARK: - Connections that are made

  /// Decides about a connection that a client is about to make.
  func open(_ request: HostConnection) -> EventLoopFuture<HostOpening> {
    attempts.removeValue(forKey: request.client)?.end()
    guard !isCut(request.from, request.to) else { return keepSilent(request) }
    let connection = makeConnection(request)
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    return dial(connection).flatMap {
      bound.value.0.openGate(request.gate)
    }.map { _ in
      let (relay, connection) = bound.value
      relay.waiting[request.client] = connection
      return HostOpening.relayed
    }.flatMapErrorThrowing { _ in
      bound.value.1.abandon()
      return .refused
    }
  }

  /// The client of a connection that was to come has not come.
  func abandon(_ client: LoopbackEnd) {
    waiting.removeValue(forKey: client)?.abandon()
    attempts.removeValue(forKey: client)?.end()
  }

  private func makeConnection(_ request: HostConnection) -> RelayedConnection {
    let connection = RelayedConnection(
      request, clock: clock,
      expire: { [unowned self] in expire($0) },
      whenOver: { [weak self] in self?.connections[ObjectIdentifier($0)] = nil })
    connections[ObjectIdentifier(connection)] = connection
    connection.setCut(isCut(request.from, request.to))
    return connection
  }

  /// Connects to the server of a connection; fails if nobody listens.
  ///
  /// To a server that has no room for it yet, the kernel connects once it has; the client has its connection by then, as
  /// where the last packet of a handshake gets lost (listen(2), `tcp_abort_on_overflow`).
  private func dial(_ connection: RelayedConnection) -> EventLoopFuture<Void> {
    let request = connection.request
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    return connect(
      connection, at: .server, from: request.source, to: request.goal, sharesPort: false
    ).flatMapErrorThrowing { error in
      guard (error as? IOError)?.errnoCode != ECONNREFUSED else { throw error }
      let (relay, connection) = bound.value
      relay.clock.schedule(after: .seconds(1)) {
        guard !connection.isOver else { return }
        relay.dial(connection).whenFailure { _ in bound.value.1.abandon() }
      }
    }
  }

  private func connect(
    _ connection: RelayedConnection, at side: RelayedConnection.Side, from: LoopbackEnd,
    to: LoopbackEnd, sharesPort: Bool
  ) -> EventLoopFuture<Void> {
    let bound = NIOLoopBound(connection, eventLoop: loop)
    var bootstrap = ClientBootstrap(group: loop)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
    if sharesPort {
      bootstrap = bootstrap.channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
    }
    return Self.configured(bootstrap)
      // The kernel of this machine answers at once, or drops what it has no room for.
      .connectTimeout(.milliseconds(500))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try bound.value.addHandlers(to: channel, at: side)
        }
      }
      .bind(to: from.socketAddress)
      .connect(to: to.socketAddress)
      .map { _ in }
  }

  private static func configured(_ bootstrap: ClientBootstrap) -> ClientBootstrap {
    bootstrap
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: receiveBuffers)
      .channelOption(.writeBufferWaterMark, value: writeBuffer)
  }

  /// As much at once as the kernel gives, where there is much.
  private static let receiveBuffers = AdaptiveRecvByteBufferAllocator(
    minimum: 1_024, initial: 16_384, maximum: 1 << 18)
  private static let writeBuffer = ChannelOptions.Types.WriteBufferWaterMark(
    low: 1 << 17, high: 1 << 19)

  // MARK: - Gates

  /// Where clients of a server connect to, who come through at once.
  private func openGate(_ end: LoopbackEnd) -> EventLoopFuture<any Channel> {
    if let gate = gates[end] { return gate }
    let bound = NIOLoopBound(self, eventLoop: loop)
    let opening = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 4_096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.recvAllocator, value: Self.receiveBuffers)
      .childChannelOption(.writeBufferWaterMark, value: Self.writeBuffer)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.admit(channel) }
      }
      .bind(to: end.socketAddress)
    gates[end] = opening
    opening.whenFailure { [exhaustion = NIOLoopBound(exhaustion, eventLoop: loop)] in
      exhaustion.value.check($0, host: "hosts")
    }
    return opening
  }

  /// A client has come through a gate.
  private func admit(_ channel: any Channel) throws {
    guard let client = LoopbackEnd(channel.remoteAddress),
      let connection = waiting.removeValue(forKey: client)
    else { return channel.resetAtOnce() }
    try connection.addHandlers(to: channel, at: .client)
  }

  // MARK: - Silence

  private func keepSilent(_ request: HostConnection) -> EventLoopFuture<HostOpening> {
    if silences[request.silence] == nil {
      silences[request.silence] = SilentListener(at: request.silence)
    }
    guard silences[request.silence] != nil else {
      return loop.makeSucceededFuture(.refused)
    }
    let attempt = ConnectionAttempt(request, begin: clock.elapsed)
    attempts[request.client] = attempt
    wait(for: attempt)
    return loop.makeSucceededFuture(.silent)
  }

  /// Waits until the client asks once more, or gives up.
  private func wait(for attempt: ConnectionAttempt) {
    let wait = max(.zero, attempt.due - clock.elapsed)
    attempt.cancel = clock.scheduleCancellable(after: wait) { [self] in
      guard attempts[attempt.request.client] === attempt else { return }
      proceed(attempt)
    }
  }

  private func proceed(_ attempt: ConnectionAttempt) {
    let request = attempt.request
    let isCut = isCut(request.from, request.to)
    if isCut, attempt.asksAgain() { return wait(for: attempt) }
    attempts[request.client] = nil
    let call = calls.open()
    let outcome = isCut ? giveUp(request) : answer(request)
    let bound = NIOLoopBound(call, eventLoop: loop)
    outcome.whenComplete { _ in bound.value.close() }
  }

  /// Makes the kernel of a client give up.
  private func giveUp(_ request: HostConnection) -> EventLoopFuture<Void> {
    timeOut(HostTimeout(target: request.client, other: request.silence, isConnecting: true))
  }

  /// Answers a client that has waited, if it still does, and then connects to the server.
  private func answer(_ request: HostConnection) -> EventLoopFuture<Void> {
    let connection = makeConnection(request)
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    return connect(
      connection, at: .client, from: request.silence, to: request.client, sharesPort: true
    ).flatMap { bound.value.0.dial(bound.value.1) }
      .flatMapErrorThrowing { _ in bound.value.1.abandon() }
  }

  /// Nobody has acknowledged what a target has sent: its end gives up.
  private func expire(_ end: any Channel) -> EventLoopFuture<Void> {
    guard let target = LoopbackEnd(end.remoteAddress), let other = LoopbackEnd(end.localAddress)
    else { return loop.makeSucceededVoidFuture() }
    let call = NIOLoopBound(calls.open(), eventLoop: loop)
    let bound = NIOLoopBound(self, eventLoop: loop)
    return PacketFilter.dropAll(on: end).flatMap {
      bound.value.timeOut(HostTimeout(target: target, other: other, isConnecting: false))
    }.always { _ in call.value.close() }
  }

  private func timeOut(_ timeout: HostTimeout) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    settings.timeOut(timeout) { promise.succeed() }
    return promise.futureResult
  }
}

/// A client that has got no answer yet.
private final class ConnectionAttempt {
  let request: HostConnection
  private let begin: Nanoseconds
  private var nextIndex = 0
  var cancel: () -> Void = {}

  init(_ request: HostConnection, begin: Nanoseconds) {
    self.request = request
    self.begin = begin
  }

  /// When it asks again, or gives up.
  var due: Nanoseconds {
    let schedule = RetransmissionSchedule.handshake
    return begin
      + (schedule.instants.indices.contains(nextIndex)
        ? schedule.instants[nextIndex] : schedule.end)
  }

  /// It has asked once more in vain; false if it has given up.
  func asksAgain() -> Bool {
    guard nextIndex < RetransmissionSchedule.handshake.instants.count else { return false }
    nextIndex += 1
    return true
  }

  func end() { cancel() }
}
