internal import Foundations
internal import Glibc

/// Waits until all processes have exited, and kills those that have not in time.
final class EndTree: PendingWait {
  let deadline: Nanoseconds
  private let grace: Nanoseconds
  private let result: OneShot<[LiveProcess]>
  /// The end of the target's grace period, on its monotonic clock.
  private var virtualDeadline: Nanoseconds?
  private weak var loop: (any TargetView)?

  init(deadline: Nanoseconds, grace: Nanoseconds, result: OneShot<[LiveProcess]>) {
    self.deadline = deadline
    self.grace = grace
    self.result = result
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool { !loop.clock.flows }

  func letsTimePass(_ loop: any TargetView) -> Bool { true }

  func poll(_ loop: any TargetView) -> Bool {
    self.loop = loop
    if loop.isTreeGone {
      result.leave([])
      return true
    }
    guard RunnerClock.now() >= deadline else { return false }
    result.leave(loop.killTheRest())
    return true
  }

  func demand(_ loop: any TargetView) -> TimeDemand {
    let now = loop.virtualNow
    let limit = virtualDeadline ?? now + grace
    virtualDeadline = limit
    guard now >= limit else { return .advance(limit: limit) }
    result.leave(loop.killTheRest())
    return .finished
  }

  func isStuck(_ loop: any TargetView) -> Bool {
    result.leave(loop.killTheRest())
    return true
  }

  func isEndless(_ report: WaiterReport) {
    result.leave(loop?.killTheRest() ?? [])
  }

  func cancel() {
    result.leave(loop?.killTheRest() ?? [])
  }
}

/// Waits for those that are about to end anyway.
final class AwaitExits: PendingWait {
  /// The additional time for a process that works.
  private static let workingPatience = Nanoseconds.seconds(1)
  /// The interval at which it is then checked whether one still does.
  private static let lookInterval = Nanoseconds.milliseconds(20)

  private(set) var deadline: Nanoseconds
  private let lastDeadline: Nanoseconds
  private let result: OneShot<[LiveProcess]>

  init(patience: Nanoseconds, result: OneShot<[LiveProcess]>) {
    deadline = RunnerClock.now() + patience
    lastDeadline = deadline + Self.workingPatience
    self.result = result
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool { !loop.clock.flows }

  func letsTimePass(_ loop: any TargetView) -> Bool { false }

  func poll(_ loop: any TargetView) -> Bool {
    if loop.isTreeGone {
      result.leave([])
      return true
    }
    let now = RunnerClock.now()
    guard now >= deadline else { return false }
    guard now >= lastDeadline || loop.isAtRest else {
      deadline = now + Self.lookInterval
      return false
    }
    result.leave(loop.liveProcesses)
    return true
  }

  func demand(_ loop: any TargetView) -> TimeDemand {
    result.leave(loop.liveProcesses)
    return .finished
  }

  func isStuck(_ loop: any TargetView) -> Bool { false }

  func isEndless(_ report: WaiterReport) {
    result.leave([])
  }

  func cancel() {
    result.leave([])
  }
}
