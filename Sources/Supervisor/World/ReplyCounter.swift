internal import Synchronization

/// The number of replies of each entry of `responses:` that have gone out.
///
/// The mock server adds to it before the first byte leaves, on whatever thread, so that no call that
/// comes behind a reply misses it.
package final class ReplyCounter: Sendable {
  private struct State: Sendable {
    var counts: [String: Int] = [:]
    var listener: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Creates counters of no reply.
  package init() {}

  /// A reply of an entry goes out.
  package func add(_ entry: String) {
    let listener = state.withLock { state in
      state.counts[entry, default: 0] += 1
      return state.listener
    }
    listener?()
  }

  /// The replies by the names of their entries.
  package var counts: [String: Int] { state.withLock { $0.counts } }

  /// Calls back after each reply, on whatever thread adds it.
  func listen(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { $0.listener = listener }
  }
}
