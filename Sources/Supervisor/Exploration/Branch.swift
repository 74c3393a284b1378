internal import CSupervisor
internal import Foundations
internal import Glibc
internal import Synchronization

/// One branch: what its loop must know of the trunk, and what is noted of it.
final class Branch {
  /// Where its loop would get messages; nobody leaves any.
  let mailbox: Mailbox
  /// The trunk's: who stops or cancels the trunk ends the branch.
  let trunk: Mailbox
  /// The thread of the trunk, which stands still.
  let trunkThread: ThreadIdentifier
  /// The watched folders.
  let roots: [String]
  /// The folders that the trunk has begun to read: their entries would not stand where they stood.
  let readFolders: Set<WatchedFolders.Inode>
  /// What has become of the trunk's thread meanwhile.
  private(set) var trunkStops: [scenario_stop] = []
  /// Why its end means nothing.
  var objection: String?
  /// Whether what happens from now on is the doing of the supervisor.
  var isOver = false
  /// The processes that signals have ended.
  private(set) var crashes: [BranchResult.Crash] = []

  init(
    mailbox: Mailbox, trunk: Mailbox, trunkThread: ThreadIdentifier, roots: [String],
    readFolders: Set<WatchedFolders.Inode>
  ) {
    self.readFolders = readFolders
    self.mailbox = mailbox
    self.trunk = trunk
    self.trunkThread = trunkThread
    self.roots = roots
  }

  /// The trunk's bell, to wake up for.
  var trunkBell: pollfd { pollfd(fd: trunk.bell, events: Int16(POLLIN), revents: 0) }

  /// Whether a stop is the trunk's, which only a kill from outside wakes; it is kept for its own loop.
  func isOfTrunk(_ stop: scenario_stop) -> Bool {
    guard stop.thread == trunkThread.number else { return false }
    trunkStops.append(stop)
    return true
  }

  /// A process has ended.
  func recordEnd(of process: TargetProcess, _ status: ExitStatus) {
    guard !isOver, case .signaled(let number) = status else { return }
    crashes.append(
      .init(process: process.ordinal, program: process.programName, signal: number))
  }
}

/// What a branch's loop tells.
final class BranchEvents: Sendable {
  private let injected = Mutex<[InjectedFault]>([])

  /// Takes note of an event.
  func record(_ event: SupervisorEvent) {
    if case .faultInjected(let fault) = event { injected.withLock { $0.append(fault) } }
  }

  /// The faults that were injected.
  var faults: [InjectedFault] { injected.withLock { $0 } }
}

/// Waits for the end of a branch, and stops its loop then.
final class BranchWatch: PendingWait {
  private let beginning = RealClock.monotonic()
  private let realDeadline: Nanoseconds
  private let virtualDeadline: Nanoseconds
  private weak var loop: TracerLoop?
  /// How it ended; `nil` while it has not, or if nobody is to know.
  private(set) var ending: BranchResult.Ending?
  /// The processes that were left behind.
  private(set) var remainders: [BranchResult.Remainder] = []
  private var hasEndedSince: Nanoseconds?

  /// - Parameters:
  ///   - loop: the branch's.
  ///   - plan: what bounds it in real and in virtual time.
  init(of loop: TracerLoop, _ plan: BranchPlan) {
    self.loop = loop
    realDeadline = min(beginning + plan.realLimit, plan.realDeadline ?? .forever)
    virtualDeadline = loop.virtualNow + plan.virtualLimit
  }

  /// Most branches are over sooner than it takes to look whether they sleep.
  private static let patience = Nanoseconds.milliseconds(2)
  private var isPatient: Bool { RealClock.monotonic() - beginning < Self.patience }

  var deadline: Nanoseconds { isPatient ? beginning + Self.patience : realDeadline }

  /// How long those who were left behind may run on in real time, as they may be about to end.
  private static let grace = Nanoseconds.milliseconds(100)

  /// How long everything in a branch must have slept, with nothing to wake it, to be called stuck: as nobody
  /// outside knows of it, less than elsewhere.
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
      let real = RealClock.monotonic()
      let since = hasEndedSince ?? real
      hasEndedSince = since
      return real - since >= Self.grace ? finish(loop, .exited) : false
    }
    if RealClock.monotonic() >= realDeadline {
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

  /// Nobody outside knows of a branch: what only others could end never ends.
  func isStuck(_ target: any TargetView) -> Bool {
    guard let loop else { return true }
    for tracee in loop.tracees.values {
      switch tracee.state {
      case .waiting(let active) where active.ticket != nil: return false
      case .waiting, .stoppedWithGroup, .waitingForChild, .parked: continue
      case .running, .pausing, .completing, .restoring, .repeating, .startingProgram: break
      }
      guard let call = tracee.sampler.blockedCall(), NativeWait(call) == nil,
        !tracee.process.entanglement.hasTimers || loop.configuration.clock != nil
      else { return false }
    }
    return finish(loop, .stuck(loop.situations()))
  }

  func isEndless(_ report: WaiterReport) {
    if let loop { _ = finish(loop, .outOfVirtualTime(loop.situations())) }
  }

  func cancel() {}

  private func finish(_ loop: TracerLoop, _ ending: BranchResult.Ending?) -> Bool {
    self.ending = ending
    remainders = loop.processes.values.filter { loop.targets.begun(by: $0.identifier) == nil }
      .sorted { $0.ordinal < $1.ordinal }
      .map { .init(process: $0.ordinal, program: $0.programName) }
    loop.branch?.isOver = true
    loop.isStopping = true
    return true
  }
}
