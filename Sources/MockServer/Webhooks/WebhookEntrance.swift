package import Foundations
package import ScenarioPlan

/// Where a target takes webhooks.
package enum WebhookEntrance: Sendable, Hashable {
  /// The host is none of a target's.
  case outside
  /// No target listens at the port.
  case closed
  /// The address and port of this machine that lead there.
  case open(address: String, port: UInt16)
}

/// Finds, on any thread, where a target takes webhooks for a host and a port.
package typealias FindWebhookEntrance =
  @Sendable (
    _ host: String, _ port: UInt16, _ completion: @escaping @Sendable (WebhookEntrance) -> Void
  ) -> Void

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
