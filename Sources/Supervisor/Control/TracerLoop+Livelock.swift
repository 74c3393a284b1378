internal import ScenarioModel

extension TracerLoop {
  /// Begins to wait for something.
  func begin(_ operation: any PendingWait) {
    wakes = WakeHistogram(start: virtualNow)
    recordProgress()
    operations.append(operation)
  }

  /// Counts a wait whose time is up.
  func countWake(of owner: WaitDescription, after length: Nanoseconds) {
    wakes.add(
      WakeHistogram.Wait(
        program: owner.program, systemCall: owner.systemCallNumber, length: length))
  }

  /// Who let time pass since the operation began.
  func waiterReport() -> WaiterReport {
    var report = wakes.report(now: virtualNow)
    report.startedPrograms = startedPrograms
    return report
  }

  /// Whether so many deadlines came due that it must be asked whether anything gets on.
  var hasWokenTooOften: Bool { wakes.countWithoutProgress >= configuration.deadlineLimit }

  /// Whether time moves and nothing else does.
  func isInLivelock() -> Bool {
    guard hasWokenTooOften else { return false }
    guard recordProgress() else { return true }
    wakes.recordProgress()
    return false
  }

  /// Takes note of how far the target has got; true if that is further than before.
  @discardableResult
  private func recordProgress() -> Bool {
    var now = progress
    now.outputCount = targets.all.reduce(0) { $0 &+ $1.output.count &+ $1.errorOutput.count }
    // The stand-in's threads run when the target sends something, and for nothing else.
    now.externalRuns = externalProbes.reduce(0) { $0 &+ $1.runCount() }
    now.isNew = false
    defer { progress = now }
    return progress != now
  }
}

/// How far a target has got, but for the time that passed.
struct TargetProgress: Equatable {
  /// How many bytes it has written to its output streams.
  var outputCount = 0
  /// How often the threads ran that it talks to.
  var externalRuns: UInt64 = 0
  /// Whether anything happened since that was noted.
  var isNew = false

  /// Takes note of an event.
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
      .changedOutside, .limitsTooSmall, .limitStruck:
      break
    }
  }
}
