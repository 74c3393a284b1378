package import Foundations
package import ScenarioModel

/// A request that the mock server makes to a target of the case, once a reply is due.
package struct PlannedWebhook: Sendable, Hashable, Codable {
  /// The body.
  package enum Body: Sendable, Hashable, Codable {
    /// No body.
    case empty
    /// Data, sent as JSON.
    case json(PlannedData)
    /// Text.
    case text(PlannedText)
  }

  /// The method.
  package var method: String
  /// The URL.
  package var url: PlannedText
  /// Headers in order; those that the framing needs are added.
  package var headers: [PlannedVariable]
  /// The body.
  package var body: Body
  /// The virtual time behind the instant at which the reply is due, unless it is computed.
  package var delay: Nanoseconds
  /// The delay where it is known only when the request has come.
  package var computedDelay: PlannedReplyComputation.Delay?
  /// How long the target may take to answer, in virtual time.
  package var patience: Nanoseconds
  /// How often it is sent again.
  package var retries: Int
  /// The wait before the first time; each further one is twice as long.
  package var retryDelay: Nanoseconds
  /// The meaning of a webhook that no target takes.
  package var unanswered: NetworkSettings.Unused
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a webhook that is sent once, without a delay.
  package init(
    method: String, url: PlannedText, headers: [PlannedVariable] = [], body: Body = .empty,
    range: SourceRange
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.range = range
    delay = .zero
    patience = .seconds(30)
    retries = 0
    retryDelay = .seconds(1)
    unanswered = .fail
  }
}
