internal import Foundations

/// The thread that has the turn.
struct TurnHolder: Sendable {
  /// The thread; `nil` if none runs.
  private(set) var thread: ThreadIdentifier?
  /// True if it still has the turn: it waits until the threads that it has woken are done.
  var keepsTurn = false
  /// True if it leaves its turn to any other.
  var yields = false
  /// True if it is about to stop, as it has computed for long.
  private(set) var isStopped = false
  /// The processor time that it had used when others began to wait; nanoseconds.
  private var useBefore: Nanoseconds?
  /// True if a turn has been ended in time before.
  private var hasStopped = false

  /// While others wait, a thread may compute for so long before it is stopped: it may wait for one of them without a
  /// call.
  private static let longestTurn = Nanoseconds.seconds(2)
  /// The same once that has happened.
  private static let laterTurn = Nanoseconds.milliseconds(20)

  /// Gives the turn to a thread.
  mutating func begin(_ thread: ThreadIdentifier) {
    self.thread = thread
    (keepsTurn, yields, useBefore) = (false, false, nil)
  }

  /// The thread has got another number.
  mutating func rename(_ former: ThreadIdentifier, to thread: ThreadIdentifier) {
    if self.thread == former { self.thread = thread }
  }

  /// Forgets a thread that is gone; the turn is free if it was its.
  mutating func forget(_ thread: ThreadIdentifier) {
    if self.thread == thread { (self.thread, keepsTurn, isStopped) = (nil, false, false) }
  }

  /// Ends the turn, as everything slept.
  mutating func rest() { thread = nil }

  /// The turn is being ended in time.
  mutating func stop() { (isStopped, hasStopped, yields) = (true, true, true) }

  /// Returns whether the holder's stop is the one that ends its turn, which it is once.
  mutating func takeStop() -> Bool {
    defer { isStopped = false }
    return isStopped
  }

  /// Returns whether the holder has computed for long since others began to wait.
  ///
  /// - Parameter use: the processor time that it has used, in nanoseconds.
  mutating func isTurnLong(use: Nanoseconds) -> Bool {
    guard let before = useBefore else {
      useBefore = use
      return false
    }
    return use - before > (hasStopped ? Self.laterTurn : Self.longestTurn)
  }
}
