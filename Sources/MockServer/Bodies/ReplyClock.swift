internal import Foundations

/// The times that the expressions of a reply see.
///
/// Lives on the event loop.
struct ReplyClock {
  /// The time at which its request was complete: that of the head, and of a body in one piece.
  var request: WallInstant?
  /// The scenario's wall clock: the time of what is sent in turn with the client.
  var now: () -> WallInstant

  /// Returns the time at which the first of several pieces is due that follow a delay.
  func start(after delay: Nanoseconds) -> WallInstant? { request.map { $0 + delay } }
}
