internal import Foundations

/// The cost of a stop for the thread that stops, in its own processor time, on this machine.
///
/// Processors differ by more than the difference between a thread that works between two yields and
/// one that does not. So the cost is measured before a thread counts as one that works: it repeats
/// its call a few times with none of its own instructions between, and the time of that is the cost
/// of the stop alone.
struct StopCost {
  /// The number of times that a call is repeated; the least time counts, as anything may disturb a
  /// turn.
  private static let repetitions = 8
  /// The largest processor time of a turn that finds nothing to do, in stops.
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

  /// Begins to measure with a thread that is at the entry of a call; it is to repeat the call.
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

  /// Forgets a thread that has exited.
  mutating func forget(_ thread: ThreadIdentifier) {
    if measured?.thread == thread { measured = nil }
  }
}
