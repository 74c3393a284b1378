internal import Glibc
internal import Supervisor

/// Refuses all connections that would leave the machine, where a scenario has no mock server.
struct ClosedRouter: ConnectionRouter {
  let findings: NetworkFindings
  let machine: MachineAddresses

  var redirects: Bool { false }

  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision {
    // A name server on loopback asks others.
    if address.port == NameService.port { return .refuse(errorNumber: ECONNREFUSED) }
    return isHere(address) ? .pass : .refuse(errorNumber: ENETUNREACH)
  }

  var wantsRefusals: Bool { true }

  func recordRefusal(_ refusal: RefusedConnection) {
    let client = RefusedClient(process: refusal.process, arguments: refusal.arguments)
    if refusal.address.port == NameService.port {
      findings.recordLookup(of: refusal.name, by: client)
    } else if refusal.transport == .stream || refusal.sends {
      // Datagram sockets are connected also to find out one's own address, which sends nothing.
      findings.recordConnection(
        to: refusal.address.unmapped, isDatagram: refusal.transport == .datagram, by: client)
    }
  }

  func isHere(_ address: InternetAddress) -> Bool { machine.contains(address) }

  func hostName(of address: InternetAddress) -> String? { nil }
}

/// DNS (RFC 1035 section 4.2).
enum NameService {
  /// The port that it is asked on.
  static let port: UInt16 = 53
}
