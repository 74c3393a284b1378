internal import Supervisor

/// Passes every connection, so that the report can list their destinations.
struct LiveRouter: ConnectionRouter {
  let machine: MachineAddresses

  var redirects: Bool { false }

  var confines: Bool { false }

  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision {
    .pass
  }

  func isHere(_ address: InternetAddress) -> Bool { machine.contains(address) }

  func hostName(of address: InternetAddress) -> String? { nil }
}
