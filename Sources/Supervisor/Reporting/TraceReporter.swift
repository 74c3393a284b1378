internal import Foundations
internal import Glibc

/// A timed wait that is not over yet.
struct OpenWait {
  /// The call, by its number.
  var systemCall: Int
  /// The length that it was to last.
  var requested: Nanoseconds
  /// The virtual time at which it began.
  var beginning: Nanoseconds
  /// The real time at which it began.
  var realBeginning: Nanoseconds
}

/// The services that reports of a run's course need of the tracing loop.
protocol ReporterKernel: AnyObject {
  /// The targets.
  var targets: LaunchedTargets { get }
  /// The state of the target's clocks.
  var clock: VirtualClock { get }
  /// The time on the monotonic clock.
  var virtualNow: Nanoseconds { get }
  /// Reads what the targets have written; true if there was any.
  func takeOutput() -> Bool
  /// The processes of a target that live.
  func processes(of target: TargetNumber) -> [TargetProcess]
}

/// Reports observations for the timeline that no verdict needs: without a listener they cost
/// nothing.
final class TraceReporter {
  private unowned let kernel: any ReporterKernel
  private let sight: (@Sendable (TraceRecord) -> Void)?
  /// Finds out who has written what; `nil` where that is not wanted.
  let writers: OutputWriters?
  /// True if a wait is reported as well whose end the clock has moved to.
  private let seesDueWaits: Bool
  /// The timed waits that are not over yet, by their threads.
  private var open: [ThreadIdentifier: OpenWait] = [:]

  ///
  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - sight: takes the reports; `nil` without a listener.
  ///   - namesWriters: whether output of a target that has forked is reported with the process that wrote it.
  ///   - seesDueWaits: whether a wait is reported as well whose end the clock has moved to.
  init(
    kernel: any ReporterKernel, sight: (@Sendable (TraceRecord) -> Void)?,
    namesWriters: Bool = false, seesDueWaits: Bool = true
  ) {
    self.kernel = kernel
    self.seesDueWaits = seesDueWaits
    writers = sight != nil && namesWriters ? OutputWriters() : nil
    self.sight = sight
  }

  /// True if there is a listener.
  var isHeard: Bool { sight != nil }
  /// True if a wait is of interest to which the clock moves before its thread goes on.
  var hearsOfDueWaits: Bool { isHeard && seesDueWaits }

  /// The largest number of bytes of a piece of output that are reported.
  private static let pieceLimit = 400

  /// Reports the start of a process, by `parent` or by a step.
  func reportBirth(of process: TargetProcess, from parent: TargetProcess?) {
    guard let sight else { return }
    reportWritten()
    if let parent, let target = kernel.targets[process.target], !target.hasForked {
      target.hasForked = true
      writers?.recordFirstFork(of: parent)
    }
    sight(
      .born(
        process: process.identifier.number, ordinal: process.ordinal, parent: parent?.ordinal,
        program: process.programName, target: process.target.index))
  }

  /// Reports pending output before another event is reported: readers find both in that order, and
  /// what a target has written before its first fork, only its first process can have written.
  func reportWritten() {
    guard sight != nil else { return }
    _ = kernel.takeOutput()
  }

  /// A signal is about to be delivered.
  func reportSignal(_ signal: Int32, to process: TargetProcess) {
    guard let sight, !Self.housekeepingSignals.contains(signal) else {
      return
    }
    reportWritten()
    sight(
      .signalled(
        process: process.identifier.number, ordinal: process.ordinal, signal: signal))
  }

  /// The signals that runtimes send themselves all the time, and SIGCHLD, whose cause is reported
  /// anyway.
  private static let housekeepingSignals: Set<Int32> = [SIGCHLD, SIGURG, SIGPROF]

  /// Records that a thread begins to wait, or goes on with a wait that was disturbed; one for ever
  /// is never reported.
  func recordBeginning(of wait: TimedWait, by tracee: Tracee, isDelay: Bool) {
    // What it wrote before it sleeps has the time of now; a clock that is held is moved by `advance`.
    if kernel.clock.flows { _ = kernel.takeOutput() }
    guard open[tracee.identifier] == nil, wait.requested > .zero, wait.requested < .forever,
      !isDelay
    else { return }
    open[tracee.identifier] = OpenWait(
      systemCall: wait.entry.systemCall, requested: wait.requested, beginning: kernel.virtualNow,
      realBeginning: RunnerClock.now())
  }

  /// Reports the end of a thread's wait, if it is in one that is reported.
  ///
  /// - Parameter isTold: whether the clock has moved to its end, which tells it already.
  func reportWait(of tracee: Tracee, _ end: TraceRecord.WaitEnd, isTold: Bool = false) {
    guard let sight, !open.isEmpty, let wait = open.removeValue(forKey: tracee.identifier),
      seesDueWaits || !isTold
    else { return }
    let length = kernel.virtualNow - wait.beginning
    let isDue = if case .due = end { true } else { false }
    // Who finds at once what it looks for has not waited.
    guard isDue || length > .zero else { return }
    sight(
      .waited(
        tracee.owner(ofCall: wait.systemCall), processOrdinal: tracee.process.ordinal,
        threadOrdinal: tracee.ordinal, requested: wait.requested, length: length,
        realLength: RunnerClock.now() - wait.realBeginning, end))
  }

  /// The virtual time, from which the lengths of calls are computed.
  var now: Nanoseconds { kernel.virtualNow }

  /// A process has asked another host for a connection.
  func reportConnection(_ report: HostConnectionReport) {
    guard let sight else { return }
    reportWritten()
    sight(.connected(report))
  }

  /// The timeout of a socket has ended a call, which has begun `length` before.
  func reportSocketWait(of tracee: Tracee, call: Int, length: Nanoseconds) {
    guard let sight else { return }
    sight(
      .waited(
        tracee.owner(ofCall: call), processOrdinal: tracee.process.ordinal,
        threadOrdinal: tracee.ordinal, requested: length, length: length, realLength: .zero, .due))
  }

  /// Reports the bytes that the targets have written since the last call.
  func reportOutput() {
    guard isHeard else { return }
    for (number, target) in kernel.targets.numbered { reportOutput(of: target, number) }
  }

  private func reportOutput(of target: LaunchedTarget, _ number: TargetNumber) {
    let news = [StandardStream.output, .error].compactMap { stream in
      target.captured(stream).takeNews(limit: Self.pieceLimit).map { (stream: stream, piece: $0) }
    }
    guard let sight, !news.isEmpty else { return }
    let writer = writer(of: news.reduce(0) { $0 + $1.piece.count }, by: target, number)
    for (stream, piece) in news {
      sight(
        .wrote(
          stream, beginning: piece.beginning, count: piece.count,
          process: writer.map { ($0.number, $0.ordinal) }))
    }
  }

  /// Records that the targets have written nothing since the last call.
  func recordSilence() {
    writers?.recordSilence { [kernel] number in
      kernel.targets.numbered.contains { $0.0.index == number && $0.1.holdsMore }
    }
  }

  /// The process that has written what has come of a target; of several targets at least which one.
  private func writer(
    of count: Int, by target: LaunchedTarget, _ number: TargetNumber
  ) -> OutputWriters.Writer? {
    let first = OutputWriters.Writer(number: target.process.number, ordinal: target.ordinal)
    guard target.hasForked else { return first }
    let found = writers?.writer(
      of: count, target: number.index, among: kernel.processes(of: number),
      isMore: { target.holdsMore })
    return found ?? (kernel.targets.count > 1 ? first : nil)
  }
}

extension LaunchedTarget {
  /// True if its pipes hold something that has not been read.
  fileprivate var holdsMore: Bool {
    [StandardStream.output, .error].contains { captured($0).hasMore }
  }
}
