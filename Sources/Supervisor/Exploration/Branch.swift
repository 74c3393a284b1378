internal import CSupervisor
internal import Foundations
internal import Glibc
internal import Synchronization

/// One branch: the state of the trunk that its loop needs, and its own records.
final class Branch {
  /// The mailbox of its loop; it stays empty.
  let mailbox: Mailbox
  /// The trunk's: who stops or cancels the trunk ends the branch.
  let trunk: Mailbox
  /// The thread of the trunk, which is stopped.
  let trunkThread: ThreadIdentifier
  /// The watched folders.
  let roots: [String]
  /// The folders that the trunk has begun to read: their entries would have other positions.
  let readFolders: Set<WatchedFolders.Inode>
  /// The stops of the trunk's thread meanwhile.
  private(set) var trunkStops: [scenario_stop] = []
  /// The reason why its end means nothing.
  var objection: String?
  /// True if what happens from now on is the doing of the supervisor.
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

  /// Returns whether a stop is the trunk's, which only a kill from outside wakes; it is kept for its own loop.
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

/// The events of a branch's loop.
final class BranchEvents: Sendable {
  private let injected = Mutex<[InjectedFault]>([])

  /// Records an event.
  func record(_ event: SupervisorEvent) {
    if case .faultInjected(let fault) = event { injected.withLock { $0.append(fault) } }
  }

  /// The faults that were injected.
  var faults: [InjectedFault] { injected.withLock { $0 } }
}
