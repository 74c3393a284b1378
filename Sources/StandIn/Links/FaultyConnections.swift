internal import NIOCore
internal import ScenarioModel
internal import ScenarioPlan

/// The connections on which something may go wrong.
///
/// Lives on the event loop.
final class FaultyConnections {
  private struct Ports: Hashable {
    var source: UInt16
    var local: UInt16
  }

  /// `nil` where no entry is about a link.
  let desk: LinkFaults?
  /// Tells of what went wrong.
  var report: (FiredLinkFault) -> Void = { _ in }
  /// Does something once so much virtual time has passed, unless what it returns is called.
  var appoint: (Nanoseconds, @escaping () -> Void) -> () -> Void = { _, _ in {} }
  /// Does something once nobody can do anything more at this instant.
  var whenAtRest: (@escaping () -> Void) -> Void = { _ in }
  /// The number of a connection, if its maker is known; `.some(nil)` where nothing may go wrong on it.
  var ticket: (ClientConnection) -> Int?? = { _ in nil }
  private var waiting: [Ports: LinkHandler] = [:]
  private var open: [Int: LinkHandler] = [:]
  /// What calls off the next look at a connection.
  private var watches: [Int: () -> Void] = [:]

  init(desk: LinkFaults?) {
    self.desk = desk
  }

  /// Whether entries wait for replies.
  var awaitsReplies: Bool { desk?.awaitsReplies ?? false }

  /// What connections to a place need below everything else; `nil` where nothing may ever go wrong.
  func handler(for connection: ClientConnection, in reception: Reception) -> LinkHandler? {
    guard let desk, desk.concerns(connection.destination) else { return nil }
    return LinkHandler(connection: connection, reception: reception)
  }

  // MARK: - Connections

  /// A connection has come; what was decided about it may be known already or not.
  func enter(_ handler: LinkHandler, _ connection: ClientConnection) {
    guard let ports = connection.ports else { return handler.settle(nil, nil) }
    if let ticket = ticket(connection) { return settle(handler, ticket) }
    let key = Ports(source: ports.source, local: ports.local)
    waiting[key] = handler
    // A connection of whose making nobody has told is as any other.
    whenAtRest { [self] in
      guard waiting[key] === handler else { return }
      waiting.removeValue(forKey: key)
      settle(handler, nil)
    }
  }

  /// It is known who has made a connection.
  func settle(sourcePort: UInt16, port: UInt16, ticket: Int?) {
    guard let handler = waiting.removeValue(forKey: Ports(source: sourcePort, local: port)) else {
      return
    }
    settle(handler, ticket)
  }

  private func settle(_ handler: LinkHandler, _ ticket: Int?) {
    guard let ticket, let desk else { return handler.settle(nil, nil) }
    open[ticket] = handler
    handler.settle(ticket, desk.decision(of: ticket))
    watch(ticket)
  }

  /// A connection is over.
  func leave(_ handler: LinkHandler, _ connection: ClientConnection) {
    if let ports = connection.ports {
      let key = Ports(source: ports.source, local: ports.local)
      if waiting[key] === handler { waiting.removeValue(forKey: key) }
    }
    guard let ticket = handler.ticket else { return }
    open.removeValue(forKey: ticket)
    watches.removeValue(forKey: ticket)?()
    desk?.close(ticket)
  }

  // MARK: - Changes

  /// Something has changed that decisions depend on.
  func reconsider() {
    guard let desk else { return }
    for (ticket, decision) in desk.reconsider() {
      open[ticket]?.take(decision)
      if desk.leavesAlone(decision) { noteFired(ticket) }
    }
    // In order, as what is due at one instant happens in the order in which it was filed.
    for ticket in open.keys.sorted() { watch(ticket) }
  }

  /// Looks again when the clock alone changes what holds for a connection.
  private func watch(_ ticket: Int) {
    watches.removeValue(forKey: ticket)?()
    guard open[ticket] != nil, let length = desk?.nextWindow(of: ticket) else { return }
    watches[ticket] = appoint(length) { [self] in
      if open[ticket] != nil { reconsider() }
    }
  }

  /// Something has gone wrong on a connection as decided.
  func noteFired(_ ticket: Int) {
    if let fault = desk?.noteFired(ticket) { report(fault) }
  }

  /// Everything passes from here on: the stand-in closes.
  func openAll() {
    let handlers = Array(waiting.values) + Array(open.values)
    waiting = [:]
    for handler in handlers { handler.open() }
  }
}
