package import Foundations

/// Collects what changes until nothing has changed for a moment, as an editor or a compiler does not write all
/// at once.
package struct WatchedChanges {
  /// The kind of a change.
  package enum Kind: Sendable, Hashable {
    /// The file was written, or put there.
    case written
    /// The file was removed, which is often the first half of a rewrite.
    case removed
  }

  /// Real time without changes after which they are taken.
  package static let calm = Nanoseconds.milliseconds(100)
  /// The time that one waits for something in the place of what was taken away.
  package static let patience = Nanoseconds.seconds(1)
  /// The longest time that one waits where changes do not end.
  package static let limit = Nanoseconds.seconds(3)

  private var pending: [String: (kind: Kind, time: Nanoseconds)] = [:]
  private var first: Nanoseconds?

  /// Creates an empty collection.
  package init() {}

  /// Records a change at a moment of a clock that only moves forward.
  package mutating func record(_ path: String, _ kind: Kind, at time: Nanoseconds) {
    first = first ?? time
    pending[path] = (kind, time)
  }

  /// The time at which changes are to be examined; `nil` if there are none.
  package var due: Nanoseconds? {
    guard let first else { return nil }
    let calmed = pending.values.map { change in
      change.time + (change.kind == .removed ? Self.patience : Self.calm)
    }.max()
    return calmed.map { min($0, first + Self.limit) }
  }

  /// Removes and returns the changes, if they are due.
  package mutating func take(at time: Nanoseconds) -> Set<String>? {
    guard let due, due <= time else { return nil }
    defer {
      pending = [:]
      first = nil
    }
    return Set(pending.keys)
  }
}
