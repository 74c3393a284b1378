package import Foundations

/// A wait of the target.
package struct RecordedWait: Sendable, Hashable {
  /// The requested length of the wait, from the moment of the request.
  package var length: Nanoseconds
  /// The caller that waits.
  package var owner: WaitDescription
}

/// The target's waits, in order: the first ones up to the limit, and the number of the others.
///
/// Most come in rows of equals, and from few owners: a row takes sixteen bytes.
package struct WaitStatistics: Sendable, Hashable {
  /// The largest number of waits that are kept.
  package static let limit = 100_000

  /// Equal waits, one behind the other.
  private struct Row: Hashable {
    var length: Nanoseconds
    /// The owner's place in `owners`.
    var owner: UInt32
    var count: UInt32
  }

  private var rows: [Row] = []
  private var owners: [WaitDescription] = []
  private var places: [WaitDescription: UInt32] = [:]
  /// The number of waits that are kept here.
  package private(set) var count = 0
  /// The number of further waits.
  package private(set) var omitted = 0

  /// Creates empty statistics.
  package init() {}

  /// The first waits.
  package var waits: [RecordedWait] {
    rows.flatMap { row in
      repeatElement(
        RecordedWait(length: row.length, owner: owners[Int(row.owner)]), count: Int(row.count))
    }
  }

  /// Adds a wait; ignores waits without a timeout or of zero length.
  mutating func add(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription) {
    guard length > .zero, length < .forever else { return }
    guard count < Self.limit else {
      omitted += 1
      return
    }
    count += 1
    let place = place(of: owner())
    if let last = rows.last, last.length == length, last.owner == place {
      rows[rows.count - 1].count += 1
    } else {
      rows.append(Row(length: length, owner: place, count: 1))
    }
  }

  private mutating func place(of owner: WaitDescription) -> UInt32 {
    if let last = rows.last?.owner, owners[Int(last)] == owner { return last }
    if let place = places[owner] { return place }
    let place = UInt32(owners.count)
    owners.append(owner)
    places[owner] = place
    return place
  }
}
