internal import Patterns
internal import ScenarioModel
package import ScenarioPlan

extension PlannedNetwork {
  /// Returns whether the scenario says something of a host besides its records: an answer, a fault, a script, or a mode
  /// in which a real host may answer.
  package func knows(host: String) -> Bool {
    let isNamed =
      mode(ofHost: host) != .offline
      || connectionFaults.contains { CompiledGlob($0.host)?.matches(host) ?? false }
      || conversations.contains { CompiledGlob($0.host)?.matches(host) ?? false }
    return isNamed || responses.contains { $0.names([host], port: nil) }
      || (openAPI ?? []).contains { $0.allServers.contains { $0.host == host } }
      || (graphQL?.url?.names([host], port: nil) ?? false)
      || upstreams.contains { $0.meant.host == host }
  }
}
