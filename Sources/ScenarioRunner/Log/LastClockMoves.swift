internal import Foundations
internal import ScenarioEvents

/// The last moves of the clock of those that are not reported one by one, and the sum of those before.
struct LastClockMoves {
  private let limit: Int
  private var events: [Event] = []
  /// The index of the oldest of them once there are as many as are kept.
  private var oldest = 0
  private var unlisted = 0
  private var unlistedLength = Nanoseconds.zero

  /// - Parameter limit: the number of moves that are kept.
  init(limit: Int) { self.limit = limit }

  /// Adds a move, for which the oldest one has to make room.
  mutating func add(_ move: Event) {
    guard events.count >= limit else { return events.append(move) }
    if case .clockMoved(let length, _) = events[oldest].kind {
      unlisted += 1
      unlistedLength += length
    }
    events[oldest] = move
    oldest = (oldest + 1) % limit
  }

  /// Removes and returns the last moves in order, and how many there were before, and how long together.
  mutating func take() -> (last: [Event], unlisted: Int, unlistedLength: Nanoseconds) {
    defer { self = LastClockMoves(limit: limit) }
    return (Array(events[oldest...] + events[..<oldest]), unlisted, unlistedLength)
  }
}
