package import Foundations
internal import Glibc

extension Supervisor {
  /// Ends the whole tree: SIGTERM to each process, or what its target is stopped by, and SIGKILL to those that still
  /// live after a while.
  ///
  /// The while passes in both times at once: where the clocks are held, time moves on for as long, so that
  /// a process which sleeps before it ends can do so, and nobody waits for what virtual time decides.
  ///
  /// - Parameters:
  ///   - signals: by what targets are stopped that are not stopped by SIGTERM: their first processes get it.
  ///   - signal: what all others get; SIGTERM unless said.
  ///   - grace: how long processes have, in real time and in that of the target.
  /// - Returns: Those that had to be killed, in the order of births.
  package func endTree(
    signals: [TargetNumber: Int32] = [:], others signal: Int32? = nil, grace: Nanoseconds
  ) -> [LiveProcess] {
    let result = OneShot<[LiveProcess]>()
    let deadline = RealClock.monotonic() + grace
    mailbox.post { loop in
      // Whoever was waited for is waited for no more; this is a wait of its own.
      loop.allowWaits()
      guard !loop.isTreeGone else { return result.leave([]) }
      loop.terminateTree(signals, others: signal ?? SIGTERM)
      loop.begin(EndTree(deadline: deadline, grace: grace, result: result))
    }
    return result.value()
  }

  /// The processes that outlive the first ones of all targets, once those that are about to end have done so.
  ///
  /// Where the clocks are held, that is when everything sleeps; elsewhere they have `patience` of real time, and
  /// more while one of them works. Empty while a target's first process lives.
  package func leftBehind(patience: Nanoseconds) -> [LiveProcess] {
    guard look({ $0.targets.haveEnded && !$0.isTreeGone }) else { return [] }
    let result = OneShot<[LiveProcess]>()
    mailbox.post { loop in
      guard loop.targets.haveEnded, !loop.isTreeGone else { return result.leave([]) }
      loop.begin(AwaitExits(patience: patience, result: result))
    }
    return result.value()
  }
}

extension TracerLoop {
  func stop() { isStopping = true }

  func allowWaits() { isCancelled = false }

  /// Asks each process to end; one that stands still must run for that (signal(7)).
  func terminateTree(_ signals: [TargetNumber: Int32], others: Int32) {
    // Parents first: a shell that sees its child end would go on with its next line.
    for process in processes.values.sorted(by: { $0.ordinal < $1.ordinal })
    where !process.threads.isEmpty {
      let isFirst = targets[process.target]?.process == process.identifier
      let signal = isFirst ? signals[process.target] ?? others : others
      kill(process.identifier.number, signal)
      kill(process.identifier.number, SIGCONT)
    }
  }

  /// Kills each process that lives; who they were.
  func killTheRest() -> [LiveProcess] {
    let rest = liveProcesses
    endEveryTree()
    return rest
  }
}

/// Waits until everybody has ended, and kills who has not in time.
final class EndTree: PendingWait {
  let deadline: Nanoseconds
  private let grace: Nanoseconds
  private let result: OneShot<[LiveProcess]>
  /// When the grace is over for the target, by its monotonic clock.
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
    guard RealClock.monotonic() >= deadline else { return false }
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
  /// How much longer somebody who works may take.
  private static let workingPatience = Nanoseconds.seconds(1)
  /// How often it is looked then whether somebody still does.
  private static let lookInterval = Nanoseconds.milliseconds(20)

  private(set) var deadline: Nanoseconds
  private let lastDeadline: Nanoseconds
  private let result: OneShot<[LiveProcess]>

  init(patience: Nanoseconds, result: OneShot<[LiveProcess]>) {
    deadline = RealClock.monotonic() + patience
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
    let now = RealClock.monotonic()
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
