internal import CSupervisor
internal import Foundations

/// Reads the stops of threads, and tracks for how long there have been none.
final class StopReader {
  /// The placement of threads that are waited for on processors.
  let placement = ProcessorPlacement()
  /// Keeps stops until their threads' turns; `nil` where all threads run side by side.
  var turns: ThreadTurns?
  private let tree: ProcessTree
  private var rounds: UInt = 0
  private var stops: [scenario_stop] = []
  /// The number of threads that have been seen to stop, and whose stops are not handled yet.
  private(set) var unhandled = 0
  /// True if this round has handled stops.
  private var hasHandled = false
  /// The real time of the last progress.
  private var lastProgress = Nanoseconds.zero
  /// The number of rounds without progress.
  private(set) var idleRounds = 0
  /// True if the loop is to sleep as soon as there is nothing to do.
  private var leavesProcessor = false

  /// The number of empty rounds before the loop sleeps.
  static let spinRounds = 10
  /// The number of rounds in which the target's output is taken once at least.
  private static let roundsPerOutput: UInt = 64
  /// The number of stops that are taken before the loop reads the clock and its mailbox again.
  private static let stopsPerRound = 256
  /// The same of a thread that stops again at once.
  private static let followedStopsPerRound = 64
  /// The number of rounds between two looks at the other threads, while one thread alone may run, or
  /// calls again and again.
  private static let roundsPerLook: UInt = 16

  /// - Parameter tree: whose threads stop.
  init(tree: ProcessTree) {
    self.tree = tree
  }

  // MARK: - Rounds

  /// True if output is to be taken in this round.
  var isRoundOfOutput: Bool { rounds % Self.roundsPerOutput == 0 }

  /// True if nothing has happened for longer than threads as a rule run from one wait to the next.
  var isIdle: Bool { idleRounds > Self.spinRounds }

  /// True if a thread that waits for the tracer's processor cannot have run yet.
  var hasJustPlaced: Bool { idleRounds == 0 && placement.hasPlaced }

  /// True if threads were resumed in this round, which as a rule run on: whether all sleep is asked
  /// in the next one, and where there is no such round, now and then.
  var hasJustResumed: Bool { hasHandled && turns == nil && rounds % Self.roundsPerLook != 0 }

  /// Records progress.
  func recordProgress() {
    // The mock server may have work queued, and may need this processor.
    idleRounds = leavesProcessor ? Self.spinRounds : 0
    leavesProcessor = false
    lastProgress = RealClock.monotonic()
  }

  /// Ends a round without progress; true if the loop may sleep.
  ///
  /// - Parameter isDeserted: whether only messages change what is known.
  func mayRest(isDeserted: @autoclosure () -> Bool) -> Bool {
    idleRounds += 1
    placement.releaseInTime(since: lastProgress)
    // A thread that has just been resumed often stops again within microseconds, which is less than it
    // takes to fall asleep and be woken.
    guard idleRounds > Self.spinRounds || isDeserted() else {
      // A thread that was put on this one's processor waits for it.
      if placement.isShared, !placement.yieldProcessor() { idleRounds = Self.spinRounds }
      return false
    }
    return true
  }

  /// Records that there is output that has not been examined.
  func recordOutput() { idleRounds = 0 }

  /// The loop is to sleep as soon as there is nothing to do.
  func leaveProcessorSoon() { leavesProcessor = true }

  // MARK: - Stops

  /// Handles the stops that are there, of each thread at most one before the others had their turn:
  /// the kernel reports the youngest thread first, and where those call again at once, the oldest
  /// would never be handled.
  ///
  /// - Parameters:
  ///   - quiescence: knows which thread alone may run.
  ///   - handle: does what a stop calls for.
  func take(_ quiescence: QuiescenceDetector, _ handle: (scenario_stop) -> Void) -> Bool {
    rounds &+= 1
    hasHandled = false
    var count = 0
    while count < (placement.awaitsStop ? Self.followedStopsPerRound : Self.stopsPerRound) {
      guard collect(quiescence) || placement.awaitStop({ collect(quiescence) }) else {
        return count > 0
      }
      count += stops.count
      hasHandled = true
      unhandled = stops.count
      for stop in stops {
        unhandled -= 1
        if turns?.keeps(stop) != true { handle(stop) }
      }
      stops.removeAll(keepingCapacity: true)
    }
    // Such a round takes as long as many others.
    rounds |= Self.roundsPerOutput - 1
    return true
  }

  /// Collects the stops that are there, of each thread one at most; false if there is none.
  ///
  /// The kernel reports the youngest thread first. Were it resumed before the others are asked for,
  /// one that stops again at once would keep the oldest from ever being handled.
  private func collect(_ quiescence: QuiescenceDetector) -> Bool {
    let others = quiescence.snapshot?.runner == nil && tree.tracees.count > 1
    repeat {
      let stop = next(quiescence)
      guard stop.kind != SCENARIO_STOP_NONE else { break }
      stops.append(stop)
    } while others && stops.count < Self.stopsPerRound
    return !stops.isEmpty
  }

  /// The next stop of the thread that alone may run, or of any.
  private func next(_ quiescence: QuiescenceDetector) -> scenario_stop {
    // A look at one thread is the same work however many there are.
    if let snapshot = quiescence.snapshot, let runner = snapshot.runner, snapshot.leaver == nil,
      !isIdle, rounds % Self.roundsPerLook != 0
    {
      return scenario_next_stop_of(runner.identifier.number)
    }
    return scenario_next_stop()
  }
}
