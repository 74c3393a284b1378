/// The ports of a case's targets that leave this machine's loopback because others have them.
struct PortDemand {
  /// What the case and others have bound.
  let ports: CasePorts
  /// The ports that targets reach.
  let reach: LoopbackReach
  /// The ports that are the case's own.
  var moved: Set<FixedPorts.Port> = []

  /// Returns whether what is sent to a port may have to go elsewhere than it is meant to.
  func mayLead(_ port: UInt16) -> Bool {
    guard reach != .none else { return false }
    return [TransportKind.stream, .datagram].contains {
      moved.contains(FixedPorts.Port(transport: $0, number: port))
    } || reach == .all && ports.isOthers(port: port)
  }

  /// Returns whether what is sent to an address is received by other cases, and not by this one.
  func leadsToOthers(_ address: InternetAddress, _ transport: TransportKind) -> Bool {
    reach == .all && ports.leadsToOthers(address, transport)
  }
}
