internal import FaultEngine
internal import MockServer
internal import Supervisor

/// Leads what hosts send to each other through the mock server's relay.
struct MockServerHostLinks: HostLinks {
  let server: ScenarioMockServer

  func open(_ connection: RelayedHostConnection) -> RelayedHostOpening {
    let opening = server.openHostConnection(
      HostConnection(
        number: connection.number, from: connection.from, to: connection.to,
        client: LoopbackEnd(connection.client),
        goal: LoopbackEnd(connection.goal), source: LoopbackEnd(connection.source),
        gate: LoopbackEnd(connection.gate), silence: LoopbackEnd(connection.silence),
        port: connection.port,
        maker: HostClient(
          process: connection.process, processOrdinal: connection.processOrdinal,
          program: connection.program),
        timeouts: [connection.clientTimeouts, connection.serverTimeouts]))
    return switch opening {
    case .relayed: .relayed
    case .refused: .refused
    case .denied: .denied
    case .silent: .silent
    }
  }

  func abandon(client: InternetAddress) {
    server.abandonHostConnection(of: LoopbackEnd(client))
  }

  func setTimeouts(
    _ timeouts: TCPTimeouts, of end: InternetAddress, to other: InternetAddress?
  ) {
    server.setTimeouts(timeouts, of: LoopbackEnd(end), to: other.map { LoopbackEnd($0) })
  }

  func openDatagrams(at address: InternetAddress) -> Bool {
    server.openDatagrams(at: LoopbackEnd(address))
  }
}

extension HostRelaySettings {
  /// The relay's interface to the hosts and the supervisor.
  ///
  /// - Parameter names: the names of the targets on the hosts.
  init(_ network: HostNetwork, names: [String], _ link: SupervisorLink) {
    self.init(
      names: names,
      place: { end in
        network.relayedPlace(at: end.internet).map {
          HostPlace(
            host: $0.host, own: LoopbackEnd($0.own), relay: LoopbackEnd($0.relay), port: $0.port)
        }
      },
      timeOut: { timeout, completion in
        guard let supervisor = link.supervisor else { return completion() }
        supervisor.timeOut(
          from: timeout.target.internet, to: timeout.other.internet, completion: completion)
      })
  }
}

extension LoopbackEnd {
  fileprivate init(_ address: InternetAddress) {
    self.init(
      address: address.unmapped.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) },
      port: address.port)
  }

  fileprivate var internet: InternetAddress {
    InternetAddress(
      bytes: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) }, port: port)
  }
}
