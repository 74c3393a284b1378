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
            help: "write a path in the case's directory, such as run/app.pid")
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
      "the timeout \"\(timeout.value)\" is longer than the scenario's timeout, \"\(bound)\"",
      code: .noDifference, at: timeout.range,
      help: "write less than \(bound), or raise the scenario's \"timeout\"")
  }

  // MARK: - Files

  /// Warns of files by which targets are to show that they are ready, and that are there before: the scenario lays them.
  mutating func checkReadyFiles(of targets: [PlannedTarget]) {
    for (index, target) in targets.enumerated() {
      // One outside the case's directory is refused, and the scenario lays none there.
      guard let path = target.readiness?.filePath, !path.hasPrefix("/"),
        let range = settings(ofTarget: index)?.ready?.fileRange
      else { continue }
      let ready = Self.parts(of: path)
      let (writes, keepsLaid) = writesBeforeStart(ofTarget: index)
      let laid = (keepsLaid ? targets.flatMap(\.files) : []).filter {
        Self.brings(ready, $0.path, isLink: $0.isLink)
      }
      let written = writes.filter {
        Self.brings(ready, $0.path.value, isLink: $0.isLink)
      }
      guard let place = laid.first?.range ?? written.first?.path.range else { continue }
      data.diagnostics.report(
        Diagnostic(
          "this does not wait: \"\(path)\" exists before the target starts", code: .cannotFail,
          at: range,
          help:
            "name a file that only the target creates, or wait for stdout, stderr, a port or http",
          notes: [Diagnostic.Note("the scenario creates it here", at: place)]))
    }
  }

  /// The names in a path, without those that lead nowhere.
  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }
  }

  /// Returns whether a file of the scenario makes the path: by itself, or by a folder above it.
  ///
  /// A link may lead nowhere.
  private static func brings(_ asked: [Substring], _ path: String, isLink: Bool) -> Bool {
    let laid = parts(of: path)
    return laid == asked ? !isLink : laid.starts(with: asked)
  }

  /// The files that steps write, in any case, before a target is started for the first time, and whether those are
  /// there that the scenario lays: a command between may remove what was there before it.
  private func writesBeforeStart(
    ofTarget index: Int
  ) -> (files: [FileFixture], keepsLaid: Bool) {
    var files: [FileFixture] = []
    var keepsLaid = true
    func collect(_ steps: [Step], isCertain: Bool) -> Bool {
      for step in steps {
        let isCertain = isCertain && step.settings.condition == nil
        switch step.action {
        case .exec:
          files = []
          keepsLaid = false
        case .run, .start: if number(of: step.target) ?? 0 == index { return false }
        case .write(let file): if isCertain { files.append(file) }
        case .block(_, let during):
          guard collect(during, isCertain: isCertain) else { return false }
        default: break
        }
      }
      return true
    }
    _ = collect(body.steps ?? [], isCertain: true)
    return (files, keepsLaid)
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

extension PlannedReadiness {
  /// The path of the file that is awaited, if it is known before the run.
  fileprivate var filePath: String? {
    for case .file(let path) in conditions { return path.literal }
    return nil
  }
}

extension ReadinessSettings {
  /// Where the file is written that is awaited.
  fileprivate var fileRange: SourceRange? {
    for case .file(_, let range) in conditions { return range }
    return nil
  }
}

extension PlannedFile {
  fileprivate var isLink: Bool {
    if case .link = content { true } else { false }
  }
}

extension FileFixture {
  fileprivate var isLink: Bool {
    if case .link = content { true } else { false }
  }
}
