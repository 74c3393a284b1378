package import ScenarioModel

extension PlannedNetwork {
  /// Returns the mode of a host; the first entry of `hosts` that matches it decides.
  package func mode(ofHost host: String) -> NetworkSettings.Mode {
    hosts.first { $0.matches(host) }?.mode ?? mode
  }

  /// Returns the real address of a host.
  package func upstream(ofHost host: String, port: UInt16) -> (host: String, port: UInt16) {
    let rule = upstreams.first { rule in
      rule.meant.host == host && (rule.meant.port ?? port) == port
    }
    return rule.map { ($0.actual.host, $0.actual.port ?? port) } ?? (host, port)
  }

  /// True if anything but the target itself answers or connects: not so where all of the network is left
  /// alone.
  package var needsMockServer: Bool {
    mode != .live || hosts.contains { $0.mode != .live }
  }

  /// True if a real host may be asked.
  package var mayGoLive: Bool {
    mode != .offline || hosts.contains { $0.mode != .offline }
  }

  /// True if anything is written down.
  package var records: Bool {
    mode == .record || hosts.contains { $0.mode == .record }
  }
}
