internal import CSupervisor
internal import Foundations

/// Waits for the end of a branch, and stops its loop then.
final class BranchWatch: PendingWait {
  private let beginning = RunnerClock.now()
  private let realDeadline: Nanoseconds
  private let virtualDeadline: Nanoseconds
  private weak var loop: (any BranchKernel)?
  /// The ending of the branch; `nil` while it has not ended, or if it is not to be reported.
  private(set) var ending: BranchResult.Ending?
  /// The processes that were left behind.
  private(set) var remainders: [BranchResult.Remainder] = []
  private var hasEndedSince: Nanoseconds?

  /// - Parameters:
  ///   - loop: the branch's.
  ///   - plan: what bounds it in real and in virtual time.
  init(of loop: any BranchKernel, _ plan: BranchPlan) {
    self.loop = loop
    realDeadline = min(beginning + plan.realLimit, plan.realDeadline ?? .forever)
    virtualDeadline = loop.virtualNow + plan.virtualLimit
  }

  /// Most branches are over sooner than it takes to look whether they sleep.
  private static let patience = Nanoseconds.milliseconds(2)
  private var isPatient: Bool { RunnerClock.now() - beginning < Self.patience }

  var deadline: Nanoseconds { isPatient ? beginning + Self.patience : realDeadline }

  /// The real time for which processes that were left behind may run on, as they may be about to
  /// end.
  private static let grace = Nanoseconds.milliseconds(100)

  /// The time for which everything in a branch must have slept, with nothing to wake it, to be
  /// called stuck: as no process outside knows of it, less than elsewhere.
  static let stuckAfter = Nanoseconds.milliseconds(100)

  func wantsQuiescence(_ target: any TargetView) -> Bool { loop?.isStopping == false && !isPatient }

  func letsTimePass(_ target: any TargetView) -> Bool { target.clock.movesByItself }

  func poll(_ target: any TargetView) -> Bool {
    guard let loop, !loop.isStopping else { return true }
    guard loop.branch?.trunk.isEnding != true else { return finish(loop, nil) }
    if loop.targets.all.contains(where: { $0.status != nil }) {
      guard !loop.processes.isEmpty || !loop.tree.unannounced.isEmpty else {
        return finish(loop, .exited)
      }
      let real = RunnerClock.now()
      let since = hasEndedSince ?? real
      hasEndedSince = since
      return real - since >= Self.grace ? finish(loop, .exited) : false
    }
    if RunnerClock.now() >= realDeadline {
      return finish(loop, .outOfRealTime(loop.situations()))
    }
    if loop.virtualNow >= virtualDeadline {
      return finish(loop, .outOfVirtualTime(loop.situations()))
    }
    return false
  }

  func demand(_ target: any TargetView) -> TimeDemand {
    guard let loop, hasEndedSince == nil else {
      guard let loop else { return .finished }
      _ = finish(loop, .exited)
      return .finished
    }
    guard loop.clock.movesByItself else { return .stand }
    // Where nothing is due, time has nowhere to go.
    let next = loop.nextDeadline
    return .advance(limit: next.flatMap { $0 > virtualDeadline ? virtualDeadline : nil })
  }

  /// Returns whether a branch is stuck: no process outside knows of it, so what only others could
  /// end never ends.
  func isStuck(_ target: any TargetView) -> Bool {
    guard let loop else { return true }
    for tracee in loop.tracees.values {
      switch tracee.state {
      case .waiting(let active) where active.ticket != nil: return false
      case .waiting, .stoppedWithGroup, .waitingForChild, .parked: continue
      case .running, .pausing, .completing, .restoring, .repeating, .startingProgram: break
      }
      guard let call = tracee.sampler.blockedCall(), NativeWait(call) == nil,
        loop.keepsTime
          || !(loop.interceptors.find(BranchGuard.self)?.hasTimers(tracee.process) ?? false)
      else { return false }
    }
    return finish(loop, .stuck(loop.situations()))
  }

  func isEndless(_ report: WaiterReport) {
    if let loop { _ = finish(loop, .outOfVirtualTime(loop.situations())) }
  }

  func cancel() {}

  private func finish(_ loop: any BranchKernel, _ ending: BranchResult.Ending?) -> Bool {
    self.ending = ending
    remainders = loop.processes.values.filter { loop.targets.begun(by: $0.identifier) == nil }
      .sorted { $0.ordinal < $1.ordinal }
      .map { .init(process: $0.ordinal, program: $0.programName) }
    loop.branch?.isOver = true
    loop.stop()
    return true
  }
}
