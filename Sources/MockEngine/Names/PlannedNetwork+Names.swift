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
    return isNamed || answers(host: host) || responses.contains { $0.names([host], port: nil) }
      || upstreams.contains { $0.meant.host == host }
  }

  /// Returns whether the scenario itself, and not a recording alone, says the name of a host whose
  /// requests it answers.
  ///
  /// - Parameter port: the port; `nil` for every one.
  package func answers(host: String, port: UInt16? = nil) -> Bool {
    responses.contains { $0.isFallback != true && $0.names([host], port: port) }
      || (openAPI ?? []).contains {
        $0.allServers.contains { $0.host == host && (port ?? $0.port) == $0.port }
      }
      || (graphQL?.url?.names([host], port: port) ?? false)
  }
}
