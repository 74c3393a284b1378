import Synchronization

/// Counts calls to real hosts that are not answered: while there are any, virtual time does not
/// move.
package final class PendingUpstreamCalls: Sendable {
  private let count = Atomic<Int>(0)

  init() {}

  /// True if there are any; may be asked from any thread.
  package var hasAny: Bool { count.load(ordering: .acquiring) > 0 }

  /// Opens one.
  func open() -> PendingUpstreamCall {
    count.add(1, ordering: .acquiringAndReleasing)
    return PendingUpstreamCall(self)
  }

  fileprivate func close() {
    count.subtract(1, ordering: .acquiringAndReleasing)
  }
}

/// One call, which is closed once, at the latest with its last reference.
///
/// Lives on the event loop.
final class PendingUpstreamCall {
  private let calls: PendingUpstreamCalls
  private var isOpen = true

  fileprivate init(_ calls: PendingUpstreamCalls) {
    self.calls = calls
  }

  deinit {
    close()
  }

  func close() {
    if isOpen { calls.close() }
    isOpen = false
  }
}
