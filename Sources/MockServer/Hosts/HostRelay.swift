internal import FaultEngine
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
  /// Decides about faults of links between hosts.
  let links: FaultyConnections
  private let settings: HostRelaySettings
  private let calls: PendingUpstreamCalls
  private let exhaustion: Exhaustion
  private let reporter: EventReporter
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
    links: FaultyConnections, calls: PendingUpstreamCalls, exhaustion: Exhaustion,
    reporter: EventReporter
  ) {
    self.reporter = reporter
    self.settings = settings
    self.links = links
    self.loop = loop
    self.clock = clock
    self.calls = calls
    self.exhaustion = exhaustion
  }

  /// The names of the targets on the hosts.
  var names: [String] { settings.names }

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
  func open(_ asked: HostConnection) -> EventLoopFuture<HostOpening> {
    abandonAttempt(of: asked.client)
    var request = asked
    request.began = clock.elapsed
    let faults = HostConnectionFaults(request, names: names, links)
    guard !faults.isDown else {
      faults.recordFired(of: .client)
      faults.recordFired(of: .server)
      faults.end()
      return loop.makeSucceededFuture(.denied)
    }
    let attempt = ConnectionAttempt(request, faults, begin: clock.elapsed)
    guard !isLost(attempt) else { return keepSilent(attempt, isLost: true) }
    guard faults.delayUp + faults.delayDown == .zero else {
      // Where nobody listens, the kernel says so, and at once.
      guard ListeningEnds.contains(request.goal) else {
        faults.end()
        return loop.makeSucceededFuture(.refused)
      }
      return keepSilent(attempt, isLost: false)
    }
    let connection = makeConnection(request, faults)
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    let (gate, client) = (request.gate, request.client)
    return dial(connection).flatMap {
      bound.value.0.openGate(gate)
    }.map { _ in
      let (relay, connection) = bound.value
      relay.waiting[client] = connection
      return HostOpening.relayed
    }.flatMapErrorThrowing { _ in
      bound.value.1.abandon()
      return .refused
    }
  }

  /// The client of a connection that was to come has not come.
  func abandon(_ client: LoopbackEnd) {
    waiting.removeValue(forKey: client)?.abandon()
    abandonAttempt(of: client)
  }

  /// Replaces the options by which the kernel gives up the connection at one of its ends.
  ///
  /// - Parameter other: the address that the end is connected to; `nil` while it is not.
  func setTimeouts(_ timeouts: TCPTimeouts, of end: LoopbackEnd, to other: LoopbackEnd?) {
    attempts[end]?.setTimeouts(timeouts)
    for connection in connections.values {
      guard let side = connection.side(at: end, facing: other) else { continue }
      return connection.setTimeouts(timeouts, of: side)
    }
  }

  private func abandonAttempt(of client: LoopbackEnd) {
    guard let attempt = attempts.removeValue(forKey: client) else { return }
    attempt.abandon()
    report(attempt.request, .abandoned)
  }

  private func report(_ connection: HostConnection, _ state: HostConnectionChange.State) {
    reporter.reportWhileServing(
      .hostConnection(HostConnectionChange(connection: connection, state: state)))
  }

  private func makeConnection(
    _ request: HostConnection, _ faults: HostConnectionFaults
  ) -> RelayedConnection {
    let connection = RelayedConnection(
      request, faults, clock: clock,
      expire: { [unowned self] in expire($0) },
      whenEstablished: { [weak self] in self?.report($0.request, .established) },
      whenOver: { [weak self] in
        self?.connections[ObjectIdentifier($0)] = nil
        if $0.isEstablished { self?.report($0.request, $0.ending) }
      })
    connections[ObjectIdentifier(connection)] = connection
    connection.setCut(isCut(request.from, request.to))
    return connection
  }

  /// Connects to the server of a connection; fails if no process listens.
  ///
  /// To a server that has no room for it yet, the kernel connects once it has; the client has its connection by then, as
  /// where the last packet of a handshake gets lost (listen(2), `tcp_abort_on_overflow`).
  private func dial(_ connection: RelayedConnection) -> EventLoopFuture<Void> {
    let request = connection.request
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    return connect(
      connection, at: .server, from: request.source, to: request.goal
    ).flatMapErrorThrowing { error in
      guard case .connectTimeout? = error as? ChannelError else { throw error }
      let (relay, connection) = bound.value
      relay.clock.schedule(after: .seconds(1)) {
        guard !connection.isOver else { return }
        relay.dial(connection).whenFailure { _ in bound.value.1.abandon() }
      }
    }
  }

  private func connect(
    _ connection: RelayedConnection, at side: RelayedConnection.Side, from: LoopbackEnd,
    to: LoopbackEnd
  ) -> EventLoopFuture<Void> {
    let bound = NIOLoopBound(connection, eventLoop: loop)
    // A host may connect from the port at which it listens, where the relay listens in its place.
    let bootstrap = ClientBootstrap(group: loop)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
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
      .serverChannelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
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

  private func keepSilent(
    _ attempt: ConnectionAttempt, isLost: Bool
  ) -> EventLoopFuture<HostOpening> {
    let request = attempt.request
    if silences[request.silence] == nil {
      silences[request.silence] = SilentListener(at: request.silence)
    }
    guard silences[request.silence] != nil else {
      attempt.faults.end()
      return loop.makeSucceededFuture(.denied)
    }
    attempts[request.client] = attempt
    report(request, .pending)
    if isLost { askAgain(attempt) } else { letThrough(attempt) }
    return loop.makeSucceededFuture(.silent)
  }

  /// Returns whether what a client asks with now does not get through.
  private func isLost(_ attempt: ConnectionAttempt) -> Bool {
    let (request, faults) = (attempt.request, attempt.faults)
    let isUnlucky = attempt.isUnlucky(faults.loss)
    if faults.isBlocked || isUnlucky {
      faults.recordFired(of: .client)
      faults.recordFired(of: .server)
    }
    return isCut(request.from, request.to) || faults.isBlocked || faults.isDown || isUnlucky
  }

  /// A client waits until it asks once more, or gives up.
  private func askAgain(_ attempt: ConnectionAttempt) {
    wait(for: attempt, until: attempt.due) { [self] in
      switch attempt.expire() {
      case .asks where isLost(attempt): askAgain(attempt)
      case .asks: letThrough(attempt)
      case .ends: giveUp(attempt)
      }
    }
  }

  /// Gives up an attempt, and all others that end at the same instant.
  ///
  /// A kernel gives up when it would ask again, which it does ever more seldom: one after the other, the last would take
  /// very long.
  private func giveUp(_ attempt: ConnectionAttempt) {
    let others = attempts.values.filter { $0 !== attempt && $0.ends(at: attempt.due) }
      .sorted { $0.request.number < $1.request.number }
    for other in others { other.cancel() }
    for ending in [attempt] + others {
      let request = ending.request
      attempts[request.client] = nil
      ending.faults.end()
      report(request, .timedOut)
      whileWaiting { timeOut(HostTimeout(target: request.client, other: request.silence)) }
    }
  }

  private func wait(
    for attempt: ConnectionAttempt, until instant: Nanoseconds, _ work: @escaping () -> Void
  ) {
    attempt.cancel = clock.scheduleCancellable(after: max(.zero, instant - clock.elapsed)) {
      [self] in
      if attempts[attempt.request.client] === attempt { work() }
    }
  }

  /// Delays the SYN to the server, and then its answer.
  private func letThrough(_ attempt: ConnectionAttempt) {
    let (request, faults) = (attempt.request, attempt.faults)
    let now = clock.elapsed
    let connection = makeConnection(request, faults)
    guard faults.delayUp + faults.delayDown > .zero else {
      attempts[request.client] = nil
      return whileWaiting { answer(connection) }
    }
    faults.recordFired(of: .client)
    faults.recordFired(of: .server)
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    attempt.connection = connection
    let down = faults.delayDown
    wait(for: attempt, until: now + faults.delayUp) { [self] in
      whileWaiting {
        dial(connection).flatMapErrorThrowing { _ in bound.value.1.abandon() }
      }
      wait(for: attempt, until: clock.elapsed + down) { [self] in
        attempts[request.client] = nil
        whileWaiting {
          connectToClient(connection).flatMapErrorThrowing { _ in bound.value.1.abandon() }
        }
      }
    }
  }

  /// Performs work during which virtual time is frozen.
  private func whileWaiting(_ work: () -> EventLoopFuture<Void>) {
    let call = NIOLoopBound(calls.open(), eventLoop: loop)
    work().whenComplete { _ in call.value.close() }
  }

  /// Answers a client that has waited, if it still does, and then connects to the server.
  private func answer(_ connection: RelayedConnection) -> EventLoopFuture<Void> {
    let bound = NIOLoopBound((self, connection), eventLoop: loop)
    return connectToClient(connection).flatMap { bound.value.0.dial(bound.value.1) }
      .flatMapErrorThrowing { _ in bound.value.1.abandon() }
  }

  private func connectToClient(_ connection: RelayedConnection) -> EventLoopFuture<Void> {
    let request = connection.request
    return connect(
      connection, at: .client, from: request.silence, to: request.client)
  }

  /// Times out the end of a target whose data was not acknowledged.
  private func expire(_ end: any Channel) -> EventLoopFuture<Void> {
    guard let target = LoopbackEnd(end.remoteAddress), let other = LoopbackEnd(end.localAddress)
    else { return loop.makeSucceededVoidFuture() }
    let call = NIOLoopBound(calls.open(), eventLoop: loop)
    let bound = NIOLoopBound(self, eventLoop: loop)
    let ending = NIOLoopBound(end, eventLoop: loop)
    return PacketFilter.dropAll(on: end).flatMap {
      bound.value.timeOut(HostTimeout(target: target, other: other))
    }.flatMapErrorThrowing { _ in
      // Where no filter may be set, the target reads ECONNRESET in place of ETIMEDOUT.
      ending.value.resetAtOnce()
    }.always { _ in call.value.close() }
  }

  private func timeOut(_ timeout: HostTimeout) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    settings.timeOut(timeout) { promise.succeed() }
    return promise.futureResult
  }
}
