internal import Foundations

/// What a stop costs the thread that stops, in its own processor time, on this machine.
///
/// Processors differ by more than what tells a thread that works between two yields from one that does not. So it
/// is measured before a thread is taken for one that works: it repeats its call a few times with none of its own
/// instructions between, and what that takes is the stop's price alone.
struct StopCost {
  /// How often a call is repeated; the least of these counts, as anything may disturb a turn.
  private static let repetitions = 8
  /// What a turn that finds nothing to do takes at most, in stops.
  private static let stopsPerIdleTurn: Int64 = 5

  /// The thread that repeats its call, how often it still does, and its processor time at the last one.
  private var measured: (thread: ThreadIdentifier, left: Int, since: Nanoseconds)?
  private var least = Nanoseconds.forever
  /// True if it is measured.
  private(set) var isKnown = false
  /// A thread is at work whose quickest turn from one yield to the next takes longer, in processor time.
  private(set) var idleTurn: Nanoseconds

  /// - Parameter idleTurn: what an idle turn may always take.
  init(idleTurn: Nanoseconds) {
    self.idleTurn = idleTurn
  }

  /// Begins to measure with a thread that stands at the entry of a call; it is to repeat the call.
  mutating func begin(with thread: ThreadIdentifier, spent: Nanoseconds) {
    measured = (thread, Self.repetitions, spent)
    least = .forever
  }

  /// A thread stands at the entry of a call.
  ///
  /// - Parameter spent: its processor time.
  /// - Returns: whether it repeated the call, and is to repeat it again; `nil` if it makes calls of its own.
  mutating func repetition(of thread: ThreadIdentifier, spent: () -> Nanoseconds) -> Bool? {
    guard let current = measured, current.thread == thread else { return nil }
    let now = spent()
    least = min(least, now - current.since)
    guard current.left > 1 else {
      measured = nil
      isKnown = true
      idleTurn = max(idleTurn, Nanoseconds(least.count * Self.stopsPerIdleTurn))
      return false
    }
    measured = (thread, current.left - 1, now)
    return true
  }

  /// True if a thread may begin to repeat its calls.
  var isFree: Bool { measured == nil && !isKnown }

  /// A thread is gone.
  mutating func forget(_ thread: ThreadIdentifier) {
    if measured?.thread == thread { measured = nil }
  }
}
