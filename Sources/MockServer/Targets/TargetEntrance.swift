/// The place at which a target takes connections of the mock server.
package enum TargetEntrance: Sendable, Hashable {
  /// The host is none of a target's.
  case outside
  /// No target listens at the port.
  case closed
  /// The address and port of this machine that lead there.
  case open(address: String, port: UInt16)
}

/// Finds, on any thread, where a target takes connections for a host and a port.
package typealias FindTargetEntrance =
  @Sendable (
    _ host: String, _ port: UInt16, _ completion: @escaping @Sendable (TargetEntrance) -> Void
  ) -> Void
