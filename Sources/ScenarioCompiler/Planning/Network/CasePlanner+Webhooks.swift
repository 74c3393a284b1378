internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Requests to targets of the case, behind a reply.
extension CasePlanner {
  /// The webhooks of a reply; `nil` if there are none, or some part of one was reported.
  mutating func planWebhooks(of reply: Reply, in place: EvaluationSite) -> [PlannedWebhook]? {
    guard !reply.webhooks.isEmpty else { return nil }
    let place = place.part(.key("webhooks"))
    let planned = reply.webhooks.enumerated().compactMap { index, webhook in
      planWebhook(webhook, in: place.part(.index(index)))
    }
    return planned.count == reply.webhooks.count ? planned : nil
  }

  private mutating func planWebhook(
    _ webhook: Webhook, in place: EvaluationSite
  ) -> PlannedWebhook? {
    let request = webhook.request
    guard let url = data.text(request.url, in: place), checkGoal(of: url, at: request.url.range),
      let delay = planDelay(webhook.delay, in: place)
    else { return nil }
    let body: PlannedWebhook.Body?
    switch request.body {
    case .empty: body = .empty
    case .json(let node): body = data.data(node, in: place).map { .json($0) }
    case .text(let node): body = data.text(node, in: place).map { .text($0) }
    }
    guard let body else { return nil }
    var planned = PlannedWebhook(
      method: request.method?.value ?? "POST", url: url,
      headers: request.headers.compactMap { planHeader($0, in: place) }, body: body,
      range: webhook.range)
    planned.delay = delay.fixed
    planned.computedDelay = delay.computed
    planned.patience = webhook.patience
    planned.retries = webhook.retries.times
    planned.retryDelay = webhook.retries.delay
    planned.unanswered = webhook.unanswered
    return planned
  }

  /// Reports a URL that leads out of the case, as far as its beginning is known; returns whether none was.
  private mutating func checkGoal(of url: PlannedText, at range: SourceRange) -> Bool {
    guard case .literal(let beginning)? = url.segments.first else { return true }
    do throws(PatternError) {
      guard let goal = try WebhookURL.goal(of: beginning, isWhole: url.literal != nil) else {
        return true
      }
      let names = OrderedSet(hostNamesOfTargets).elements
      let onHosts = Self.targetsOnHosts(of: body).count
      let addresses = (0..<onHosts).map { PlannedHost.address(ofNumber: $0 + 1) }
      let isLoopback = WebhookURL.isLoopback(goal.host)
      if isLoopback ? onHosts < targetCount : (names + addresses).contains(goal.host) {
        return true
      }
      report(
        isLoopback
          ? "the webhook goes to \"\(goal.host)\", but every target has its own host"
          : "the webhook goes to \"\(goal.host)\", which is not a target of the case",
        code: .badAddress, at: range,
        help: names.isEmpty
          ? "add \"host: \(goal.host)\" to the target that receives it"
          : Suggestion.help(for: goal.host, in: names, label: "hosts of targets"))
      return false
    } catch {
      report(error.message, code: .badAddress, at: range, help: error.help)
      return false
    }
  }
}
