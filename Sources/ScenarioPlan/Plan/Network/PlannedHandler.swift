package import Foundations
package import ScenarioModel

/// A target of the case that answers requests.
package struct PlannedHandler: Sendable, Hashable, Codable {
  /// The target's name.
  package var target: String
  /// A name or an address at which it is reached.
  package var host: String
  /// The port that it listens on.
  package var port: PlannedText
  /// How long its answer may take to begin, in virtual time.
  package var patience: Nanoseconds
  /// The meaning of a request that it does not answer.
  package var unanswered: NetworkSettings.Unused

  /// Creates a handler.
  package init(
    target: String, host: String, port: PlannedText, patience: Nanoseconds,
    unanswered: NetworkSettings.Unused
  ) {
    self.target = target
    self.host = host
    self.port = port
    self.patience = patience
    self.unanswered = unanswered
  }
}
