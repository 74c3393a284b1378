internal import Foundations
internal import ScenarioModel

/// Tracks the waits that make time pass, and whether anything else happens.
final class LivelockWatch {
  private let limit: Int
  private var wakes = WakeHistogram(start: .zero)
  /// The progress of the target at the last check.
  private var progress = TargetProgress()
  /// The runner's clock when the last wait ended.
  private var lastWake = Nanoseconds.zero
  /// The number of programs that were started since virtual time moved last.
  private var startedPrograms = 0

  /// Creates a watch.
  ///
  /// - Parameter limit: the number of deadlines without progress after which progress must be
  ///   checked.
  init(limit: Int) {
    self.limit = limit
  }

  /// Starts counting for a new wait for the target.
  func begin(at now: Nanoseconds, _ progress: TargetProgress) {
    wakes = WakeHistogram(start: now)
    update(progress)
  }

  /// Counts a wait whose time is up.
  func count(_ wait: WakeHistogram.Wait, by sleeper: WakeHistogram.Sleeper? = nil) {
    wakes.add(wait, by: sleeper)
    lastWake = RunnerClock.now()
  }

  /// A process has started a program.
  func countProgram() { startedPrograms += 1 }

  /// Time has passed.
  func timePassed() { startedPrograms = 0 }

  /// Records an event.
  ///
  /// - Parameter isSpin: whether programs are started only to read the clock.
  func record(_ event: SupervisorEvent, isSpin: Bool) { progress.record(event, isSpin: isSpin) }

  /// Returns the waits that made time pass since the wait began.
  func report(now: Nanoseconds) -> WaiterReport {
    var report = wakes.report(now: now)
    report.startedPrograms = startedPrograms
    report.realSinceLast = RunnerClock.now() - lastWake
    return report
  }

  /// True if so many deadlines came due that progress must be checked.
  var hasWokenTooOften: Bool { wakes.countWithoutProgress >= limit }

  /// Returns whether time moves and nothing else does.
  ///
  /// - Parameter reading: how far the target has got now; asked only where it matters.
  func isInLivelock(_ reading: () -> TargetProgress) -> Bool {
    guard hasWokenTooOften else { return false }
    guard update(reading()) else { return true }
    wakes.recordProgress()
    return false
  }

  /// Updates the progress of the target; true if there was any.
  @discardableResult
  private func update(_ reading: TargetProgress) -> Bool {
    defer { progress = reading }
    return progress != reading
  }
}

/// The progress of a target, apart from the time that passed.
struct TargetProgress: Equatable {
  /// The number of bytes that it has written to its output streams.
  var outputCount = 0
  /// The number of times that the threads ran that it talks to.
  var externalRuns: UInt64 = 0
  /// True if anything happened since that was noted.
  var isNew = false

  /// Records an event.
  ///
  /// - Parameter isSpin: whether programs are started only to read the clock.
  mutating func record(_ event: SupervisorEvent, isSpin: Bool) {
    switch event {
    case .processStarted where isSpin, .processEnded where isSpin: break
    // A call that is made as it is.
    case .faultInjected(let fault) where fault.action == InjectedFault.original: break
    case .processStarted, .processEnded, .faultInjected, .chaosUndecided, .crashUnknown,
      .clockMoved(_, .delayedReply):
      isNew = true
    case .clockMoved, .clockSet, .fileNotStamped, .outOfReach, .waitEscaped, .notice,
      .changedOutside, .limitsTooSmall, .limitStruck, .portMoved:
      break
    }
  }
}
