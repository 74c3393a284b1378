internal import ScenarioModel

/// The times that a reply tells.
///
/// Lives on the event loop.
struct ReplyClock {
  /// When its request was complete: what the head and a body in one piece tell.
  var request: WallInstant?
  /// The scenario's wall clock: what is sent in turn with the client tells its own time.
  var now: () -> WallInstant

  /// When the first of several pieces is due that follow a delay.
  func start(after delay: Nanoseconds) -> WallInstant? { request.map { $0 + delay } }
}
