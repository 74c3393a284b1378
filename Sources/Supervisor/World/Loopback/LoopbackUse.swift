/// The loopback addresses that the targets on no host bind.
package enum LoopbackUse: Sendable {
  /// This machine's own, which all its processes share.
  case shared
  /// This machine's own, but for ports that others have: these are the case's own.
  case onDemand(CasePorts, LoopbackReach)
  /// The case's own, in this block of addresses; `nil` takes one as soon as a target binds a port that it names.
  case own(LoopbackBlock?)
}

/// The ports of loopback that targets reach.
package enum LoopbackReach: Sendable {
  /// All but those of other cases.
  case all
  /// Those of the case.
  case own
  /// None.
  case none
}

extension LoopbackUse {
  /// The address at which processes outside of the scenario's world reach what targets bind.
  package var entrance: String {
    switch self {
    case .own(let block?): HostNetwork(loopbackIn: block).entrance(ofHost: 0)
    case .onDemand(let ports, _): ports.entrance ?? InternetAddress.loopback(port: 0).text
    case .own(nil), .shared: InternetAddress.loopback(port: 0).text
    }
  }

  /// True if a command outside of the world that starts now must be led to ports of its case.
  var leadsCommands: Bool {
    guard case .onDemand(let ports, _) = self else { return false }
    return ports.entrance != nil
  }
}
