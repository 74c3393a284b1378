import Synchronization

/// Counts calls to real hosts that are not answered, and requests that are on their way to targets: while there are any,
/// virtual time does not move.
package final class PendingUpstreamCalls: Sendable {
  private let toHosts = Atomic<Int>(0)
  private let toTargets = Atomic<Int>(0)

  init() {}

  /// True if there are any; may be asked from any thread.
  package var hasAny: Bool { hasAnyToHosts || toTargets.load(ordering: .acquiring) > 0 }

  /// True if a real host is asked, whose answer comes in real time.
  var hasAnyToHosts: Bool { toHosts.load(ordering: .acquiring) > 0 }

  /// Opens one, to a real host or to a target.
  func open(toTarget: Bool = false) -> PendingUpstreamCall {
    add(1, toTarget: toTarget)
    return PendingUpstreamCall(self, toTarget: toTarget)
  }

  fileprivate func close(toTarget: Bool) { add(-1, toTarget: toTarget) }

  private func add(_ change: Int, toTarget: Bool) {
    if toTarget {
      toTargets.add(change, ordering: .acquiringAndReleasing)
    } else {
      toHosts.add(change, ordering: .acquiringAndReleasing)
    }
  }
}

/// One call, which is closed once, at the latest with its last reference.
///
/// Lives on the event loop.
final class PendingUpstreamCall {
  private let calls: PendingUpstreamCalls
  private let toTarget: Bool
  private var isOpen = true

  fileprivate init(_ calls: PendingUpstreamCalls, toTarget: Bool) {
    self.calls = calls
    self.toTarget = toTarget
  }

  deinit {
    close()
  }

  func close() {
    if isOpen { calls.close(toTarget: toTarget) }
    isOpen = false
  }
}
