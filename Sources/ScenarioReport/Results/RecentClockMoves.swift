internal import ScenarioEvents
internal import ScenarioModel

/// The last moves of a case's clock: whose deadlines virtual time went to before the case ended.
struct RecentClockMoves {
  /// How many are kept.
  static let limit = 10

  private var moves: [(length: Nanoseconds, reason: String)] = []
  private var hasEarlier = false

  init() {}

  /// Takes in a move.
  mutating func add(_ length: Nanoseconds, _ reason: String) {
    moves.append((length, reason))
    guard moves.count > Self.limit else { return }
    moves.removeFirst()
    hasEarlier = true
  }

  /// A title and a line for each; empty if the clock never moved.
  var lines: [String] {
    guard !moves.isEmpty else { return [] }
    let lengths = moves.map { ($0.length < .zero ? "" : "+") + $0.length.description }
    let width = lengths.map(\.count).max() ?? 0
    let title = hasEarlier ? "time passed, the last \(moves.count) moves:" : "time passed:"
    return [title]
      + zip(lengths, moves).map { length, move in
        "  \(length)\(String(repeating: " ", count: width - length.count))  \(move.reason)"
      }
  }
}
