package import ScenarioModel

extension PlannedNetwork {
  /// Returns the mode of a host; the first entry of `hosts` that matches it decides.
  package func mode(ofHost host: String) -> NetworkSettings.Mode {
    hosts.first { $0.matches(host) }?.mode ?? mode
  }

  /// Returns the real address of a host.
  package func upstream(ofHost host: String, port: UInt16) -> (host: String, port: UInt16) {
    rule(ofHost: host, port: port).map { ($0.actual.host, $0.actual.port ?? port) } ?? (host, port)
  }

  /// Returns whether the real host speaks TLS by its entry; `nil` where it speaks what the client does.
  package func isUpstreamSecure(ofHost host: String, port: UInt16) -> Bool? {
    rule(ofHost: host, port: port)?.isSecure
  }

  private func rule(ofHost host: String, port: UInt16) -> UpstreamRule? {
    upstreams.first { rule in
      rule.meant.host == host && (rule.meant.port ?? port) == port
    }
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
