internal import CSupervisor
internal import Foundations

/// The state of a thread that polls instead of sleeping: it reads the clock, gives up its processor
/// (sched_yield(2)), or sleeps for no time.
///
/// Counts are those of one instant of virtual time: a thread that polls often while time moves is
/// no spinner.
struct SpinRecord {
  /// The number of yields and sleeps of no length that pass at one instant, before the thread is
  /// held.
  static let freeYields = 100
  /// The number that pass after its release, so that one of its turns is quick, as a rule.
  static let furtherYields = 4
  /// The number of clock reads by system call that pass at one instant.
  static let freeReads = Int(SCENARIO_FREE_READS)
  /// The number of them that pass at each further instant, of a thread that does nothing else.
  static let furtherReads = 100
  /// The processor time of the quickest turn, from one yield to the next, above which a thread is
  /// at work, where stops cost no more than on most machines (``StopCost``).
  ///
  /// A turn that finds nothing to do takes a fifth of it, the stop included. The quickest turn
  /// decides, because a busy machine makes any turn long, and none short. Each clock read by system
  /// call in a turn is one more stop, and allows for as much again.
  static let idleTurn = Nanoseconds.microseconds(25)
  /// The same where the order of threads follows from the seed: what decides on it must be far from a turn that does
  /// nothing, also on a machine that has little time for it.
  static let idleTurnInOrder = Nanoseconds.microseconds(250)

  /// Returns the largest processor time of `count` reads of the clock, of a thread that does little
  /// else.
  ///
  /// That is a fifth of a microsecond each; to make use of a time takes longer.
  static func idleReads(_ count: Int64) -> Nanoseconds {
    Nanoseconds(count &* 200)
  }
  /// The largest processor time of a hundred reads by system call, the stops included.
  static let idleCalls = Nanoseconds.microseconds(2_500)
  /// The number of yields at one instant, each from another place than before, or with other values
  /// in the registers, that count as a sign of progress: a loop that waits for another thread looks
  /// the same each time.
  static let progressLimit = 10_000
  /// The number of such yields of a thread that has only counted so far.
  static let furtherProgressLimit = 16

  /// The instant that the counts belong to.
  private var generation: UInt64 = 0
  private var yields = 0
  private var reads = 0
  /// Clock reads by system call since the last yield.
  private var readsInTurn: Int64 = 0
  /// The thread's processor time at its last yield that counts.
  private var processorTime = Nanoseconds.zero
  /// The least that one of its turns has taken, by the stops in it.
  private var quickestTurn = Nanoseconds.forever
  /// True if it computes between its reads of the clock.
  private var work = WorkBetweenReads()
  /// The registers at its last yield, in a number.
  private var place: UInt64 = 0
  private var changes = 0
  private var onlyCounts = false
  /// The instant at which it was last released.
  private var releaseGeneration: UInt64?
  private var countAtRelease: UInt64 = 0
  /// The distance that time may move for it.
  private var credit = SpinCredit()
  /// The number of times that it has polled since anything else happened.
  var turns = 0

  /// The meaning of a yield for the state of its thread.
  enum Yield {
    /// Undecided so far.
    case pass
    /// The thread makes progress.
    case progress
    /// The thread has used the processor between its yields.
    case work
    /// The thread waits for others.
    case wait
  }

  /// Counts a yield.
  ///
  /// - Parameters:
  ///   - instant: the instant of virtual time.
  ///   - place: a number for the registers.
  ///   - idleTurn: what a turn takes at most that finds nothing to do, in processor time.
  ///   - spent: the thread's processor time now.
  mutating func countYield(
    at instant: UInt64, from place: UInt64, idleTurn: Nanoseconds = Self.idleTurn,
    spent: () -> Nanoseconds
  ) -> Yield {
    enter(instant)
    if place != self.place {
      self.place = place
      changes += 1
      guard changes > (onlyCounts ? Self.furtherProgressLimit : Self.progressLimit) else {
        yields = 0
        return .progress
      }
      onlyCounts = true
    }
    yields += 1
    let now = spent()
    if yields == 1, !hasJustBeenReleased {
      quickestTurn = .forever
    } else {
      let turn = Nanoseconds((now - processorTime).count / (1 + readsInTurn))
      quickestTurn = min(quickestTurn, turn)
    }
    readsInTurn = 0
    processorTime = now
    guard yields >= (hasJustBeenReleased ? Self.furtherYields : Self.freeYields) else {
      return .pass
    }
    guard quickestTurn > idleTurn else { return .wait }
    // A busy machine may make each of a few turns long, and few of many.
    guard yields >= Self.freeYields else { return .pass }
    // It counts as one who has just begun to yield.
    releaseGeneration = nil
    yields = 0
    return .work
  }

  /// Returns whether a thread that has read the clock too often has worked between its reads, or may have.
  ///
  /// - Parameters:
  ///   - instant: the instant of virtual time.
  ///   - spent: the thread's processor time now.
  ///   - turn: how much of it one who only reads may have taken since the last time.
  mutating func hasWorked(at instant: UInt64, spent: Nanoseconds, turn: Nanoseconds) -> Bool {
    work.isLikely(at: instant, spent: spent, turn: turn)
  }

  /// Counts a clock read by system call; true if there were so many that the thread is to be held.
  mutating func countRead(at instant: UInt64) -> Bool {
    enter(instant)
    reads += 1
    readsInTurn += 1
    return reads > (hasJustBeenReleased ? Self.furtherReads : Self.freeReads)
  }

  /// Returns whether the thread, or another one of its process, has read the clock since its
  /// release.
  ///
  /// - Parameters:
  ///   - instant: the instant of virtual time.
  ///   - count: how often the process has read the clock from its page at this instant.
  func readsClock(at instant: UInt64, count: UInt64) -> Bool {
    guard releaseGeneration == instant else { return false }
    return reads > 0 || count != countAtRelease
  }

  /// Returns the number of times that the thread has read the clock by a system call at this
  /// instant since it was held.
  func readCount(at instant: UInt64) -> UInt64 { generation == instant ? UInt64(reads) : 0 }

  /// The thread is held.
  mutating func hold(at instant: UInt64) {
    enter(instant)
    reads = 0
  }

  /// Adds to the credit of its reads, in virtual time.
  mutating func earn(_ worth: Nanoseconds, at instant: UInt64, now: Nanoseconds) {
    credit.earn(worth, at: instant, now: now)
  }

  /// Returns whether the thread has been held, and looks again at this instant.
  func looksAgain(at instant: UInt64) -> Bool { releaseGeneration == instant }

  /// The instant to which time may move for its sake; `nil` as long as it has not asked often enough.
  func goal(after now: Nanoseconds) -> Nanoseconds? { credit.goal(after: now) }

  /// Releases the thread.
  ///
  /// - Parameters:
  ///   - instant: the instant of virtual time.
  ///   - spent: the thread's processor time now.
  ///   - count: how often its process has read the clock from its page at this instant.
  mutating func release(at instant: UInt64, spent: Nanoseconds, count: UInt64) {
    startCounting(at: instant)
    credit.goOn(at: instant)
    releaseGeneration = instant
    yields = 0
    reads = 0
    processorTime = spent
    readsInTurn = 0
    quickestTurn = .forever
    countAtRelease = count
  }

  private var hasJustBeenReleased: Bool { releaseGeneration == generation }

  private mutating func enter(_ instant: UInt64) {
    guard generation != instant else { return }
    startCounting(at: instant)
    // It has slept meanwhile, and is no longer known for anything.
    onlyCounts = false
  }

  private mutating func startCounting(at instant: UInt64) {
    guard generation != instant else { return }
    generation = instant
    yields = 0
    reads = 0
    changes = 0
  }
}

/// The evidence on whether a thread that reads the clock again and again makes use of the time
/// between.
private struct WorkBetweenReads {
  /// The processor time that a thread which reads the clock and works may take before it counts as
  /// one that waits.
  private static let longestWork = Nanoseconds.seconds(1)
  /// The number of idle reads in a row after which a thread is held: it may have several counters,
  /// which come to their bounds one shortly after the other.
  private static let idleTurns = 16

  /// The instant at which it reads.
  private var instant: UInt64 = 0
  /// The thread's processor time when it began to read too often at this instant.
  private var begin = Nanoseconds.zero
  /// The same at its last read that counts.
  private var last = Nanoseconds.zero
  /// The number of reads in a row that came within a turn of the read before.
  private var idleCount = 0

  /// Records many reads; returns whether the thread has worked between them, or may have.
  mutating func isLikely(at instant: UInt64, spent: Nanoseconds, turn: Nanoseconds) -> Bool {
    defer { last = spent }
    if self.instant != instant { (self.instant, begin) = (instant, spent) }
    guard spent - begin < Self.longestWork else { return false }
    guard spent - last <= turn else {
      idleCount = 0
      return true
    }
    idleCount += 1
    return idleCount < Self.idleTurns
  }
}
