internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Checks for responses that no request can get, and for conditions that no request meets.
extension CasePlanner {
  /// Reports responses for hosts that are left alone.
  mutating func checkLiveHosts(of responses: [PlannedResponse]) {
    guard options.networkMode == nil else { return }
    let hosts = plannedHosts
    for response in responses where response.range.file == file {
      guard let host = response.match.url?.host, !host.contains("*"),
        hosts.first(where: { $0.matches(host) })?.mode == .live
      else { continue }
      report(
        "the response \"\(response.name)\" is never used: \"\(host)\" is live",
        code: .unreachableResponse, at: response.range,
        help: "write another mode for the host, such as \"\(host): spy\", or remove the response")
    }
  }

  /// Reports responses for names that are the scenario's own hosts.
  mutating func checkHosts(of responses: [PlannedResponse]) {
    let names = Set(hostNamesOfTargets)
    guard !names.isEmpty else { return }
    for response in responses where response.range.file == file {
      guard let host = response.match.url?.host, names.contains(host) else { continue }
      report(
        "the response \"\(response.name)\" is never used: \"\(host)\" is a target",
        code: .unreachableResponse, at: response.range,
        help: "remove the response, or rename the target's host")
    }
  }

  /// The names of the hosts that targets are.
  var hostNamesOfTargets: [String] {
    (0..<targetCount).compactMap { settings(ofTarget: $0)?.host?.value }
      + (body.network?.routes ?? []).filter { targetNumbers[$0.target.value] != nil }.map(
        \.host.value)
  }

  /// Reports conditions on a text of a request that contradict one another, and such as hold of any text.
  ///
  /// - Parameter mayBeMissing: whether there may be no such text, so that any condition says at least that there is one.
  mutating func checkRequestText(_ matcher: PlannedMatcher?, mayBeMissing: Bool = false) {
    guard let matcher else { return }
    for finding in MatcherReview(domain: .text).findings(in: matcher) {
      switch finding.verdict {
      case .never:
        report(
          "no text meets this condition: \(finding.matcher.summary)", code: .unreachableResponse,
          at: finding.matcher.range,
          help: "remove one of the conditions, or write an entry for each")
      case .always where !mayBeMissing && finding.domain == .text:
        warn(
          "every request meets this condition: \(finding.matcher.summary)", code: .cannotFail,
          at: finding.matcher.range,
          help: "write a condition on the text, or remove it")
      case .always, .open: break
      }
    }
  }

  /// Reports an expectation about requests that do not pass the mock server.
  mutating func checkIsSeen(_ line: PlannedRequestLine, at range: SourceRange) {
    guard let host = line.host, !host.contains("*") else { return }
    let reason: String
    let help: String
    if hostNamesOfTargets.contains(host) {
      reason = "is a target"
      help = "write an expectation of the target itself, such as its output, or remove this one"
    } else if plannedHosts.first(where: { $0.matches(host) })?.mode == .live {
      reason = "is live"
      help = "write \"\(host): spy\", or remove the expectation"
    } else if LocalHost.isNamed(by: host),
      body.network?.loopback?.value.isOpen ?? true
    {
      reason = "is this machine, whose connections are not intercepted"
      help =
        "write \"network: { loopback: answered }\", or remove the expectation"
    } else if let script = conversations.first(where: {
      $0.host == host && ($0.port == nil || $0.port == line.url?.port)
    }) {
      reason = "follows the script of line \(script.range.line)"
      help =
        "write what the client must send as \"expect\" of the script, or remove the expectation"
    } else {
      return
    }
    report(
      "the mock server never sees requests for \"\(line.text)\": \"\(host)\" \(reason)",
      code: .noEffect, at: range, help: help)
  }

  /// Reports an event that comes behind more replies than an entry has.
  mutating func checkEvent(_ event: Located<ChaosEvent>) {
    let entries = body.responses.filter { $0.name == event.value.reply }
    guard entries.count == 1, let entry = entries.first, !entry.repeats,
      !(entry.then?.value.isEndless ?? false)
    else { return }
    let total = entry.replies.reduce(0) { $0.addingReportingOverflow($1.times).partialValue }
    guard total > 0, event.value.number > total else { return }
    report(
      "the response \"\(entry.name)\" has \(total == 1 ? "1 reply" : "\(total) replies"), but the"
        + " event waits for reply number \(event.value.number)", code: .neverFires, at: event.range,
      help: "write \"nth: \(total)\", more replies, or \"then: repeat\"")
  }

  /// Reports expectations of an end or an output that are before any start.
  mutating func checkBeginning(of steps: [Step]) {
    for step in steps {
      switch step.action {
      case .run, .start: return
      // What a block does first may start the target.
      case .block: return
      // What is expected behind a command is expected of the command.
      case .exec: continue
      default: break
      }
      checkBeginning(of: step.expect?.entries ?? [])
    }
  }

  private mutating func checkBeginning(of entries: [ExpectationBlock.Entry]) {
    for expectation in entries {
      switch expectation.subject {
      case .exit, .signal:
        report(
          "no target has been started yet, so none has ended", code: .badExpectation,
          at: expectation.range,
          help: "add \"- run:\", or \"- start:\" and \"- wait: exit\", before this step")
      case .standardOutput, .standardError, .screen:
        // Targets that are named are looked at where their starts are known.
        guard expectation.target == nil else { continue }
        report(
          "no target has been started yet, so none has written output", code: .badExpectation,
          at: expectation.range, help: "add \"- run:\" or \"- start:\" before this step")
      case .tolerated(let inner), .repeated(_, let inner): checkBeginning(of: inner)
      default: break
      }
    }
  }
}

extension PlannedRequestLine {
  /// The host of the requests, if it is one and written out.
  fileprivate var host: String? {
    if let host = url?.host { return host }
    if let address = pattern?.address?.literalText {
      return (try? RequestTarget(scheme: "http", authority: "", target: address))?.host
    }
    return pattern?.host?.literalText
  }
}

extension PlannedMatcher {
  /// The one text that is asked for, if it is written out.
  fileprivate var literalText: String? {
    guard case .equals(let data) = condition, case .string(let text)? = data.literal else {
      return nil
    }
    return text
  }
}

extension PlannedResponse.Match {
  /// The URL of the requests that are meant.
  fileprivate var url: URLPattern? {
    switch self {
    case .http(let request): request.url
    case .graphQL(let match): match.url
    }
  }
}
