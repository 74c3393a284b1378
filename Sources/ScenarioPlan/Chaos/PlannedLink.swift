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
  /// The targets between which it is; `nil` where it is one to a host beyond the scenario's.
  package var ends: LinkEnds?

  /// Creates a link.
  package init(host: String, port: UInt16? = nil, isAboutNames: Bool = false) {
    self.host = host
    self.port = port
    self.isAboutNames = isAboutNames
  }

  /// The host and port as an author writes them.
  package var text: String {
    if let ends { return ends.text }
    guard let port else { return host }
    return (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }

  /// The link on one line.
  var summary: String {
    if let ends { return "the link \(ends.text)" }
    return isAboutNames ? "the name \(text)" : "connections to \(text)"
  }

  /// Returns whether everything that `other` is about is among this as well.
  package func contains(_ other: PlannedLink) -> Bool {
    guard isAboutNames == other.isAboutNames, port == nil || port == other.port else {
      return false
    }
    return host == "*" || host == other.host
      || !other.host.contains("*")
        && PlannedHostMode(pattern: host, mode: .offline).matches(other.host)
  }
}

extension PlannedProvider {
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
