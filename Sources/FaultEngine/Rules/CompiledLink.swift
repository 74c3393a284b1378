internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// A pattern of a link, cut for being asked often.
struct CompiledLink: Sendable {
  /// The planned link.
  let planned: PlannedLink
  private let host: PlannedHostMode
  private let address: IPv6Literal?

  init(_ link: PlannedLink) {
    planned = link
    host = PlannedHostMode(pattern: link.host, mode: .offline)
    address = IPv6Literal(link.host)
  }

  /// Returns whether a host is meant, by its name or its address, both in lower case.
  func matches(host name: String?, address text: String) -> Bool {
    // An address of IPv6 is written in many ways.
    if let address { return IPv6Literal(text) == address }
    return name.map { host.matches($0) } ?? false || host.matches(text)
  }

  /// Returns whether what goes one way between two hosts is meant.
  func matches(_ way: HostWay) -> Bool {
    guard let ends = planned.ends, !(ends.isTwoWay && way.isReturn) else { return false }
    return ends.carries(from: way.from, to: way.to)
  }

  /// Returns whether a connection is meant.
  func matches(host name: String?, address: String, port: UInt16) -> Bool {
    (planned.port ?? port) == port && matches(host: name, address: address)
  }

  /// Returns whether connections of a target are meant.
  func matches(targetName: String?) -> Bool {
    guard let clients = planned.clients else { return true }
    return targetName.map { clients.contains($0) } ?? false
  }
}
