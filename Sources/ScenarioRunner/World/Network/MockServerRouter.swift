internal import Glibc
internal import MockEngine
internal import MockServer
internal import ScenarioModel
internal import Supervisor

/// Sends the target's connections to the mock server.
struct MockServerRouter: ConnectionRouter {
  let server: ScenarioMockServer
  let loopback: NetworkSettings.Loopback
  let machine: MachineAddresses
  /// What entries call the targets, by the targets' numbers.
  let targetNames: [String]

  var redirects: Bool { true }

  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision {
    let target = address.unmapped
    let host = hostName(of: target)
    switch server.connectionFault(host: host, address: target.text, port: target.port) {
    case .refuse?: return .refuse(errorNumber: ECONNREFUSED)
    case .unreachable?: return .refuse(errorNumber: EHOSTUNREACH)
    default: break
    }
    do {
      if address.port == NameService.port {
        return .redirect(
          port: try server.nameServerPort(
            address: target.text, isStream: transport == .stream))
      }
      if isHere(address) {
        switch (loopback, transport) {
        case (.open, _), (.own, _), (.shared, _), (.answered, .datagram): return .pass
        case (.answered, .stream): break
        // As on a machine on which no process listens.
        case (.closed, .datagram): return sends ? .refuse(errorNumber: ECONNREFUSED) : .discard
        case (.closed, .stream): return .refuse(errorNumber: ECONNREFUSED)
        }
      }
      guard transport == .stream else {
        // Connecting a datagram socket must succeed, as resolvers use it to sort addresses; what is sent
        // on it is refused, and so is what has an address with it, so that HTTP/3 clients fall back.
        return sends ? .refuse(errorNumber: ENETUNREACH) : .discard
      }
      guard !server.refusesConnection(host: host, address: target.text, port: target.port) else {
        return .refuse(errorNumber: ECONNREFUSED)
      }
      // What the client would meet without a mock server.
      switch server.realConnectionFault(host: host, address: target.text, port: target.port) {
      case .refuse?: return .refuse(errorNumber: ECONNREFUSED)
      case .unreachable?: return .refuse(errorNumber: EHOSTUNREACH)
      default: break
      }
      let port = try server.port(
        host: host, address: target.text, port: target.port)
      return .redirect(port: port)
    } catch {
      return .refuse(errorNumber: ENETUNREACH)
    }
  }

  /// A name's address is never one of this machine's own, whatever addresses the machine has.
  func isHere(_ address: InternetAddress) -> Bool {
    machine.contains(address) && hostName(of: address) == nil
  }

  func recordConnection(_ connection: RedirectedConnection) {
    server.recordClient(
      ClientOrigin(
        connection: connection.number, process: connection.process,
        arguments: connection.arguments),
      at: CausalOrder(lineage: connection.lineage, ordinal: connection.ordinal),
      sourcePort: connection.sourcePort, port: connection.port, ticket: connection.ticket)
  }

  func recordEnd(ofConnectionFrom sourcePort: UInt16, to port: UInt16) {
    server.recordEndOfClient(sourcePort: sourcePort, port: port)
  }

  func recordNameClient(_ client: NameServerClient) {
    server.recordAsker(
      DNSClient(
        process: client.process, processOrdinal: client.processOrdinal,
        threadOrdinal: client.threadOrdinal, program: client.program,
        socket: client.socket,
        place: CausalOrder(lineage: client.lineage, ordinal: client.ordinal)),
      sourcePort: client.sourcePort, port: client.port)
  }

  var hasLinks: Bool { server.links != nil }
  var wantsNameClients: Bool { server.wantsNameClients }

  func openLink(_ connection: RequestedConnection) -> LinkOpening {
    let target = connection.address.unmapped
    // Name servers, and what stays within this machine.
    guard target.port != NameService.port, !isHere(target) || loopback == .answered else {
      return .made(ticket: nil)
    }
    let opening = server.openLink(
      host: hostName(of: target), address: target.text, port: target.port,
      process: connection.process, ordinal: connection.processOrdinal,
      program: connection.program,
      targetName: targetNames.indices.contains(connection.home.index)
        ? targetNames[connection.home.index] : nil)
    return switch opening {
    case .refused: .refused(errorNumber: ECONNREFUSED)
    case .made(let ticket): .made(ticket: ticket)
    }
  }

  func abandonLink(_ ticket: Int) {
    server.abandonLink(ticket)
  }

  func abandonRedirection(of address: InternetAddress) {
    let target = address.unmapped
    server.endListening(host: hostName(of: target), address: target.text, port: target.port)
  }

  func hostName(of address: InternetAddress) -> String? {
    server.hostName(forAddress: address.unmapped.text)
  }
}
