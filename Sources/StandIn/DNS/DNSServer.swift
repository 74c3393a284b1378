internal import NIOCore

/// The name server of a scenario: the addresses that it gives out, its clients, and its ports.
final class DNSServer: Sendable {
  private let addresses: FakeIPPool
  private let clients: DNSClients
  private let sequencer: QuerySequencer?
  private let ports: DNSServerPorts

  /// Opens the first two ports.
  ///
  /// - Parameters:
  ///   - faults: decides about queries by chaos entries; `nil` if no entry is about a link.
  ///   - whenFailed: called on the event loop if a port cannot be opened.
  init(
    _ responder: DNSResponder, faults: (any DNSFaultSource)?, quiescence: QuiescenceSignal?,
    eventLoop: EventLoopHandle, upstreamCalls: PendingUpstreamCalls, reporter: EventReporter,
    whenFailed: @escaping @Sendable (any Error) -> Void
  ) throws {
    addresses = responder.addresses
    let clients = DNSClients()
    self.clients = clients
    sequencer = faults.map {
      QuerySequencer(
        faults: $0, quiescence: quiescence, eventLoop: eventLoop, upstreamCalls: upstreamCalls,
        clients: clients, reporter: reporter)
    }
    var responder = responder
    responder.chaos = sequencer
    let loop = eventLoop.loop
    ports = DNSServerPorts(
      responder: responder, eventLoop: eventLoop,
      datagrams: try DNSListener.datagrams(on: loop, responder: responder).wait(),
      streams: try DNSListener.streams(on: loop, responder: responder).wait(),
      whenFailed: whenFailed)
  }

  /// The port on 127.0.0.1 that answers datagrams.
  var datagramPort: UInt16 { ports.first.datagrams }

  /// The port on 127.0.0.1 that answers streams.
  var streamPort: UInt16 { ports.first.streams }

  /// The port that stands for a name server; opened at the first call for it.
  func port(address: String, isStream: Bool) throws -> UInt16 {
    try ports.port(address: address, isStream: isStream)
  }

  /// The name that an address was given out for.
  func name(ofAddress address: IPv4Address) -> String? {
    addresses.name(ofAddress: address)
  }

  /// Records which client has a port from now on.
  func record(_ client: DNSClient, at ports: DNSPorts) {
    clients.record(client, at: ports)
  }

  /// Decides about all queries that wait; called on the event loop.
  func admitAll() {
    sequencer?.admitAll()
  }
}
