internal import Foundations
internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension ExecutionPlan {
  /// The plan in lines that a person reads, one block for each case.
  package func summary() -> [String] {
    let total = cases.count == 1 ? "1 scenario" : "\(cases.count) scenarios"
    return [total] + cases.flatMap { [""] + $0.summary() }
  }
}

extension PlannedCase {
  /// The case in lines that a person reads.
  package func summary() -> [String] {
    var lines = [identifier]
    func add(_ label: String, _ text: String) {
      lines.append("  " + label + String(repeating: " ", count: max(1, 11 - label.count)) + text)
    }
    if let skip { add("skipped", skip) }
    if !tags.isEmpty { add("tags", tags.joined(separator: ", ")) }
    add("seed", "\(seed), at most \(timeout) of real time")
    if entropy != .real { add("entropy", entropy.rawValue) }
    if let order { add("order", order.rawValue) }
    for (label, text) in execution?.summary ?? [] { add(label, text) }
    for (index, one) in targets.enumerated() {
      add("target", (moreTargets == nil ? "" : name(ofTarget: index) + ": ") + one.summary)
      if let host = one.host {
        add("its host", "\(host.names.joined(separator: ", ")), \(host.address)")
      }
      if let clock = one.clock { add("its clock", clock.description) }
      if let readiness = one.readiness { add("ready", readiness.summary) }
      if let terminal = one.terminal { add("terminal", terminal.description) }
      if let stop = one.stop { add("stop", "SIG\(stop.signalName), then KILL after \(stop.grace)") }
    }
    if let limits = target.limits { add("limits", limits.summary) }
    for file in targets.flatMap(\.files) { add("file", file.summary) }
    if let outsideFiles { add("outside", "changes of files elsewhere: \(outsideFiles.rawValue)") }
    if let clock { add("clock", clock.summary) }
    if let network, !network.needsMockServer { add("network", "live") }
    if let network, network.needsMockServer {
      let count = network.responses.count
      add(
        "network",
        "\(network.mode.rawValue), \(count) response\(count == 1 ? "" : "s"), unused: \(network.unused.rawValue)"
      )
      if network.loopback != .open { add("loopback", network.loopback.rawValue) }
      if network.unmatched != .fail { add("unmatched", network.unmatched.summary) }
      if let variables = network.trustVariables {
        let names = variables.map(\.rawValue).joined(separator: ", ")
        add("trust", "variables: \(names.isEmpty ? "none" : names)")
      }
      for host in network.hosts { add("host", "\(host.pattern): \(host.mode.rawValue)") }
      for rule in network.upstreams {
        add("upstream", "\(rule.meant.description) at \(rule.place)")
      }
      for document in network.openAPI ?? [] {
        add("openapi", "\(document.path): \(document.operations.count) operations")
      }
      if let schema = network.graphQL, schema.sampleSeed != nil {
        add("graphql", "\(schema.schemaPath ?? ""): answers what no response does")
      }
      for response in network.responses { add("response", response.summary) }
      for fault in network.connectionFaults { add("fault", fault.summary) }
      for conversation in network.conversations { add("script", conversation.summary) }
    }
    for entry in chaos { add("chaos", entry.summary) }
    for mutation in mutations ?? [] { add("mutated", mutation.text) }
    for (index, step) in steps.enumerated() {
      for line in step.summary(number: "\(index + 1)", of: self) { add("step", line) }
    }
    for expectation in expect { add("expect", expectation.summary(of: self)) }
    for (index, step) in (always ?? []).enumerated() {
      for line in step.summary(number: "\(index + 1)", of: self) { add("cleanup", line) }
    }
    return lines
  }
}

extension PlannedClock {
  fileprivate var summary: String {
    var parts = [at.map(\.description) ?? "now", "flow \(flow)"]
    if isSettable { parts.append("settable") }
    if files != .real { parts.append("files \(files.rawValue)") }
    if escapes != .fail { parts.append("escapes \(escapes.rawValue)") }
    if let computing { parts.append("computing \(computing)") }
    if let slack { parts.append("slack \(slack)") }
    return parts.joined(separator: ", ")
  }
}

extension PlannedTarget {
  fileprivate var summary: String {
    command.map { word in
      let text = word.sourceText
      return text.contains(" ") || text.isEmpty ? Value.string(text).jsonText() : text
    }.joined(separator: " ")
  }
}

extension PlannedFile {
  fileprivate var summary: String {
    let kind =
      switch content {
      case .text: "text"
      case .json: "json"
      case .copy(let source): "copy of \(source)"
      case .link(let target): "link to \(target.sourceText)"
      case .folder: "folder"
      }
    if case .link = content { return "\(path), \(kind)" }
    return "\(path), \(kind), mode 0\(String(mode, radix: 8))"
  }
}

extension PlannedResponse {
  fileprivate var summary: String {
    if let store { return "\(name): a store at \(store.url.text), with \(store.items.count) items" }
    let queue =
      repeats ? "any number of times" : replyCount == 1 ? "1 reply" : "\(replyCount) replies"
    var handlers: [String] = []
    for case .handler(let handler) in replies.map(\.body) where !handlers.contains(handler.text) {
      handlers.append(handler.text)
    }
    let conditions = (state?.conditions ?? []).map { "\($0.name) \($0.matcher.summary)" }
    let changes = (state?.changes ?? []).map {
      "\($0.name) to \($0.value.sourceText.excerpt(limit: 80))"
    }
    return "\(name): \(queue)"
      + (handlers.isEmpty ? "" : ", by \(handlers.joined(separator: ", "))")
      + (conditions.isEmpty ? "" : ", when \(conditions.joined(separator: " and "))")
      + (changes.isEmpty ? "" : ", sets \(changes.joined(separator: ", "))")
      + (then.map { ", then \($0.rawValue)" } ?? "")
      + (step.map { ", from respond step \($0 + 1) on" } ?? "")
  }
}

extension PlannedConversation {
  fileprivate var summary: String {
    let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
    let often = times.map { $0 == 1 ? "1 connection" : "\($0) connections" } ?? "any connection"
    return "\(name): \(count)\(isSecure ? " in TLS" : ""), for \(often)"
  }
}

extension PlannedConnectionFault {
  fileprivate var summary: String {
    "\(name): " + (times.map { $0 == 1 ? "once" : "\($0) times" } ?? "always")
  }
}

extension PlannedStep {
  fileprivate func summary(number: String, of plannedCase: PlannedCase) -> [String] {
    let isNamed = plannedCase.moreTargets != nil && (target != nil || action.isAboutTarget)
    let whom = isNamed ? " (\(plannedCase.name(ofTarget: target ?? 0)))" : ""
    var lines = ["\(number). \(action.summary(named: name))\(whom)"]
    lines += expect.map { "\(number).    expects \($0.summary(of: plannedCase))" }
    if case .block(_, let during) = action {
      for (index, step) in during.enumerated() {
        lines += step.summary(number: "\(number).\(index + 1)", of: plannedCase)
      }
    }
    return lines
  }
}

extension PlannedStep.Action {
  fileprivate func summary(named name: String) -> String {
    let text =
      switch self {
      case .run(let arguments): (["run"] + arguments.map(\.sourceText)).joined(separator: " ")
      case .start(let arguments): (["start"] + arguments.map(\.sourceText)).joined(separator: " ")
      case .stop: "stop"
      case .signal(let name, _): "signal \(name)"
      case .send(let text): "send \(Value.string(text.sourceText).excerpt())"
      case .closeStandardInput: "close stdin"
      case .closeOutput(let stream): stream == .output ? "close stdout" : "close stderr"
      case .signalProcess(let name, _, let process): "signal \(name) to \(process)"
      case .waitForExit: "wait for the end"
      case .waitForOutput(let expression): "wait for output /\(expression.text)/"
      case .waitForErrorOutput(let expression): "wait for error output /\(expression.text)/"
      case .waitForScreen(let expression): "wait for screen /\(expression.text)/"
      case .respond(let number): "responses (step \(number + 1) of that kind)"
      case .set(let changes): "set \(changes.map(\.name).joined(separator: ", "))"
      case .resolve(let number): "dns (step \(number + 1) of that kind)"
      case .travel(let instant): "travel to \(instant.summary)"
      case .jump(let length): "jump by \(length)"
      case .adjust(let length, let time):
        "jump by \(length)\(time.map { " over \($0)" } ?? ""), for one target"
      case .freeze(let instant): instant.map { "freeze at \($0.summary)" } ?? "freeze"
      case .tick(.duration(let length)): "tick \(length)"
      case .tick(.next): "tick to the next deadline"
      case .tick(.idle): "tick until nothing waits"
      case .settle: "wait: idle"
      case .pause(let bound): bound.map { "pause for \($0) at most" } ?? "pause"
      case .capture(let captures): "capture \(captures.map(\.name).joined(separator: ", "))"
      case .suspend(let length): "suspend for \(length)"
      case .rate(let rate): "rate \(rate)"
      case .returnToPresent: "return to the present"
      case .apply(let selection, let seed):
        "apply \(selection.text)" + (seed.map { " with the seed \($0)" } ?? "")
      case .revert(let selection): "revert \(selection.text)"
      case .partition(let partition): "partition \(partition.summary)"
      case .heal(.all): "heal all"
      case .heal(.named(let name)): "heal \"\(name)\""
      case .block(let action, _): "\(action.summary(named: "")), for a block"
      case .expect: "expect"
      case .exec(let helper):
        ([helper.place] + helper.command.map(\.sourceText)).joined(separator: " ")
      case .build(let builds): "build \(builds.map(\.name).joined(separator: ", "))"
      case .write(let file): "write \(file.summary)"
      case .press(let keys): "send \(keys.map(\.name).joined(separator: ", "))"
      case .resize(let size): "resize to \(size)"
      }
    let keyword = text.split(separator: " ").first.map(String.init) ?? ""
    return name.isEmpty || name == keyword || text.hasPrefix(name) ? text : "\(name): \(text)"
  }
}

extension PlannedHelper {
  /// The step and where the command runs.
  fileprivate var place: String {
    if let host { return "exec on the host \(host):" }
    return isInWorld == true ? "exec in the world:" : "exec"
  }
}

extension InstantExpression {
  fileprivate var summary: String {
    switch self {
    case .absolute(let instant): instant.description
    case .shift(let length): length < .zero ? "now \(length)" : "now +\(length)"
    case .day(let day, at: let time):
      "\(day.rawValue) "
        + String((WallInstant.epoch + time).description.dropFirst("1970-01-01T".count).dropLast())
    }
  }
}

extension PlannedExpectation {
  fileprivate func summary(of plannedCase: PlannedCase) -> String {
    plannedCase.moreTargets != nil && isAboutTarget
      ? plannedCase.name(ofTarget: target ?? 0) + ": " + summary : summary
  }

  fileprivate var summary: String {
    switch subject {
    case .exit(let matcher): "exit \(matcher.summary)"
    case .signal(let name): "signal \(name)"
    case .standardOutput(let matcher): "stdout \(matcher.summary)"
    case .standardError(let matcher): "stderr \(matcher.summary)"
    case .screen(let matcher): "screen \(matcher.summary)"
    case .watchdog(let bound): "watchdog within \(bound)"
    case .fileAbsent(let pattern): "no file \(pattern.text)"
    case .fileExists(let pattern): "a file \(pattern.text)"
    case .file(let pattern, let matcher): "file \(pattern.text) \(matcher.summary)"
    case .fileProperties(let pattern, let properties):
      "file \(pattern.text) \(properties.summary)"
    case .tree(let tree): "folder \(tree.path) \(tree.summary)"
    case .request(let line, let count, let intervals):
      "request \(line.text)" + (count.map { ", count \($0.summary)" } ?? "")
        + (intervals.map { ", intervals \($0.map(\.expectedText).joined(separator: ", "))" } ?? "")
    case .requestOrder(let lines): "requests in order: \(lines.map(\.text).joined(separator: ", "))"
    case .state(let name, let matcher): "state \(name) \(matcher.summary)"
    case .chaos(let entry, let count, let matcher):
      "chaos \(entry) \(count.rawValue) \(matcher.summary)"
    case .timers(let timers): "timers \(timers.summary)"
    case .elapsed(let matcher): "duration \(matcher.summary)"
    case .clock(.at(let instant)): "clock \(instant)"
    case .clock(.between(let first, let last)): "clock between \(first) and \(last)"
    case .processes(let kind, let matcher): "processes \(kind.rawValue) \(matcher.summary)"
    case .tolerated(let expectations):
      "a failure told, or \(expectations.map(\.summary).joined(separator: ", "))"
    case .repeated(let check, let expectations):
      "\(check.quantity.rawValue) within \(check.length), every \(check.interval): "
        + expectations.map(\.summary).joined(separator: ", ")
    }
  }
}
