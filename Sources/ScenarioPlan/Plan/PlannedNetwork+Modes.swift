package import ScenarioModel

/// Hosts, and who answers for them.
package struct PlannedHostMode: Sendable, Hashable, Codable {
  /// A host in lower case; `*` stands for any letters.
  package var pattern: String
  /// Who answers.
  package var mode: NetworkSettings.Mode

  /// Creates an entry.
  package init(pattern: String, mode: NetworkSettings.Mode) {
    self.pattern = pattern
    self.mode = mode
  }

  /// Whether the entry speaks of a host, which is in lower case.
  package func matches(_ host: String) -> Bool {
    guard pattern.contains("*") else { return pattern == host }
    // A star spans dots, too: names have no folders.
    var rest = host[...]
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, rest.hasPrefix(first) else {
      return false
    }
    rest = rest.dropFirst(first.count)
    guard rest.count >= last.count, rest.hasSuffix(last) else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

extension PlannedNetwork {
  /// Who answers for a host; the first entry of `hosts` that speaks of it rules.
  package func mode(ofHost host: String) -> NetworkSettings.Mode {
    hosts.first { $0.matches(host) }?.mode ?? mode
  }

  /// Where a host is really reached.
  package func upstream(ofHost host: String, port: UInt16) -> (host: String, port: UInt16) {
    let rule = upstreams.first { rule in
      rule.meant.host == host && (rule.meant.port ?? port) == port
    }
    return rule.map { ($0.actual.host, $0.actual.port ?? port) } ?? (host, port)
  }

  /// Whether anything but the target itself answers or connects: not so where all of the network is left
  /// alone.
  package var needsStandIn: Bool {
    mode != .live || hosts.contains { $0.mode != .live }
  }

  /// Whether a real host may be asked.
  package var mayGoLive: Bool {
    mode != .offline || hosts.contains { $0.mode != .offline }
  }

  /// Whether anything is written down.
  package var records: Bool {
    mode == .record || hosts.contains { $0.mode == .record }
  }
}
