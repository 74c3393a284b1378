package import FaultEngine
internal import NIOCore
package import ScenarioModel

extension ScenarioMockServer {
  /// Decides about a connection that is about to be made.
  ///
  /// - Parameters:
  ///   - host: The name that was looked up, if the address came from a name.
  ///   - address: The address that the target connects to, as text.
  ///   - process: Who connects.
  ///   - ordinal: The process's number in start order, from 1.
  ///   - program: The names of what the process runs.
  ///   - targetName: The name of the target on whose host the process runs.
  package func openLink(
    host: String?, address: String, port: UInt16, process: Int32, ordinal: Int,
    program: ProgramNames, targetName: String?
  ) -> LinkFaults.Opening {
    guard let links else { return .made(ticket: nil) }
    let (opening, fault) = links.open(
      Destination(lookedUp: host, address: address, port: port), process: process, ordinal: ordinal,
      program: program, targetName: targetName)
    if let fault { reporter.report(.linkFault(fault)) }
    return opening
  }

  /// Forgets a connection that `openLink` has decided about, and that was not made.
  package func abandonLink(_ ticket: Int) {
    links?.close(ticket)
  }

  /// Applies what was decided about a connection that is made now.
  func settleLink(sourcePort: UInt16, port: UInt16, ticket: Int?) {
    guard links != nil else { return }
    eventLoop.execute { [services] in
      services.value.links.settle(sourcePort: sourcePort, port: port, ticket: ticket)
    }
  }

  // MARK: - Steps

  /// Applies chaos entries from their beginning, also on connections that are open.
  package func applyChaos(_ selection: ChaosSelection, seed: Int64?) {
    change { $0.apply(selection, seed: seed) }
  }

  /// Reverts chaos entries, also on connections that are open.
  package func revertChaos(_ selection: ChaosSelection) {
    change { $0.revert(selection) }
  }

  /// Enters a step; steps may be nested.
  package func enterStep(_ name: String) {
    change { $0.enterStep(name) }
  }

  /// The step that began last has ended.
  package func leaveStep() {
    change { $0.leaveStep() }
  }

  private func change(_ body: @escaping @Sendable (LinkFaults) -> Void) {
    guard let links else { return }
    let change = eventLoop.submit { [eventLoop, services] in
      body(links)
      services.value.links.reconsider()
      return eventLoop.loop.makeSucceededVoidFuture()
    }
    try? change?.wait()
  }

  // MARK: - Names

  /// Records who sends DNS queries by a socket, before it can.
  ///
  /// - Parameters:
  ///   - sourcePort: the socket's port on this machine.
  ///   - port: the mock server's, which stands for a name server.
  package func recordAsker(_ client: DNSClient, sourcePort: UInt16, port: UInt16) {
    names.record(client, at: DNSPorts(source: sourcePort, local: port))
  }
}
