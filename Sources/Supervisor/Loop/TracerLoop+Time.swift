internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension TracerLoop {
  /// Moves virtual time if it may move now; true if anything was woken or finished.
  func moveTime() -> Bool {
    faults.processes.fireBehindReplies()
    if clock.flows {
      recordSocketWaitsWhileTimeFlows()
      // Who was woken before may run still.
      if scheduler.wakeWhatIsDue(forgetQuiescence) || releaseSpinners() { return true }
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
    startedPrograms = 0
    if !holdsNewcomers { programSpin = ExecSpinDetector() }
    control.moves += 1
    control.moved = control.moved + (instant - before)
    scheduler.move(to: instant)
    report(.clockMoved(by: instant - before, reason: reason))
  }

  // MARK: - The clock page

  /// Tells every process what the clocks show from now on.
  func publishClock() {
    clockGeneration += 1
    configuration.view.update(clock)
    for interceptor in interceptors.all { interceptor.clocksMoved() }
    publishToAll(clockSlot())
  }

  /// Tells one process.
  func publishClock(to process: TargetProcess) {
    publish(clockSlot(), to: process)
  }

  /// Lets one process ask until its clock is published.
  func letAskForClock(_ process: TargetProcess) {
    var slot = clockSlot()
    slot.mode = UInt64(SCENARIO_CLOCK_CHANGING)
    publish(slot, to: process)
  }

  /// Lets every process ask from now on, until the clocks are published: they are about to change.
  func announceClockChange() {
    clockGeneration += 1
    var slot = scenario_clock_slot()
    slot.mode = UInt64(SCENARIO_CLOCK_CHANGING)
    publishToAll(slot)
  }

  /// A process none of whose threads can run before it stops is told then: of a thousand that sleep nobody reads it.
  private func publishToAll(_ slot: scenario_clock_slot) {
    for process in processes.values {
      guard !process.isHeld else {
        process.hasStaleClock = true
        continue
      }
      publish(slot, to: process)
    }
  }

  /// What the clocks showed when they were changed last, so that everybody reckons from the same values.
  private func clockSlot() -> scenario_clock_slot {
    let real = clock.anchor
    let monotonic = TimeValue(clock.monotonicAtAnchor)
    let wall = clock.wall(real: real)
    var slot = scenario_clock_slot()
    switch clock.rate {
    case nil: slot.mode = UInt64(SCENARIO_CLOCK_HELD)
    case ClockRate.one?: slot.mode = UInt64(SCENARIO_CLOCK_FLOWING)
    case let rate?:
      slot.mode = UInt64(SCENARIO_CLOCK_RATED)
      slot.rate = rate.fixed
      slot.fraction = UInt64(clock.fractionAtAnchor)
    }
    slot.realtime = scenario_time(
      seconds: wall.seconds, nanoseconds: Int64(wall.nanoseconds))
    slot.monotonic = scenario_time(
      seconds: monotonic.seconds, nanoseconds: monotonic.fraction)
    let boot = TimeValue(clock.boot(real: real))
    slot.boottime = scenario_time(seconds: boot.seconds, nanoseconds: boot.fraction)
    let base = TimeValue(real)
    slot.base = scenario_time(seconds: base.seconds, nanoseconds: base.fraction)
    return slot
  }

  private func publish(_ slot: scenario_clock_slot, to process: TargetProcess) {
    process.hasStaleClock = false
    guard configuration.clock != nil, let base = process.image?.base, let memory = process.memory
    else { return }
    typealias Page = scenario_clock_page
    let slots = MemoryLayout<Page>.offset(of: \.slots) ?? 0
    let stride = MemoryLayout<scenario_clock_slot>.stride
    memory.write(slot, at: base + UInt64(slots + Int(clockGeneration & 1) * stride))
    memory.write(
      clockGeneration, at: base + UInt64(MemoryLayout<Page>.offset(of: \.active) ?? 0))
  }
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
