/// Reports when the processes that the mock server answers are quiescent.
package struct QuiescenceSignal: Sendable {
  /// True if they have one thread together: such a client has one request in flight.
  package var isLone: @Sendable () -> Bool
  /// Calls back, on any thread, once all of them sleep and nothing is due at this instant any more; after a
  /// bound also if that never is so.
  package var whenReached: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a signal.
  package init(
    isLone: @escaping @Sendable () -> Bool,
    whenReached: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.isLone = isLone
    self.whenReached = whenReached
  }
}
