internal import Foundations

/// A condition that the runner waits for while the supervisor's loop turns.
protocol PendingWait: AnyObject {
  /// The bound on real time: the runner's clock.
  var deadline: Nanoseconds { get }

  /// Returns whether quiescence matters to it.
  func wantsQuiescence(_ loop: any TargetView) -> Bool

  /// Returns whether it lets time pass where everything sleeps.
  func letsTimePass(_ loop: any TargetView) -> Bool

  /// Checks the condition; true if the operation is done.
  func poll(_ loop: any TargetView) -> Bool

  /// Returns how far time is to move now that everything sleeps.
  func demand(_ loop: any TargetView) -> TimeDemand

  /// Handles that everything has slept for a while, and nothing will wake it; true if the operation
  /// gives up.
  func isStuck(_ loop: any TargetView) -> Bool

  /// Gives up, as one deadline came due after the other, and nothing else made progress.
  func isEndless(_ report: WaiterReport)

  /// The run is being stopped.
  func cancel()
}

/// Waits for something that the target does.
final class AwaitTarget: PendingWait {
  let deadline: Nanoseconds
  /// True if it ends where nothing will wake the target, also while time flows; false for who has an answer of his own
  /// to a target that does nothing.
  let endsAtStandstill: Bool
  private let target: TargetNumber
  private let result: OneShot<WaitResult>
  private let hasHappened: (any TargetView) -> Bool?

  /// Creates the operation.
  ///
  /// - Parameters:
  ///   - target: who does it.
  ///   - deadline: the bound on real time.
  ///   - endsAtStandstill: whether it ends where nothing will wake the target, also while time flows.
  ///   - result: where the outcome is left.
  ///   - hasHappened: whether it has happened; `nil` if it cannot happen because the target is gone.
  init(
    of target: TargetNumber, deadline: Nanoseconds, endsAtStandstill: Bool,
    result: OneShot<WaitResult>,
    hasHappened: @escaping (any TargetView) -> Bool?
  ) {
    self.target = target
    self.deadline = deadline
    self.endsAtStandstill = endsAtStandstill
    self.result = result
    self.hasHappened = hasHappened
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool {
    !loop.clock.flows
  }

  func letsTimePass(_ loop: any TargetView) -> Bool { loop.clock.movesByItself }

  func poll(_ loop: any TargetView) -> Bool {
    switch hasHappened(loop) {
    case true?:
      loop.reportAtEndOfTurn { [result] in result.leave(.happened) }
    case nil:
      let status = loop.targets[target]?.status ?? .exited(code: 0)
      loop.reportAtEndOfTurn { [result] in result.leave(.targetEnded(status)) }
    case false?:
      guard RunnerClock.now() >= deadline else { return false }
      result.leave(.timedOut(loop.situations(), loop.waiterReport()))
    }
    return true
  }

  func demand(_ loop: any TargetView) -> TimeDemand {
    loop.clock.movesByItself ? .advance(limit: nil) : .stand
  }

  func isStuck(_ loop: any TargetView) -> Bool {
    guard !loop.mayBeWokenFromOutside else { return false }
    result.leave(.stuck(loop.situations()))
    return true
  }

  func isEndless(_ report: WaiterReport) {
    result.leave(.endless(report))
  }

  func cancel() {
    result.leave(.cancelled)
  }
}

/// Advances time, or only waits for quiescence.
final class PassTime: PendingWait {
  /// The end of the time that passes.
  enum Goal {
    /// Not at all: only until everything sleeps.
    case settle
    /// To this instant of the monotonic clock.
    case instant(Nanoseconds)
    /// To the next deadline.
    case next
    /// Until nothing waits.
    case idle
  }

  /// The number of deadlines that may come due in a tick which ends when nothing waits: a loop that
  /// begins anew for ever has shown itself by then.
  static let idleLimit = 120_000

  let deadline: Nanoseconds
  private var goal: Goal
  private let result: OneShot<WaitResult>
  private var advances = 0

  init(goal: Goal, deadline: Nanoseconds, result: OneShot<WaitResult>) {
    self.goal = goal
    self.deadline = deadline
    self.result = result
  }

  /// True if it waits until everything sleeps, and for no instant.
  var onlySettles: Bool {
    if case .settle = goal { true } else { false }
  }

  /// True if it waits for an instant that is known.
  var endsAtInstant: Bool {
    if case .instant = goal { true } else { false }
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool { true }

  func letsTimePass(_ loop: any TargetView) -> Bool {
    if case .settle = goal { loop.clock.movesByItself } else { true }
  }

  func poll(_ loop: any TargetView) -> Bool {
    guard RunnerClock.now() >= deadline else { return false }
    result.leave(.timedOut(loop.situations(), loop.waiterReport()))
    return true
  }

  func demand(_ loop: any TargetView) -> TimeDemand {
    let now = loop.clock.monotonic(real: RealClock.monotonic())
    let earliest = loop.nextDeadline
    switch goal {
    case .settle:
      return finish()
    case .instant(let instant):
      // A deadline at the goal itself belongs to the tick.
      if now >= instant, earliest.map({ $0 > instant }) ?? true { return finish() }
      return .advance(limit: instant)
    case .next:
      // Who spins on the clock waits for no instant that is known, but does wait.
      guard let next = earliest ?? loop.spinnerGoal(after: now) else {
        result.leave(.stuck(loop.situations()))
        return .finished
      }
      goal = .instant(next)
      return .advance(limit: next)
    case .idle:
      guard earliest != nil else { return finish() }
      advances += 1
      guard advances <= Self.idleLimit else {
        isEndless(loop.waiterReport())
        return .finished
      }
      return .advance(limit: nil)
    }
  }

  func isStuck(_ loop: any TargetView) -> Bool { false }

  func isEndless(_ report: WaiterReport) {
    result.leave(.endless(report))
  }

  func cancel() {
    result.leave(.cancelled)
  }

  private func finish() -> TimeDemand {
    result.leave(.happened)
    return .finished
  }
}
