internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension PlannedNetwork {
  /// True if some entry may be requested over TLS.
  var speaksTLS: Bool {
    mayGoLive || unmatched != .fail || names != nil || conversations.contains(where: \.speaksTLS)
      || connectionFaults.contains { if case .tls = $0.fault { true } else { false } }
      || (openAPI ?? []).contains(where: \.speaksTLS)
      || graphQL.map { $0.url?.scheme != "http" } ?? false
      || responses.contains { response in
        switch response.match {
        case .http(let request): request.url?.scheme != "http"
        case .graphQL(let match): match.url?.scheme != "http"
        }
      }
  }
}

extension PlannedOpenAPI {
  /// True if some operation may be requested over TLS.
  var speaksTLS: Bool { allServers.contains { $0.scheme == "https" } }
}
