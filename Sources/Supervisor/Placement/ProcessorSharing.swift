internal import Foundations

/// Detects whether others than the tree compete for the supervisor's processor, by how long it
/// takes to get it back.
///
/// To leave the processor to a thread that shares it (sched_yield(2)) is the quickest way from one
/// to the other as long as both are alone on it. Any other thread that computes there gets a turn
/// of milliseconds as well, and each such call gives up the caller's claim in the scheduler: a wait
/// of a target then costs many times as long as by falling asleep, after which a thread that has
/// used little is served first.
struct ProcessorSharing {
  /// Until when, in real time, others are taken to want the processor.
  private var contendedUntil: Nanoseconds?

  /// The longest time that a thread runs which goes from one wait to the next.
  private static let ordinaryTurn = Nanoseconds.microseconds(500)
  /// The time for which competitors are taken to go on.
  private static let memory = Nanoseconds.milliseconds(250)

  /// Returns whether it is better to sleep than to yield.
  ///
  /// - Parameter now: the kernel's CLOCK_MONOTONIC.
  func isContended(now: Nanoseconds) -> Bool { contendedUntil.map { now < $0 } ?? false }

  /// Records the length of a turn of others.
  mutating func record(turnFrom start: Nanoseconds, to end: Nanoseconds) {
    if end - start > Self.ordinaryTurn { contendedUntil = end + Self.memory }
  }
}
