internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Targets of the case that answer requests.
extension CasePlanner {
  /// `handler:` of a reply; `nil` if some part of it was reported.
  mutating func planHandler(_ handler: Handler, in place: EvaluationSite) -> PlannedHandler? {
    guard let name = handler.target else {
      return PlannedHandler(
        .program(planCommand(handler.command)), unanswered: handler.unanswered)
    }
    guard let index = targetNumbers[name.value] else {
      report(
        "unknown target \"\(name.value)\" in \"handler\"", code: .unknownEntry, at: name.range,
        help: knownTargets.help(for: name.value, label: "targets"))
      return nil
    }
    guard let port = planPort(of: handler, name, index, in: place.part(.key("handler"))) else {
      return nil
    }
    let onHosts = Self.targetsOnHosts(of: body)
    let host = onHosts.firstIndex(of: name.value).map { PlannedHost.address(ofNumber: $0 + 1) }
    let target = PlannedHandler.Target(
      name: name.value, host: host ?? WebhookURL.loopback[1], port: port,
      patience: handler.patience)
    return PlannedHandler(.target(target), unanswered: handler.unanswered)
  }

  /// The port that is written, or the one at which the target is ready.
  private mutating func planPort(
    of handler: Handler, _ name: Located<String>, _ index: Int, in place: EvaluationSite
  ) -> PlannedText? {
    if let port = handler.port { return data.text(port, in: place) }
    let target = EvaluationSite.scenario.at("targets.\(name.value).ready")
    for condition in settings(ofTarget: index)?.ready?.conditions ?? [] {
      switch condition {
      case .port(let port?, _): return data.text(port, in: target)
      case .http(let http):
        if let port = http.port { return data.text(port, in: target) }
        if case .literal(.string(let url)) = http.url.content, let port = Self.port(inURL: url) {
          return PlannedText(String(port))
        }
      default: break
      }
    }
    report(
      "the port of \"\(name.value)\" is unknown", code: .missingKey, at: name.range,
      help:
        "write \"handler: { target: \(name.value), port: 8080 }\", or add \"ready: { port: 8080 }\" to the target"
    )
    return nil
  }

  /// The port that an http URL names.
  private static func port(inURL url: String) -> UInt16? {
    guard url.hasPrefix("http://") else { return nil }
    let authority = String(url.dropFirst("http://".count).prefix { $0 != "/" })
    return (try? URLParts.hostAndPort(authority, in: url))?.port
  }
}
