package import Foundations
package import ScenarioPlan

/// A webhook that has not been taken yet.
package struct PendingWebhook: Sendable, Hashable {
  /// The name of the entry whose reply it follows.
  package var entry: String
  /// The method and the URL.
  package var request: String
  /// Virtual time since the scenario's start at which it is to be sent; `nil` if it waits for its answer.
  package var due: Nanoseconds?
  /// The plan of the webhook.
  package var planned: PlannedWebhook
}
