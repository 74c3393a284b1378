internal import Synchronization

/// How many replies of each entry of `responses:` have gone out.
///
/// Who answers adds to it before the first byte leaves, on whatever thread, so that no call that comes
/// behind a reply misses it.
public final class ReplyTally: Sendable {
  private let state = Mutex<[String: Int]>([:])

  /// Begins with none.
  public init() {}

  /// A reply of an entry goes out.
  public func add(_ entry: String) {
    state.withLock { $0[entry, default: 0] += 1 }
  }

  /// The replies by the names of their entries.
  public var counts: [String: Int] { state.withLock { $0 } }
}
