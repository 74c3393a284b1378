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
}

/// Reports observations for the timeline that no verdict needs: without a listener they cost
/// nothing.
final class TraceReporter {
  private unowned let kernel: any ReporterKernel
  private let sight: (@Sendable (TraceRecord) -> Void)?
  /// The timed waits that are not over yet, by their threads.
  private var open: [ThreadIdentifier: OpenWait] = [:]

  ///
  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - sight: takes the reports; `nil` without a listener.
  init(kernel: any ReporterKernel, sight: (@Sendable (TraceRecord) -> Void)?) {
    self.kernel = kernel
    self.sight = sight
  }

  /// True if there is a listener.
  var isHeard: Bool { sight != nil }

  /// The largest number of bytes of a piece of output that are reported.
  private static let pieceLimit = 400

  /// A process was born, made by `parent` or by a step.
  func reportBirth(of process: TargetProcess, from parent: TargetProcess?) {
    guard let sight else { return }
    reportWritten()
    if parent != nil { kernel.targets[process.target]?.hasForked = true }
    sight(
      .born(
        process: process.identifier.number, ordinal: process.ordinal, parent: parent?.ordinal,
        program: process.programName))
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
      realBeginning: RealClock.monotonic())
  }

  /// Reports the end of a thread's wait, if it is in one that is reported.
  func reportWait(of tracee: Tracee, _ end: TraceRecord.WaitEnd) {
    guard let sight, let wait = open.removeValue(forKey: tracee.identifier) else { return }
    let length = kernel.virtualNow - wait.beginning
    let isDue = if case .due = end { true } else { false }
    // Who finds at once what it looks for has not waited.
    guard isDue || length > .zero else { return }
    sight(
      .waited(
        tracee.owner(ofCall: wait.systemCall), processOrdinal: tracee.process.ordinal,
        threadOrdinal: tracee.ordinal, requested: wait.requested, length: length,
        realLength: RealClock.monotonic() - wait.realBeginning, end))
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
    for target in kernel.targets.all {
      for stream in [StandardStream.output, .error] { reportOutput(of: target, stream) }
    }
  }

  private func reportOutput(of target: LaunchedTarget, _ stream: StandardStream) {
    guard let sight,
      let news = target.captured(stream).takeNews(limit: Self.pieceLimit)
    else { return }
    // Which of a target's several processes has written is unknown; that one of them is gone is heard
    // at no certain time.
    let isKnown = kernel.targets.count > 1 || !target.hasForked
    sight(
      .wrote(
        stream, beginning: news.beginning, count: news.count,
        process: isKnown ? (target.process.number, target.ordinal) : nil))
  }
}
