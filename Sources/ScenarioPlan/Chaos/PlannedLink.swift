internal import Patterns
package import ScenarioModel

/// The connections of a chaos entry: those to a host, and the questions for its name.
package struct PlannedLink: Sendable, Hashable, Codable {
  /// The host in lower case, in which `*` matches any letters; or an address.
  package var host: String
  /// The port; `nil` for any.
  package var port: UInt16?
  /// True if the entry is about questions for the name, and not about connections.
  package var isAboutNames: Bool
  /// The names of the targets between which it is; `nil` where it is one to a host beyond the scenario's.
  package var ends: LinkEnds?
  /// The names of the targets whose connections alone are meant; `nil` for those of all.
  package var clients: [String]?
  /// The link with clients as an author writes it.
  package var clientText: String?

  /// Creates a link.
  package init(host: String, port: UInt16? = nil, isAboutNames: Bool = false) {
    self.host = host
    self.port = port
    self.isAboutNames = isAboutNames
  }

  /// The host and port as an author writes them.
  package var text: String {
    if let text = ends?.text ?? clientText { return text }
    guard let port else { return host }
    return (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }

  /// The link on one line.
  var summary: String {
    if let text = ends?.text ?? clientText { return "the link \(text)" }
    return isAboutNames ? "the name \(text)" : "connections to \(text)"
  }

  private func hasClients(of other: PlannedLink) -> Bool {
    guard let clients else { return true }
    return other.clients.map { Set(clients).isSuperset(of: $0) } ?? false
  }

  /// Returns whether everything that `other` is about is among this as well.
  package func contains(_ other: PlannedLink) -> Bool {
    guard isAboutNames == other.isAboutNames, port == nil || port == other.port else {
      return false
    }
    if let ends, let others = other.ends { return ends.contain(others) }
    guard ends == nil, other.ends == nil, hasClients(of: other) else { return false }
    return host == "*" || host == other.host
      || !other.host.contains("*")
        && PlannedHostMode(pattern: host, mode: .offline).matches(other.host)
  }
}

extension PlannedProvider {
  /// The same, with toxics for the bytes of one direction.
  package func along(_ stream: Toxic.Stream) -> PlannedProvider {
    switch self {
    case .link(let faults):
      .link(
        faults.map { fault in
          if case .toxic(let toxic) = fault {
            .toxic(Toxic(toxic.kind, stream: stream))
          } else {
            fault
          }
        })
    case .sequence(let providers): .sequence(providers.map { $0.along(stream) })
    case .match(let branches, let otherwise):
      .match(
        branches.map { branch in
          var branch = branch
          branch.provider = branch.provider.along(stream)
          return branch
        }, otherwise: otherwise.along(stream))
    default: self
    }
  }

  /// The faults of links that it may give.
  package var linkFaults: [LinkFault] {
    switch self {
    case .link(let faults): faults
    case .sequence(let providers): providers.flatMap(\.linkFaults)
    case .match(let branches, let otherwise):
      branches.flatMap(\.provider.linkFaults) + otherwise.linkFaults
    default: []
    }
  }
}
