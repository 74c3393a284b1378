internal import Foundations
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

extension WebhookAttempt {
  /// The meaning of its end; `nil` if it is sent again, or a target has taken it.
  ///
  /// What can never be sent is a mistake of the scenario's.
  var loss: NetworkSettings.Unused? {
    guard !isTaken, retry == nil else { return nil }
    return isBroken ? .fail : unanswered
  }

  /// The loss in one line.
  var lossText: String {
    let request = "the webhook \(method) \(url) of \"\(entry)\""
    guard !isBroken else { return "\(request) cannot be sent: \(outcome)" }
    let times = number > 1 ? ", in the last of \(number) attempts" : ""
    return "\(request) was not accepted: \(outcome)\(times)"
  }
}

extension Failure {
  /// No target has taken a webhook.
  init(lost attempt: WebhookAttempt) {
    self.init(
      category: attempt.isBroken ? .error : .expectation, type: "network.webhook",
      message: attempt.lossText, range: attempt.range,
      help: attempt.isBroken
        ? "write http://, and the host of a target or localhost"
        : "let a target answer it with a status from 200 to 299, or add \"unanswered: warn\" to its request"
    )
  }

  /// A webhook that has come to no end.
  init(pending webhook: PendingWebhook, at now: Nanoseconds) {
    let subject = Failure.pendingText(webhook, at: now)
    self.init(
      category: .expectation, type: "network.webhook", message: subject,
      range: webhook.planned.range, help: Failure.pendingHelp(webhook, at: now))
  }

  /// Describes what a webhook waits for at the end of its case.
  static func pendingText(_ webhook: PendingWebhook, at now: Nanoseconds) -> String {
    let request = "the webhook \(webhook.request) of \"\(webhook.entry)\""
    return webhook.due.map {
      "\(request) was not sent: it is due at +\($0), but the case ended at +\(now)"
    }
      ?? "\(request) had no answer when the case ended"
  }

  private static func pendingHelp(_ webhook: PendingWebhook, at now: Nanoseconds) -> String {
    let rest = webhook.due.map { max(.zero, $0 - now) } ?? .zero
    return rest > .zero
      ? "let time pass until then, as with the step \"tick: \(rest)\", or \"wait:\" for its effect"
      : "\"wait:\" for its effect"
  }
}

extension WebhookDescription {
  /// Describes a webhook for reports.
  init(_ attempt: WebhookAttempt) {
    var status: Int?
    var error: String?
    switch attempt.result {
    case .answered(let code): status = code
    case .failed(let reason), .broken(let reason): error = reason
    }
    self.init(
      entry: attempt.entry, method: attempt.method, url: attempt.url, attempt: attempt.number,
      time: attempt.time, duration: attempt.duration, status: status, error: error,
      retry: attempt.retry)
  }
}
