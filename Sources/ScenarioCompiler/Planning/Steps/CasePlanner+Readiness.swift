internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `ready:`.
  mutating func plan(_ settings: ReadinessSettings, at address: String) -> PlannedReadiness {
    let place = EvaluationSite.scenario.at("\(address).ready")
    let conditions = settings.conditions.compactMap { condition in
      switch condition {
      case .output(let text):
        checkWait(for: text)
        return expression(text).map { PlannedReadiness.Condition.output($0) }
      case .errorOutput(let text):
        checkWait(for: text)
        return expression(text).map { .errorOutput($0) }
      case .file(let node, let range):
        let path = data.text(node, in: place)
        if let text = path?.literal, let problem = PathText.problem(inDirectory: text) {
          report(
            problem, code: .badPlace, at: range,
            help: "write a path below the case's directory, such as run/app.pid")
        }
        return path.map { .file($0) }
      case .notify(let kind): return .notify(kind)
      case .port(let node, _):
        guard let node else { return .port(nil) }
        return data.text(node, in: place).map { .port($0) }
      case .http(let http):
        let port = http.port.flatMap { data.text($0, in: place) }
        let url = data.text(http.url, in: place)
        if let text = url?.literal { checkProbe(text, at: http.range) }
        return url.map {
          .http(url: $0, port: port, status: http.status)
        }
      }
    }
    checkReach(of: settings.timeout)
    return PlannedReadiness(conditions: conditions, timeout: settings.timeout?.value)
  }

  /// The case may end before a target's time to be ready does.
  private mutating func checkReach(of timeout: Located<Nanoseconds>?) {
    let bound = body.timeout?.value ?? options.defaultTimeout
    guard let timeout, timeout.value > bound else { return }
    report(
      "the timeout \"\(timeout.value)\" is longer than that of the scenario, \"\(bound)\"",
      code: .noDifference, at: timeout.range,
      help: "write less than \(bound), or raise the scenario's \"timeout\"")
  }

  /// The runner itself asks, and it asks this machine.
  private mutating func checkProbe(_ text: String, at range: SourceRange) {
    guard !text.hasPrefix("/") else { return }
    let hosts = ["127.0.0.1", "localhost", "[::1]"]
    let rest = text.hasPrefix("http://") ? text.dropFirst("http://".count) : ""
    guard
      hosts.contains(where: { host in
        rest == host || rest.hasPrefix(host + ":") || rest.hasPrefix(host + "/")
      })
    else {
      report(
        "\"\(text)\" is neither a path nor an http URL of this machine", code: .badAddress,
        at: range, help: "write a path such as /health, or http://localhost:8080/health")
      return
    }
  }

  /// `stop:` of a target.
  mutating func plan(_ settings: StopSettings, hasTerminal: Bool) -> PlannedStop {
    var planned = hasTerminal ? PlannedStop.hangUp : .usual
    if let grace = settings.grace { planned.grace = grace.value }
    guard let name = settings.signal else { return planned }
    let signal = data.diagnostics.catching(as: .badSignal, at: name.range) {
      () throws(PatternError) in try SignalName.named(name.value)
    }
    if let signal { (planned.signalName, planned.signal) = signal }
    return planned
  }

  /// The names that the readiness of a target gives to what it finds.
  func readinessNames(ofTarget index: Int?) -> [String] {
    (settings(ofTarget: index)?.ready?.conditions ?? []).flatMap { condition -> [String] in
      switch condition {
      case .output(let text), .errorOutput(let text): RegularExpression(text.value).groupNames
      default: []
      }
    }
  }

  /// The same of all targets.
  var readinessNames: [String] {
    (0..<targetCount).flatMap { readinessNames(ofTarget: $0) }
  }
}
