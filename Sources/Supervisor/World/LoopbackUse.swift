/// The loopback addresses that the targets on no host bind.
package enum LoopbackUse: Sendable {
  /// This machine's own, which all its processes share.
  case shared
  /// The case's own, in this block of addresses; `nil` takes one as soon as a target binds a port that it names.
  case own(LoopbackBlock?)
}

extension LoopbackUse {
  /// The address at which processes outside of the scenario's world reach what targets bind.
  package var entrance: String {
    guard case .own(let block?) = self else { return InternetAddress.loopback(port: 0).text }
    return HostNetwork(loopbackIn: block).entrance(ofHost: 0)
  }
}
