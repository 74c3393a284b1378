package import Foundations
package import ScenarioPlan

/// The faults that are tried at the points of a survey, without a separate run of the target for each.
///
/// At a point the supervisor makes the target fork. The child, the branch, gets the fault of an
/// order and runs to its end, while the surveyed run, the trunk, is held; then all that the branch
/// has changed is put back, and the trunk continues as if nothing had happened. Where that cannot
/// be done exactly, the order is refused, with the reason, and needs a run of its own.
///
/// A branch has another process identifier than the trunk, and its processor time begins at zero.
/// Real time passes while branches run: a timeout for the trunk must allow for it. Files that were
/// put back have another time of the last change of their inode, and those that a branch had
/// removed another inode, unless the trunk writes them; while it does they have a second name, in
/// the holding folder.
package struct BranchPlan: Sendable {
  /// Returns the faults to try at a point; called on the supervisor's thread, before the call is
  /// made.
  package var orders: @Sendable (FaultPoint) -> [BranchOrder]
  /// Absolute paths of the folders that the target may change, without symbolic links in them.
  ///
  /// The changes of a branch in them are reported and put back; a branch that would change anything
  /// else is refused.
  package var directories: [String]
  /// An absolute path of a folder for what must be kept meanwhile: on the same file system as
  /// `directories`, in none of them, and empty.
  package var holdingDirectory: String
  /// The real time that a branch may take.
  package var realLimit: Nanoseconds
  /// The real moment, on the monotonic clock, at which branches end whatever they do; `nil` for none.
  package var realDeadline: Nanoseconds?
  /// The virtual time that may pass in a branch.
  package var virtualLimit: Nanoseconds
  /// The number of bytes of a file that are reported.
  package var contentLimit = 65_536
  /// Receives the outcome of each order, on the supervisor's thread, in order.
  package var ended: @Sendable (BranchOutcome) -> Void

  /// Creates a plan.
  package init(
    directories: [String], holdingDirectory: String, realLimit: Nanoseconds = .seconds(10),
    virtualLimit: Nanoseconds = .seconds(3_600),
    orders: @escaping @Sendable (FaultPoint) -> [BranchOrder],
    ended: @escaping @Sendable (BranchOutcome) -> Void
  ) {
    self.orders = orders
    self.directories = directories
    self.holdingDirectory = holdingDirectory
    self.realLimit = realLimit
    self.virtualLimit = virtualLimit
    self.ended = ended
  }
}

/// A fault to try at a point.
package struct BranchOrder: Sendable, Hashable {
  /// The caller's identifier for it.
  package var identifier: Int
  /// The action that takes the place of `original` in the entry that has seen the point; `original`
  /// itself makes a branch without a fault.
  package var provider: PlannedProvider
  /// True if it gives that at every later call of the entry as well, and not at this one alone.
  ///
  /// The same as an entry with `nth: K`, or with `after: K - 1`, where K is the point's occurrence.
  package var isOnwards: Bool

  /// Creates an order.
  package init(identifier: Int, provider: PlannedProvider, isOnwards: Bool = false) {
    self.identifier = identifier
    self.provider = provider
    self.isOnwards = isOnwards
  }
}

/// The outcome of an order.
package struct BranchOutcome: Sendable {
  /// The ways in which an order can end.
  package enum Result: Sendable {
    /// A branch has run.
    case ran(BranchResult)
    /// No branch has run, or its end is not to be trusted, for this reason; it needs a run of its
    /// own.
    case refused(String)
  }

  /// The order.
  package var order: BranchOrder
  /// The point of the order.
  package var point: FaultPoint
  /// The result of the order.
  package var result: Result
  /// The reason why the trunk differs from its state before the branch; `nil` if it does not.
  ///
  /// Every later order is refused then, and the trunk's own end means nothing.
  package var disturbance: String?

  /// Creates an outcome.
  package init(order: BranchOrder, point: FaultPoint, result: Result, disturbance: String? = nil) {
    self.order = order
    self.point = point
    self.result = result
    self.disturbance = disturbance
  }
}

/// The effects of a branch.
package struct BranchResult: Sendable {
  /// The way in which a branch ends.
  package enum Ending: Sendable, Hashable {
    /// Its first process has ended.
    case exited
    /// Everything slept, and nothing would have woken it: the situation of each thread.
    case stuck([ThreadSituation])
    /// The bound on real time was reached.
    case outOfRealTime([ThreadSituation])
    /// The bound on virtual time was reached, or deadlines came due without end.
    case outOfVirtualTime([ThreadSituation])
  }

  /// A process that a signal has ended.
  package struct Crash: Sendable, Hashable {
    /// The process's number in start order, from 1, as in a separate run.
    package var process: Int
    /// The program's name without its folder.
    package var program: String
    /// The signal.
    package var signal: Int32
  }

  /// A process that was there when the first one had ended.
  package struct Remainder: Sendable, Hashable {
    /// The process's number in start order, from 1.
    package var process: Int
    /// The program's name without its folder.
    package var program: String
  }

  /// The status of the first process; `nil` if it did not end by itself.
  package var status: ExitStatus?
  /// The reason why the branch ended.
  package var ending: Ending
  /// The bytes that the branch wrote to standard output from the fork on.
  package var output: CapturedOutput
  /// The bytes that it wrote to standard error.
  package var errorOutput: CapturedOutput
  /// The number of bytes that the trunk had written to standard output before the fork, counted as
  /// in its own output: those and `output` are what a run of its own would have written.
  package var outputBefore: Int
  /// The same for standard error.
  package var errorOutputBefore: Int
  /// The files and folders in the watched folders at the end, sorted by path.
  package var files: [BranchFile]
  /// The paths that existed at the fork and no longer do, sorted.
  package var removed: [String]
  /// The processes that were left behind; they have been killed.
  package var remainders: [Remainder]
  /// The processes that signals have ended, in the order of their ends.
  package var crashes: [Crash]
  /// The faults that were injected, the ordered one with them.
  package var faults: [InjectedFault]
  /// The virtual time from the fork to the end.
  package var passed: Nanoseconds
  /// The real time that the branch took, its preparation and its undoing included.
  package var took: Nanoseconds
}

/// A file or folder in the watched folders at the end of a branch.
package struct BranchFile: Sendable, Hashable {
  /// The kind of a file, by the words of ``FileKind``: runs of their own are compared with
  /// branches.
  package enum Kind: String, Sendable, Hashable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link.
    case link = "symlink"
    /// Another kind: a fifo, a socket.
    case other
  }

  /// The change of a file since the fork.
  package enum Change: String, Sendable, Hashable {
    /// The file did not exist.
    case made
    /// The file has other bytes, another kind or other permissions.
    case changed
    /// The file is unchanged.
    case none
  }

  /// The absolute path.
  package var path: String
  /// The kind of the file.
  package var kind: Kind
  /// Its permissions, the lower twelve bits of its mode.
  package var permissions: UInt32
  /// The size of a regular file, in bytes; 0 for others.
  package var size: Int
  /// `ContentDigest` of a regular file's bytes or of a link's target; 0 for others.
  package var digest: UInt64
  /// The change of the file.
  package var change: Change
  /// The first bytes of a regular file, up to the plan's bound, or where a link leads; of a longer file that
  /// is as it was, and of others, nothing.
  package var contents: [UInt8]
}
