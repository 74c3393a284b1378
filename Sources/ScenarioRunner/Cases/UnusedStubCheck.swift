internal import Foundations
internal import MockEngine
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// Finds the stubs and fault rules of a case that were never used, and the webhooks that were never taken.
struct UnusedStubCheck {
  /// One finding.
  enum Finding {
    /// The case fails.
    case failure(Failure)
    /// The report says so.
    case warning(String, SourceRange)
  }

  let plannedCase: PlannedCase
  /// The conditions on the number of injected faults, by entry name, that were checked since a step last made targets go on.
  let lastFirings: [String: PlannedMatcher]

  /// The findings, webhooks before responses, and these before chaos, each in file order.
  func failures(in world: CaseEnvironment) -> [Finding] {
    pendingWebhooks(in: world) + unusedResponses(in: world) + unfiredChaos(in: world)
  }

  /// The webhooks that are still pending although time could have advanced.
  private func pendingWebhooks(in world: CaseEnvironment) -> [Finding] {
    guard let mockServer = world.mockServer else { return [] }
    let now = world.view.reading().elapsed
    return mockServer.pendingWebhooks().compactMap { webhook in
      switch webhook.planned.unanswered {
      case .ignore: nil
      case .warn:
        .warning(Failure.pendingText(webhook, at: now), webhook.planned.range)
      case .fail: .failure(Failure(pending: webhook, at: now))
      }
    }
  }

  private func unusedResponses(in world: CaseEnvironment) -> [Finding] {
    // Each unused stub is compared with hundreds of requests, for nothing where nobody wants to know.
    guard let mockServer = world.mockServer, let network = plannedCase.network,
      network.unused != .ignore
    else { return [] }
    let findings = mockServer.unused().filter { unused in
      !isShared(unused.range) && !isReplaced(unused, in: network)
    }
    // A million requests are not reported where nothing was left over.
    guard !findings.isEmpty else { return [] }
    let requests = RequestLines.of(mockServer.requests())
    return findings.compactMap { unused in
      let message = unused.message
      switch network.unused {
      case .ignore:
        return nil
      case .warn:
        return .warning(message, unused.range)
      case .fail:
        return .failure(
          Failure(
            category: .expectation, type: "network.unused", message: message,
            range: unused.range,
            details: unused.nearest
              + (requests.isEmpty ? ["no request was made"] : ["requests:"] + requests),
            help: "remove it, or set `network: { unused: warn }`"))
      }
    }
  }

  private func unfiredChaos(in world: CaseEnvironment) -> [Finding] {
    unfired(in: world).map { entry, account in
      let name =
        YAMLQuoting.isPlain(entry.name) ? entry.name : YAMLQuoting.quoted(entry.name)
      return .failure(
        Failure(
          category: .expectation, type: "chaos.unfired",
          message: "the chaos entry \"\(entry.name)\" never fired", range: entry.range,
          details: account.nearMisses + account.lines,
          help: "correct its conditions or remove it; if it must not fire, write"
            + " `expect: { chaos: { \(name): { fired: 0 } } }` at the end"))
    }
  }

  /// The same on one line each, beside what else has failed.
  func unfiredNotes(in world: CaseEnvironment) -> [(text: String, range: SourceRange)] {
    unfired(in: world).map { entry, account in
      let reason = account.nearMisses.joined(separator: "; ")
      return (
        "the chaos entry \"\(entry.name)\" never fired" + (reason.isEmpty ? "" : ": \(reason)"),
        entry.range
      )
    }
  }

  /// The rules that never fired, but for those that no step applied and those that are expected not to fire.
  private func unfired(in world: CaseEnvironment) -> [(
    entry: PlannedChaos, account: RuleStatistics
  )] {
    guard !plannedCase.chaos.isEmpty else { return [] }
    let accounts = world.snapshot().faults
    return zip(plannedCase.chaos, accounts).compactMap { entry, account in
      guard account.fired == 0, account.wasApplied,
        !expectsNothing(of: entry.name, in: world.scope)
      else { return nil }
      let counts = !isShared(entry.range) || plannedCase.steps.contains { $0.applies(entry.name) }
      return counts ? (entry, account) : nil
    }
  }

  /// Returns whether a fallback was not needed because of what the scenario itself says.
  private func isReplaced(_ unused: UnusedResponse, in network: PlannedNetwork) -> Bool {
    if unused.isConversation { return false }
    if unused.isConnection { return network.isConnectionOverridden(unused.entry) }
    guard network.responses.indices.contains(unused.entry),
      network.responses[unused.entry].isFallback == true
    else { return false }
    return unused.wasOvertaken || network.isOverridden(unused.entry)
  }

  /// Returns whether something comes from a file that others use as well, and need not be used up by each of them.
  private func isShared(_ range: SourceRange) -> Bool {
    plannedCase.usedFiles?.contains(range.file) ?? false
  }

  /// Returns whether what the author says at the end about how often an entry fires holds for never: what holds
  /// earlier says nothing of what follows.
  private func expectsNothing(of entry: String, in scope: some RunScope) -> Bool {
    let matchers = plannedCase.expect.compactMap { expectation -> PlannedMatcher? in
      guard case .chaos(entry, .fired, let matcher) = expectation.subject else { return nil }
      return matcher
    }
    let last = matchers.last ?? lastFirings[entry]
    return last.map { $0.check(.integer(0), scope: scope) == nil } ?? false
  }
}

extension RuleStatistics {
  /// The counts of the rule, as a whole and by process.
  var lines: [String] {
    let whole = "\(seen) seen, \(matched) matched, \(fired) fired"
    guard processes.count > 1 else { return seen > 0 ? [whole] : [] }
    let listed = processes.prefix(20).map {
      "  process \($0.ordinal): \($0.matched) matched, \($0.fired) fired"
    }
    return [whole] + listed
  }
}

extension PlannedStep {
  /// False if the step only looks at targets, or ends one: what was said of entries before it still speaks of the end.
  var letsTargetsGoOn: Bool {
    let takesTime = expect.contains { expectation in
      if case .repeated = expectation.subject { true } else { false }
    }
    return switch action {
    case .expect, .capture, .stop: takesTime || settings?.retry != nil
    default: true
    }
  }

  /// Returns whether the step, or one within it, applies an entry by its name.
  fileprivate func applies(_ name: String) -> Bool {
    switch action {
    case .apply(.entry(let entry), _): entry == name
    case .block(_, let steps): steps.contains { $0.applies(name) }
    default: false
    }
  }
}
