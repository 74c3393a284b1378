import Synchronization

/// The number of the target's threads, for readers outside the supervisor's thread.
package final class ThreadCensus: Sendable {
  private let threads = Atomic<Int>(0)
  private let greatest = Atomic<Int>(0)

  /// Creates an empty census.
  package init() {}

  /// The number of threads; may be read from any thread.
  ///
  /// A reader that has just heard from a thread gets a number that includes that thread and all
  /// that it had made before.
  package var count: Int { threads.load(ordering: .acquiring) }

  /// The most that there were at once.
  package var most: Int { greatest.load(ordering: .acquiring) }

  /// Stores a new number.
  func record(_ count: Int) {
    threads.store(count, ordering: .releasing)
    if count > greatest.load(ordering: .relaxed) { greatest.store(count, ordering: .releasing) }
  }
}
