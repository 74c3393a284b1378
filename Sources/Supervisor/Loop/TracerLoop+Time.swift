internal import CSupervisor
internal import Foundations
internal import Glibc

extension TracerLoop {
  /// Moves virtual time if it may move now; true if anything was woken or finished.
  func moveTime() -> Bool {
    faults.processes.fireBehindReplies()
    if clock.flows {
      sockets.recordWaitsWhileTimeFlows()
      // Who was woken before may run still.
      if scheduler.wakeWhatIsDue(forgetQuiescence) || spinners.releaseSpinners() { return true }
    }
    let isLookedFor = operations.contains { $0.wantsQuiescence(self) }
    if reportRestInTime(isLookedFor: isLookedFor) { return true }
    // Where a thread was put on this one's processor, it cannot have run yet.
    guard isLookedFor, !hasJustPlaced else { return false }
    return scheduler.turn()
  }

  /// What the monotonic clock shows.
  var virtualNow: Nanoseconds { scheduler.now }

  /// Lets virtual time pass up to `instant`.
  func advance(to instant: Nanoseconds, because reason: ClockMoveReason) {
    let before = virtualNow
    guard instant > before else { return }
    // What was written before is to be told with the time at which it was.
    if configuration.sight != nil { _ = takeOutput() }
    livelock.timePassed()
    spinners.timePassed()
    record.recordMove(by: instant - before)
    scheduler.move(to: instant)
    report(.clockMoved(by: instant - before, reason: reason))
  }

  /// How often the clocks have been published or were about to change.
  var clockGeneration: UInt64 { clockPages.generation }

  /// Tells everybody what the clocks show from now on.
  func publishClock() {
    configuration.view.update(clock)
    for interceptor in interceptors.all { interceptor.clocksMoved() }
    clockPages.publish()
  }

  /// Tells one process.
  func publishClock(to process: TargetProcess) { clockPages.publish(to: process) }
}

extension Tracee {
  /// Whose wait it is.
  func owner(of wait: TimedWait) -> WaitDescription {
    owner(ofCall: wait.entry.systemCall)
  }

  /// The thread, as one that asked for time by a call.
  func owner(ofCall number: Int) -> WaitDescription {
    WaitDescription(
      program: process.programName, thread: identifier.number, systemCallNumber: number,
      process: process.identifier.number)
  }
}
