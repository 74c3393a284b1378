internal import FaultEngine
internal import NIOCore

/// The subject of link faults: a connection to the mock server, or one direction between two hosts.
///
/// Lives on the event loop.
protocol FaultTaker: AnyObject {
  /// Applies another decision; `nil` for no fault.
  func take(_ decision: LinkDecision?)
  /// Passes everything at once: the mock server closes.
  func open()
}

/// The connections that may have faults.
///
/// Lives on the event loop.
final class FaultyConnections {
  private struct Ports: Hashable {
    var source: UInt16
    var local: UInt16
  }

  /// Decides about links; `nil` where no entry is about one.
  private let faults: LinkFaults?
  private let connections: ConnectionReporter
  private let reporter: EventReporter
  private let quiescence: QuiescenceSignal?
  private let eventLoop: EventLoopHandle
  let clock: VirtualClock
  private var waiting: [Ports: LinkHandler] = [:]
  private var open: [Int: any FaultTaker] = [:]
  /// Cancels the timer of each connection whose faults the clock alone changes.
  private var watches: [Int: () -> Void] = [:]

  init(
    faults: LinkFaults?, connections: ConnectionReporter, reporter: EventReporter,
    quiescence: QuiescenceSignal?, eventLoop: EventLoopHandle, clock: VirtualClock
  ) {
    self.faults = faults
    self.connections = connections
    self.reporter = reporter
    self.quiescence = quiescence
    self.eventLoop = eventLoop
    self.clock = clock
  }

  /// True if entries wait for replies.
  var awaitsReplies: Bool { faults?.awaitsReplies ?? false }

  /// The link below all that a connection carries; `nil` where no fault is possible.
  func handler(for connection: ClientConnection) -> LinkHandler? {
    guard let faults, faults.concerns(connection.destination) else { return nil }
    return LinkHandler(connection: connection, connections: self)
  }

  // MARK: - Connections

  /// Registers a connection, whose decision may be known already or not.
  func enter(_ handler: LinkHandler, _ connection: ClientConnection) {
    guard let ports = connection.ports else { return handler.settle(nil, nil) }
    if let peer = connections.peer(of: connection) { return settle(handler, peer.ticket) }
    let key = Ports(source: ports.source, local: ports.local)
    waiting[key] = handler
    // No recorded origin: apply no rule.
    whenQuiescent { [self] in
      guard waiting[key] === handler else { return }
      waiting.removeValue(forKey: key)
      settle(handler, nil)
    }
  }

  /// Applies what was decided about a connection, whose maker is known now.
  func settle(sourcePort: UInt16, port: UInt16, ticket: Int?) {
    guard let handler = waiting.removeValue(forKey: Ports(source: sourcePort, local: port)) else {
      return
    }
    settle(handler, ticket)
  }

  private func settle(_ handler: LinkHandler, _ ticket: Int?) {
    guard let ticket, let faults else { return handler.settle(nil, nil) }
    open[ticket] = handler
    handler.settle(ticket, faults.decision(of: ticket))
    watch(ticket)
  }

  /// Forgets a connection that is closed.
  func leave(_ handler: LinkHandler, _ connection: ClientConnection) {
    if let ports = connection.ports {
      let key = Ports(source: ports.source, local: ports.local)
      if waiting[key] === handler { waiting.removeValue(forKey: key) }
    }
    guard let ticket = handler.ticket else { return }
    open.removeValue(forKey: ticket)
    watches.removeValue(forKey: ticket)?()
    faults?.close(ticket)
  }

  // MARK: - Hosts

  /// Decides about one direction between hosts, and lets what takes the faults know each decision.
  ///
  /// - Returns: its ticket; `nil` where no entry is about a link between hosts.
  func follow(
    _ taker: any FaultTaker, _ way: HostWay, port: UInt16, of client: HostClient
  ) -> Int? {
    guard let ticket = faults?.open(way, port: port, of: client) else { return nil }
    open[ticket] = taker
    taker.take(faults?.decision(of: ticket))
    watch(ticket)
    return ticket
  }

  /// Forgets one direction between hosts.
  func forget(_ ticket: Int) {
    open.removeValue(forKey: ticket)
    watches.removeValue(forKey: ticket)?()
    faults?.close(ticket)
  }

  /// Returns whether an entry is about both ways of a link between hosts.
  func isTwoWay(_ decision: LinkDecision) -> Bool {
    faults?.entries.isTwoWay(decision.entry) ?? false
  }

  // MARK: - Changes

  /// Decides again after a change that affects decisions.
  func reconsider() {
    guard let faults else { return }
    for (ticket, decision) in faults.reconsider() {
      open[ticket]?.take(decision)
      if faults.leavesAlone(decision) { recordFired(ticket) }
    }
    // In order, as what is due at one instant happens in the order in which it was filed.
    for ticket in open.keys.sorted() { watch(ticket) }
  }

  /// Decides again when the clock alone changes the faults of a connection.
  private func watch(_ ticket: Int) {
    watches.removeValue(forKey: ticket)?()
    guard open[ticket] != nil, let length = faults?.nextWindow(of: ticket) else { return }
    watches[ticket] = clock.scheduleCancellable(after: length) { [self] in
      if open[ticket] != nil { reconsider() }
    }
  }

  /// Reports that a connection has had its fault.
  func recordFired(_ ticket: Int) {
    if let fault = faults?.recordFired(ticket) {
      reporter.reportWhileServing(.linkFault(fault))
    }
  }

  /// Runs the work once no process can do anything more at this instant.
  private func whenQuiescent(_ work: @escaping () -> Void) {
    guard let quiescence else { return work() }
    let bound = NIOLoopBound(work, eventLoop: eventLoop.loop)
    quiescence.whenReached { [eventLoop] in eventLoop.execute { bound.value() } }
  }

  /// Passes everything from here on: the mock server closes.
  func openAll() {
    let handlers: [any FaultTaker] = Array(waiting.values) + Array(open.values)
    waiting = [:]
    for handler in handlers { handler.open() }
  }
}
