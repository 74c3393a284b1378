package import Foundations

/// An entry of `webhooks:` of a reply: a request to a target of the case.
package struct Webhook: Sendable {
  /// The retries of a webhook.
  package struct Retries: Sendable {
    /// `times:` how often it is sent again.
    package var times = 0
    /// `after:` the wait before the first time; each further one is twice as long.
    package var delay = Nanoseconds.seconds(1)

    /// Creates retries.
    package init(times: Int = 0) { self.times = times }
  }

  /// `request:` the request that is made.
  package var request: WebhookRequest
  /// `after:` the delay behind the instant at which the reply is due.
  package var delay = ReplyDelay.length(.zero)
  /// `within:` how long the target may take to answer.
  package var patience = Nanoseconds.seconds(30)
  /// `retries:`, none unless said.
  package var retries = Retries()
  /// `unanswered:` the meaning of a webhook that no target takes.
  package var unanswered = NetworkSettings.Unused.fail
  /// The place of the entry.
  package var range: SourceRange

  /// Creates a webhook.
  package init(request: WebhookRequest, range: SourceRange) {
    self.request = request
    self.range = range
  }
}

/// The request of a webhook.
package struct WebhookRequest: Sendable {
  /// The body.
  package enum Body: Sendable {
    /// No body.
    case empty
    /// `json:`
    case json(DataNode)
    /// `body:`
    case text(DataNode)
  }

  /// `method:`, POST unless said.
  package var method: Located<String>?
  /// `url:` where it goes.
  package var url: DataNode
  /// `headers:`, a field for each value.
  package var headers: [DataField] = []
  /// The body.
  package var body = Body.empty

  /// Creates a request.
  package init(url: DataNode) { self.url = url }
}
