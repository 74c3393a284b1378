internal import NIOCore
public import ScenarioModel
internal import ScenarioPlan

extension StandInServer {
  /// Decides about a connection that is about to be made.
  ///
  /// - Parameters:
  ///   - host: The name that was looked up, if the address came from a name.
  ///   - address: The address that the target connects to, as text.
  ///   - process: Who connects.
  ///   - ordinal: The process's number in the order of births, from 1.
  ///   - executable: The path of what the process runs.
  public func openLink(
    host: String?, address: String, port: UInt16, process: Int32, ordinal: Int,
    executable: String
  ) -> LinkFaults.Opening {
    guard let links else { return .made(ticket: nil) }
    let (opening, fault) = links.open(
      Destination(
        host: host.flatMap { HostName.normalized($0) }, address: address.lowercased(), port: port),
      process: process, ordinal: ordinal, executable: executable)
    if let fault { record(.linkFault(fault)) }
    return opening
  }

  /// A connection that `openLink` has told of was not made after all.
  public func abandonLink(_ ticket: Int) {
    links?.close(ticket)
  }

  /// A connection is there, and its maker is known.
  func settleLink(sourcePort: UInt16, port: UInt16, ticket: Int?) {
    guard links != nil else { return }
    let reception = reception
    gate.execute {
      reception.value.links.settle(sourcePort: sourcePort, port: port, ticket: ticket)
    }
  }

  // MARK: - Steps

  /// Lets chaos entries hold from their beginning, also on connections that are open.
  public func applyChaos(_ selection: ChaosSelection, seed: Int64?) {
    change { $0.apply(selection, seed: seed) }
  }

  /// Lets chaos entries hold no more, also on connections that are open.
  public func revertChaos(_ selection: ChaosSelection) {
    change { $0.revert(selection) }
  }

  /// A step begins; steps may stand in steps.
  public func enterStep(_ name: String) {
    change { $0.enterStep(name) }
  }

  /// The step that began last has ended.
  public func leaveStep() {
    change { $0.leaveStep() }
  }

  private func change(_ body: @escaping @Sendable (LinkFaults) -> Void) {
    guard let links else { return }
    let reception = reception
    let change = gate.submit { [gate] in
      body(links)
      reception.value.links.reconsider()
      return gate.loop.makeSucceededVoidFuture()
    }
    try? change?.wait()
  }

  // MARK: - Names

  /// Takes note of who asks for names by a socket, before it can.
  ///
  /// - Parameters:
  ///   - sourcePort: the socket's port on this machine.
  ///   - port: the stand-in's, which stands for a name server.
  public func noteAsker(_ asker: DNSClient, sourcePort: UInt16, port: UInt16) {
    askers.note(asker, at: DNSPorts(source: sourcePort, local: port))
  }
}

extension Reception {
  /// Lets the registry of links know what it needs of its surroundings.
  func prepareLinks() {
    guard links.desk != nil else { return }
    // The registry and the reception live as long as the event loop serves.
    links.report = { [self] in report(.linkFault($0)) }
    links.appoint = { [self] in appoint($0, $1) }
    links.ticket = { [self] connection in
      guard let ports = connection.ports,
        let entry = origins.entry(sourcePort: ports.source, port: ports.local)
      else { return nil }
      return .some(entry.ticket)
    }
    links.whenAtRest = { [gate, environment] work in
      guard let rest = environment.rest else { return work() }
      let bound = NIOLoopBound(work, eventLoop: gate.loop)
      rest.whenReached { gate.execute { bound.value() } }
    }
  }
}
