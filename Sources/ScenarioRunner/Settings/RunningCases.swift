package import Foundations
internal import Synchronization

/// The cases that have an environment right now, for access from any thread.
package final class RunningCases: Sendable {
  /// Answers questions about a case that runs.
  struct Access: Sendable {
    /// Virtual time since the scenario's start; `nil` where the clock is real.
    var virtualTime: @Sendable () -> Nanoseconds?
    /// Its processes and the end of its output, as lines.
    var details: @Sendable () -> [String]
  }

  private let sights = Mutex<[String: Access]>([:])

  /// Creates a register of none.
  package init() {}

  /// The virtual time that a case has seen so far; `nil` where it has none.
  package func virtualTime(of identifier: String) -> Nanoseconds? {
    sights.withLock { $0[identifier]?.virtualTime() }
  }

  /// The processes of a case and the end of what it wrote, as lines that may hold any character.
  package func details(of identifier: String) -> [String] {
    // What is asked must not go away meanwhile: a world that ends waits for the lock.
    sights.withLock { $0[identifier]?.details() ?? [] }
  }

  func enter(_ identifier: String, _ sight: Access) {
    sights.withLock { $0[identifier] = sight }
  }

  func leave(_ identifier: String) {
    sights.withLock { $0[identifier] = nil }
  }
}
