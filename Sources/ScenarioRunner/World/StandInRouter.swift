internal import Glibc
internal import ScenarioModel
internal import StandIn
internal import Supervisor

/// Sends the target's connections to the stand-in.
struct StandInRouter: ConnectionRouter {
  /// Where datagrams that nothing answers are sent: `discard`, as RFC 863 has it.
  ///
  /// Connecting a datagram socket must succeed, as resolvers use it to sort addresses; what is sent is
  /// refused.
  private static let discardPort: UInt16 = 9

  let server: StandInServer

  var redirects: Bool { true }

  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision {
    if address.port == NameService.port {
      return .redirect(
        port: transport == .datagram ? server.nameServerPort : server.nameServerStreamPort)
    }
    guard !address.isLoopback else { return .pass }
    guard transport == .stream else { return .redirect(port: Self.discardPort) }
    let target = address.unmapped
    let host = hostName(of: target)
    switch server.connectionFault(host: host, address: target.text, port: target.port) {
    case .refuse?: return .refuse(errorNumber: ECONNREFUSED)
    case .unreachable?: return .refuse(errorNumber: EHOSTUNREACH)
    default: break
    }
    do {
      let port = try server.port(
        host: host, address: target.text, port: target.port)
      return .redirect(port: port)
    } catch {
      return .refuse(errorNumber: ENETUNREACH)
    }
  }

  func hostName(of address: InternetAddress) -> String? {
    server.hostName(forAddress: address.unmapped.text)
  }
}
