internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorLoop {
  /// How long everything must have slept, with nothing to wake it, to be called stuck.
  private static let stuckAfter = Nanoseconds.seconds(1)
  /// How often it is looked whether somebody outside may still wake something: a look goes through the
  /// descriptors of many processes.
  private static let stuckLookInterval = Nanoseconds.milliseconds(250)

  /// Moves virtual time if it may move now; true if anything was woken or finished.
  func moveTime() -> Bool {
    strikeBehindReplies()
    if clock.flows {
      noteSocketWaitsWhileTimeFlows()
      if fireWhatRealTimeMadeDue() || releaseSpinners() { return true }
    }
    let operation = operations.first { $0.wantsQuiescence(self) }
    if tellRestInTime(isLookedFor: operation != nil) { return true }
    guard let operation else { return false }
    guard !hasJustPlaced else { return false }
    // A thread that made no call of note has written nothing.
    guard isQuiescent(), !isOutputUnseen, stillness?.runner != nil || !takeOutput() else {
      stillSince = nil
      return passTimeBesideComputing(for: operation) || releaseSpinnersNowAndThen()
    }
    computing.forget()
    if isInLivelock() {
      operation.isEndless(waiterReport())
      operations.removeAll { $0 === operation }
      return true
    }
    noteSocketWaits()
    if timers.accept() { return true }
    if let item = timeline.earliest(on: clock), item.instant <= virtualNow {
      fire(item)
      return true
    }
    if releaseSpinnersWithNews(timeMayMove: true) { return true }
    guard restWaiters.isEmpty else {
      tellRest()
      return true
    }
    switch operation.wish(self) {
    case .finished:
      operations.removeAll { $0 === operation }
      stillSince = nil
      return true
    case .advance(let limit):
      if stepForSpinners(limit: limit) { return true }
      if let item = timeline.earliest(on: clock), limit.map({ item.instant <= $0 }) ?? true {
        fire(item)
        return true
      }
      if let limit {
        advance(to: limit, because: .step)
        return true
      }
    case .stand:
      break
    }
    return releaseSpinnersWithNews(timeMayMove: false) || letSpinnersTurn()
      || noteStillness(operation)
  }

  private func noteStillness(_ operation: any Operation) -> Bool {
    let real = RealClock.monotonic()
    guard let since = stillSince else {
      stillSince = real
      noteNativeWaits()
      return false
    }
    let patience = branch == nil ? Self.stuckAfter : BranchWatch.stuckAfter
    guard real - since >= patience, real >= nextStuckLook else { return false }
    nextStuckLook = real + Self.stuckLookInterval
    guard operation.isStuck(self) else { return false }
    operations.removeAll { $0 === operation }
    stillSince = nil
    return true
  }

  /// What the monotonic clock shows.
  var virtualNow: Nanoseconds { clock.monotonic(real: RealClock.monotonic()) }

  /// How many deadlines come due before the loop looks at stops and at its mail again.
  private static let firesPerTurn = 64

  private func fireWhatRealTimeMadeDue() -> Bool {
    var fired = false
    // Where time flows faster than it can be told, there is always one more.
    for _ in 0..<Self.firesPerTurn {
      guard let item = timeline.earliest(on: clock), item.instant <= virtualNow else { break }
      // Who was woken before may run still.
      loseStillness()
      fire(item)
      fired = true
    }
    return fired
  }

  /// Moves the clock to a deadline and wakes its owner.
  func fire(_ item: Timeline<WaitOwner>.Item) {
    timeline.cancel(item.ticket)
    stillSince = nil
    switch item.owner {
    case .thread(let thread):
      guard let tracee = tracees[thread], case .waiting(var active) = tracee.state else { return }
      advance(to: item.instant, because: .wait(tracee.owner(of: active.wait)))
      countWake(of: tracee.owner(of: active.wait), after: active.wait.requested)
      active.isDue = true
      sleepWatch.wake(tracee)
      tracee.state = .waiting(active)
      lastResumed = tracee
      if stillness?.mayHaveWokenOnlookers ?? false { loseStillness() }
      stillness?.runner = tracee
      place(tracee)
      _ = scenario_trace_interrupt(thread.number)
    case .timer(let name):
      guard timers.isSet(name, to: item.ticket) else { return }
      loseStillness()
      placeLoneThread()
      timers.fire(name, at: item.instant)
    case .socket(let thread):
      loseStillness()
      fireSocketWait(of: thread, item)
    case .companion(let number):
      loseStillness()
      if let appointment = chaosAppointments.removeValue(forKey: number)?.appointment {
        let name = faults.table.entries[appointment.entry].name
        advance(to: item.instant, because: .chaos(entry: name))
        sleepWatch.suspectAll()
        keep(appointment)
        return
      }
      advance(to: item.instant, because: .delayedReply)
      companions.removeValue(forKey: number)?()
    }
  }

  /// Lets virtual time pass up to `instant`.
  func advance(to instant: Nanoseconds, because reason: ClockMoveReason) {
    let before = virtualNow
    guard instant > before else { return }
    // What was written before is to be told with the time at which it was.
    if configuration.sight != nil { _ = takeOutput() }
    startedPrograms = 0
    if !holdsNewcomers { programSpin = ProgramSpin() }
    control.moves += 1
    control.moved = control.moved + (instant - before)
    changeClocks { $0.advance(to: instant, real: $1) }
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
